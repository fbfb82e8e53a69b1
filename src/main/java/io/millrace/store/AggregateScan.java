package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.FunctionRegistry;

/**
 * A question for figures over stored values, compiled, for one run after the other: each {@linkplain #reset begins}, is
 * given values, and ends with its {@linkplain #part part} of an answer. Not thread-safe.
 */
public final class AggregateScan extends RecordScan {

    private final AggregatePlan plan;
    private Groups groups;
    private final byte[] key;

    private AggregateScan(AggregatePlan plan) {
        super(plan.schema(), plan.encoded(), plan.filter(), plan.columns());
        this.plan = plan;
        this.groups = plan.groups();
        this.key = new byte[plan.keyLength()];
    }

    /**
     * Compiles a question to a region.
     *
     * @param functions that the expressions may call
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a figure is none
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
        for (int i = 0; i < batch.selected(); i++) {
            int column = putKey(batch, columns, i);
            if (anyAbsent(columns, column, i)) {
                continue;
            }
            int group = groups.group(key);
            groups.count(group);
            for (int f = 0; f < plan.figures().size(); f++) {
                if (plan.figures().get(f).numbers() != null) {
                    groups.take(group, f, columns[column++][i]);
                }
            }
        }
    }

    /** Absent doubles have a place in the order; all else that is absent has left the selection before. */
    private boolean anyAbsent(long[][] columns, int first, int index) {
        int column = first;
        for (int f = 0; f < plan.figures().size(); f++) {
            Figure figure = plan.figures().get(f);
            if (figure.numbers() != null && columns[column++][index] == Figure.ABSENT && figure.real()) {
                fail(plan.query().values().get(f) + " has no result for an absent value");
                return true;
            }
        }
        return false;
    }

    /** Returns the first column behind those of the keys. */
    private int putKey(RecordBatch batch, long[][] columns, int index) {
        int at = 0;
        int column = 0;
        for (GroupKey part : plan.keys()) {
            if (part.numbers() == null) {
                part.put(batch, batch.selection()[index], key, at);
            } else {
                RawBytes.putLong(key, at, columns[column++][index]);
            }
            at += part.bytes();
        }
        return column;
    }

    /** What was found; ends the run. */
    public AggregatePart part() {
        flush();
        byte[][] keys = new byte[groups.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = groups.key(i);
        }
        return new AggregatePart(keys, groups.figures(), counts());
    }
}
