package io.millrace.store.scan;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.query.Query;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.RegionDefinition;
import org.jspecify.annotations.Nullable;

/**
 * A compiled query over stored values, for consecutive runs: each starts with {@linkplain #begin begin}, receives
 * values as long as more are {@linkplain #wanted wanted}, and ends with its {@linkplain #part part} of an answer. Not
 * thread-safe.
 */
public final class QueryScan extends RecordScan {

    private static final long[] NO_KEYS = {};

    private final QueryPlan plan;
    private long limit;
    private int bytes;
    /** The first records so far in a run with an order; null in one without. */
    private @Nullable TopRecords top;
    /** All records so far in a run without an order. */
    private PackedRecords.Builder found = new PackedRecords.Builder();

    /** Number and length of the records in the last part that was full: the next one probably needs as much. */
    private int fullCount;

    private int fullLength;

    QueryScan(RegionDefinition region, QueryPlan plan) {
        super(region, plan.schema(), plan.encoded(), plan.filter(), plan.orders());
        this.plan = plan;
    }

    /**
     * Compiles a query to a region.
     *
     * @param functions that the query's expressions may call
     * @throws io.millrace.expression.error.ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if the schema lacks a selected field
     */
    public static QueryScan of(RegionDefinition region, Query query, FunctionRegistry functions) {
        return new QueryScan(region, QueryPlan.of(region, query, functions));
    }

    QueryPlan plan() {
        return plan;
    }

    /** Returns the decoder of the selected fields of found records. */
    public StoredRecords decoder() {
        return plan.shown();
    }

    /**
     * Begins a run.
     *
     * @param maxRecords maximum number of records; with an order, at most {@link Query#MAX_LIMIT}
     * @param fullBytes size of the records found without an order that is enough for one part
     */
    public void begin(long maxRecords, int fullBytes) {
        reset();
        limit = maxRecords;
        bytes = fullBytes;
        if (fullLength >= fullBytes && fullCount <= maxRecords) {
            found = new PackedRecords.Builder(fullCount, fullLength);
        }
        top = plan.orders().isEmpty()
                ? null
                : new TopRecords(Math.toIntExact(maxRecords), plan.orders().size());
    }

    @Override
    public void reset() {
        super.reset();
        top = null;
        found = new PackedRecords.Builder();
    }

    @Override
    public boolean wanted() {
        return top != null || found.count() < limit;
    }

    @Override
    public boolean full() {
        return found.length() >= bytes;
    }

    @Override
    void take(StoredBatch stored, long[][] columns) {
        int selected = stored.batch().selected();
        TopRecords best = top;
        if (best == null) {
            stored.copy((int) Math.min(selected, limit - found.count()), found);
            return;
        }
        for (int i = 0; i < selected; i++) {
            stored.offer(best, columns, i);
        }
    }

    /** Returns the records found and ends the run. */
    public QueryPart part() {
        flush();
        TopRecords best = top;
        return best == null ? new QueryPart(takeFound(), NO_KEYS, counts()) : part(best);
    }

    private PackedRecords takeFound() {
        fullCount = full() ? found.count() : 0;
        fullLength = full() ? found.length() : 0;
        PackedRecords all = found.build();
        found = new PackedRecords.Builder();
        return all;
    }

    private QueryPart part(TopRecords best) {
        int width = plan.orders().size();
        PackedRecords.Builder records = new PackedRecords.Builder();
        long[] keys = new long[best.size() * width];
        best.drain((record, _, sourceKeys, keysAt) -> {
            System.arraycopy(sourceKeys, keysAt, keys, records.count() * width, width);
            records.add(record);
        });
        return new QueryPart(records.build(), keys, counts());
    }
}
