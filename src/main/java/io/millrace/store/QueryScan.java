package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.FunctionRegistry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One run of a query over stored values, as long as more are {@linkplain #wanted wanted}. Not thread-safe. Records that
 * are entries are gathered in chunks first.
 */
public final class QueryScan {

    private static final int CHUNK = 1024;

    private final QueryPlan plan;
    private final StoredBatch stored;
    private final RecordBatch batch;
    private final TopRecords top;
    private final long[][] columns;
    private final byte[][] chunk = new byte[CHUNK][];
    private int inChunk;
    private long scanned;
    private long scannedBlocks;
    private long skippedBlocks;
    private long failed;
    private @Nullable String firstFailure;

    QueryScan(QueryPlan plan) {
        this.plan = plan;
        stored = StoredBatch.of(plan.schema(), plan.encoded());
        batch = stored.batch();
        columns = new long[plan.orders().size()][];
        top = new TopRecords(plan.limit(), columns.length);
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

    /** Whether records to come could still be among the result. */
    public boolean wanted() {
        return !top.complete();
    }

    /**
     * Looks at a stored block, unless its ranges tell that no record meets the condition.
     *
     * @param key of the block
     * @param checks of the region's blocks
     * @throws BlockFormatException where it is none
     */
    public void block(long key, byte[] value, BlockChecks checks) {
        Block block = Block.peek(value, plan.schema(), checks.of(key, value));
        if (excluded(block) || !stored.show(block, this::fail)) {
            skippedBlocks++;
            return;
        }
        scannedBlocks++;
        scanned += block.count();
        look();
    }

    private boolean excluded(Block block) {
        for (StoredTest test : plan.encoded().tests()) {
            if (block.excludes(test)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Looks at a record that is a value of its own.
     *
     * @throws StoreException where it is none
     */
    public void entry(byte[] value) {
        stored.require(value);
        chunk[inChunk++] = value;
        if (inChunk == CHUNK) {
            entries();
        }
    }

    private void entries() {
        stored.show(chunk, inChunk, this::fail);
        scanned += inChunk;
        look();
        inChunk = 0;
    }

    private void look() {
        narrow();
        for (int i = 0; i < batch.selected() && wanted(); i++) {
            stored.offer(top, columns, i);
        }
    }

    /** Leaves the records for which the condition holds, and fills the columns of their keys. */
    private void narrow() {
        BatchFilter filter = stored.tested() ? plan.encoded().rest() : plan.whole();
        if (filter != null) {
            filter.apply(batch, this::fail);
        }
        int before;
        do { // A key that has no result takes its record out, and the columns filled before no longer match.
            before = batch.selected();
            for (int k = 0; k < columns.length; k++) {
                fill(k);
            }
        } while (batch.selected() != before);
    }

    private void fill(int k) {
        if (columns[k] == null || columns[k].length < batch.selected()) {
            columns[k] = new long[Math.max(CHUNK, batch.selected())];
        }
        QueryPlan.Order order = plan.orders().get(k);
        if (order.field() == null || !stored.keys(order.field(), columns[k])) {
            order.keys().get().fill(batch, columns[k], this::fail);
        }
        if (order.descending()) {
            for (int i = 0; i < batch.selected(); i++) {
                columns[k][i] = ~columns[k][i];
            }
        }
    }

    private void fail(RecordBatch failing, int ordinal, RejectReason reason) {
        fail(reason.detail());
    }

    private void fail(@Nullable String why) {
        failed++;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    /** What was found; may be called once. */
    public QueryPart part() {
        if (inChunk > 0 && wanted()) {
            entries();
        }
        byte[][] records = new byte[top.size()][];
        long[] keys = new long[records.length * columns.length];
        boolean whole = plan.schema().tagged() != null;
        int length = plan.schema().recordLength();
        int[] taken = new int[1];
        top.drain((source, at, from, keysAt) -> {
            int index = taken[0]++;
            records[index] = whole ? source : Arrays.copyOfRange(source, at, at + length);
            System.arraycopy(from, keysAt, keys, index * columns.length, columns.length);
        });
        return new QueryPart(records, keys, scanned, scannedBlocks, skippedBlocks, failed, firstFailure);
    }
}
