package io.millrace.store.scan;

import io.millrace.aggregate.ColumnValues;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.Groups;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.region.RegionDefinition;
import java.util.Arrays;

/**
 * A compiled aggregate query over stored values, for consecutive runs: each starts with {@linkplain #reset reset},
 * receives values, and ends with its {@linkplain #part part} of an answer. Not thread-safe.
 */
public final class AggregateScan extends RecordScan {

    private final AggregatePlan plan;
    private Groups groups;
    private final long[][] keys;
    private final ColumnValues[] values;

    private AggregateScan(RegionDefinition region, AggregatePlan plan) {
        super(region, plan.schema(), plan.encoded(), plan.filter(), plan.keyColumns());
        this.plan = plan;
        this.groups = plan.groups();
        this.keys = new long[plan.keyWidth()][0];
        this.values = plan.layout().columns().stream().map(ColumnValues::new).toArray(ColumnValues[]::new);
    }

    /**
     * Compiles a query to a region.
     *
     * @param functions that the expressions may call
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if an aggregate is invalid
     */
    public static AggregateScan of(RegionDefinition region, AggregateQuery query, FunctionRegistry functions) {
        return new AggregateScan(region, AggregatePlan.of(region, query, functions));
    }

    AggregatePlan plan() {
        return plan;
    }

    @Override
    public void reset() {
        super.reset();
        groups = plan.groups();
    }

    @Override
    public boolean wanted() {
        return true;
    }

    @Override
    public boolean full() {
        return false;
    }

    @Override
    void fillMore(RecordBatch batch, RejectSink failures) {
        for (ColumnValues column : values) {
            column.fill(batch, failures);
        }
    }

    @Override
    void take(StoredBatch stored, long[][] columns) {
        RecordBatch batch = stored.batch();
        fillKeys(batch, columns);
        int count = batch.selected();
        groups.take(groups.find(keys, 0, count), values, 0, count);
        plan.requireRoom(groups);
    }

    private void fillKeys(RecordBatch batch, long[][] columns) {
        int column = 0;
        int part = 0;
        for (GroupKey key : plan.keys()) {
            int longs = key.longs();
            if (key.numbers().isEmpty()) {
                for (int i = 0; i < longs; i++) {
                    if (keys[part + i].length < batch.selected()) {
                        keys[part + i] = new long[batch.selection().length];
                    }
                }
                key.fill(batch, keys, part);
            } else {
                for (int i = 0; i < longs; i++) {
                    keys[part + i] = columns[column++];
                }
            }
            part += longs;
        }
    }

    /** Returns the result and ends the run. */
    public AggregatePart part() {
        flush();
        return new AggregatePart(
                groups.size(),
                Arrays.copyOf(groups.table().keys(), groups.size() * plan.keyWidth()),
                Arrays.copyOf(groups.accumulators(), (groups.size() + 1) * groups.width()),
                counts());
    }
}
