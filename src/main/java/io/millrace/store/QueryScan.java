package io.millrace.store;

import io.millrace.expression.FunctionRegistry;
import java.util.Arrays;

/** One run of a query over stored values, as long as more are {@linkplain #wanted wanted}. Not thread-safe. */
public final class QueryScan extends RecordScan {

    private final QueryPlan plan;
    private final TopRecords top;

    QueryScan(QueryPlan plan) {
        super(plan.schema(), plan.encoded(), plan.filter(), plan.orders());
        this.plan = plan;
        this.top = new TopRecords(plan.limit(), plan.orders().size());
    }

    /**
     * A run over the values of a region.
     *
     * @param functions that the query's expressions may call
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where the schema has no field that is selected
     */
    public static QueryScan of(RegionDefinition region, Query query, FunctionRegistry functions) {
        return new QueryScan(QueryPlan.of(region, query, functions));
    }

    QueryPlan plan() {
        return plan;
    }

    @Override
    public boolean wanted() {
        return !top.complete();
    }

    @Override
    void take(StoredBatch stored, long[][] columns) {
        int selected = stored.batch().selected();
        for (int i = 0; i < selected && wanted(); i++) {
            stored.offer(top, columns, i);
        }
    }

    /** What was found; may be called once. */
    public QueryPart part() {
        end();
        int width = plan.orders().size();
        byte[][] records = new byte[top.size()][];
        long[] keys = new long[records.length * width];
        boolean whole = plan.schema().tagged() != null;
        int length = plan.schema().recordLength();
        int[] taken = new int[1];
        top.drain((source, at, from, keysAt) -> {
            int index = taken[0]++;
            records[index] = whole ? source : Arrays.copyOfRange(source, at, at + length);
            System.arraycopy(from, keysAt, keys, index * width, width);
        });
        return new QueryPart(records, keys, counts());
    }
}
