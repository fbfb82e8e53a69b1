package io.millrace.store;

import io.millrace.expression.FunctionRegistry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A query over stored values, compiled, for one run after the other: each {@linkplain #begin begins}, is given values
 * for as long as more are {@linkplain #wanted wanted}, and ends with its {@linkplain #part part} of an answer. Not
 * thread-safe.
 */
public final class QueryScan extends RecordScan {

    private static final long[] NO_KEYS = {};

    private final QueryPlan plan;
    private long limit;
    private int bytes;
    /** The best so far of a run with an order; null in one without. */
    private @Nullable TopRecords top;
    /** All so far of a run without an order. */
    private PackedRecords.Builder found = new PackedRecords.Builder();

    QueryScan(QueryPlan plan) {
        super(plan.schema(), plan.encoded(), plan.filter(), plan.orders());
        this.plan = plan;
    }

    /**
     * Compiles a query to a region.
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

    /** Decodes what is found, as far as it is selected. */
    public StoredRecords decoder() {
        return plan.shown();
    }

    /**
     * Begins a run.
     *
     * @param most how many records at most; with an order, no more than {@link Query#MAX_LIMIT}
     * @param fullAt how many bytes of records found without an order are enough for one part
     */
    public void begin(long most, int fullAt) {
        reset();
        limit = most;
        bytes = fullAt;
        top = plan.orders().isEmpty()
                ? null
                : new TopRecords(Math.toIntExact(most), plan.orders().size());
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
        for (int i = 0; i < selected && wanted(); i++) {
            if (top == null) {
                found.add(stored.copy(i));
            } else {
                stored.offer(top, columns, i);
            }
        }
    }

    /** What was found; ends the run. */
    public QueryPart part() {
        flush();
        TopRecords best = top;
        return best == null ? new QueryPart(found.build(), NO_KEYS, counts()) : part(best);
    }

    private QueryPart part(TopRecords best) {
        int width = plan.orders().size();
        PackedRecords.Builder records = new PackedRecords.Builder();
        long[] keys = new long[best.size() * width];
        boolean whole = plan.schema().tagged() != null;
        int length = plan.schema().recordLength();
        best.drain((source, at, from, keysAt) -> {
            System.arraycopy(from, keysAt, keys, records.count() * width, width);
            records.add(whole ? source : Arrays.copyOfRange(source, at, at + length));
        });
        return new QueryPart(records.build(), keys, counts());
    }
}
