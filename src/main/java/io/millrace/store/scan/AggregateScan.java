package io.millrace.store.scan;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.Groups;
import io.millrace.codec.RecordBatch;
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
    private final long[][] values;

    private AggregateScan(AggregatePlan plan) {
        super(plan.schema(), plan.encoded(), plan.filter(), plan.columns());
        this.plan = plan;
        this.groups = plan.groups();
        this.keys = new long[plan.keyWidth()][0];
        this.values = new long[plan.layout().columns().size()][];
    }

    /**
     * Compiles a query to a region.
     *
     * @param functions that the expressions may call
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if an aggregate is invalid
     */
    public static AggregateScan of(RegionDefinition region, AggregateQuery query, FunctionRegistry functions) {
        return new AggregateScan(AggregatePlan.of(region, query, functions));
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
    void take(StoredBatch stored, long[][] columns) {
        RecordBatch batch = stored.batch();
        int column = fillKeys(batch, columns);
        System.arraycopy(columns, column, values, 0, values.length);
        int count = removeAbsent(batch.selected());
        groups.take(groups.find(keys, 0, count), values, 0, count);
        plan.requireRoom(groups);
    }

    /** Fills the key columns and returns the index of the first column behind them. */
    private int fillKeys(RecordBatch batch, long[][] columns) {
        int column = 0;
        int part = 0;
        for (GroupKey key : plan.keys()) {
            if (key.numbers() == null) {
                for (int i = 0; i < key.longs(); i++) {
                    if (keys[part + i].length < batch.selected()) {
                        keys[part + i] = new long[batch.selection().length];
                    }
                }
                key.fill(batch, keys, part);
            } else {
                keys[part] = columns[column++];
            }
            part += key.longs();
        }
        return column;
    }

    /**
     * Removes records with an absent value. Absent doubles have a place in the order; all other absent values were
     * removed from the selection before.
     */
    private int removeAbsent(int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int absent = absent(i);
            if (absent >= 0) {
                fail("No result of '" + plan.layout().columns().get(absent).text() + "': its value is absent.");
            } else if (kept++ < i) {
                move(keys, i, kept - 1);
                move(values, i, kept - 1);
            }
        }
        return kept;
    }

    private int absent(int index) {
        for (int c = 0; c < values.length; c++) {
            if (values[c][index] == Column.ABSENT
                    && plan.layout().columns().get(c).optional()) {
                return c;
            }
        }
        return -1;
    }

    private static void move(long[][] columns, int fromIndex, int toIndex) {
        for (long[] column : columns) {
            column[toIndex] = column[fromIndex];
        }
    }

    /** Returns the result and ends the run. */
    public AggregatePart part() {
        flush();
        return new AggregatePart(
                groups.size(),
                Arrays.copyOf(groups.table().keys(), groups.size() * plan.keyWidth()),
                Arrays.copyOf(groups.figures(), (groups.size() + 1) * groups.width()),
                counts());
    }
}
