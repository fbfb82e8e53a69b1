package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.BatchFilter;
import io.millrace.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs over stored values, one after the other: records that meet a condition are handed on, with columns of numbers of
 * them. Not thread-safe. Records that are entries are gathered in chunks first.
 */
public abstract class RecordScan {

    private static final int CHUNK = 1024;
    private static final byte[] NOTHING = {};

    private final Schema schema;
    private final EncodedQuery encoded;
    private final @Nullable Supplier<BatchFilter> filter;
    private final List<QueryPlan.Order> orders;
    private final StoredBatch stored;
    private final RecordBatch batch;
    private final long[][] columns;
    private final byte[][] chunk = new byte[CHUNK][];
    private int inChunk;
    private long scanned;
    private long scannedBlocks;
    private long skippedBlocks;
    private long failed;
    private @Nullable String firstFailure;

    /**
     * @param schema of the records as the expressions read them
     * @param filter compiles the condition, or gives it; null where there is none
     * @param orders give the columns
     */
    RecordScan(
            Schema schema, EncodedQuery encoded, @Nullable Supplier<BatchFilter> filter, List<QueryPlan.Order> orders) {
        this.schema = schema;
        this.encoded = encoded;
        this.filter = filter;
        this.orders = orders;
        stored = StoredBatch.of(schema, encoded);
        batch = stored.batch();
        columns = new long[orders.size()][];
    }

    /** Whether records to come could still be among the result. */
    public abstract boolean wanted();

    /** Whether as much was found as shall be handed on at once. */
    public abstract boolean full();

    /** Forgets the run before, of which nothing is kept in memory any more. */
    public void reset() {
        Arrays.fill(chunk, NOTHING);
        inChunk = 0;
        stored.show(chunk, 0, this::fail);
        scanned = 0;
        scannedBlocks = 0;
        skippedBlocks = 0;
        failed = 0;
        firstFailure = null;
    }

    /**
     * Takes the records of a batch's selection.
     *
     * @param columns the numbers of the records in the selection
     */
    abstract void take(StoredBatch stored, long[][] columns);

    /**
     * Looks at a stored block, unless its ranges tell that no record meets the condition.
     *
     * @param key of the block
     * @param checks of the region's blocks
     * @throws BlockFormatException where it is none
     */
    public void block(long key, byte[] value, BlockChecks checks) {
        Block block = Block.peek(value, schema, checks.of(key, value));
        if (excluded(block) || !stored.show(block, this::fail)) {
            skippedBlocks++;
            return;
        }
        scannedBlocks++;
        scanned += block.count();
        look();
    }

    private boolean excluded(Block block) {
        for (StoredCondition test : encoded.tests()) {
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
        take(stored, columns);
    }

    /** Leaves the records for which the condition holds, and fills the columns of their keys. */
    private void narrow() {
        BatchFilter condition = stored.tested() ? encoded.rest() : filter == null ? null : filter.get();
        if (condition != null) {
            condition.apply(batch, this::fail);
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
        QueryPlan.Order order = orders.get(k);
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

    /** Counts a record that is not part of the answer since something has no result. */
    final void fail(@Nullable String why) {
        failed++;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    /** Looks at the entries that were gathered and not looked at yet. */
    public final void flush() {
        if (inChunk > 0 && wanted()) {
            entries();
        }
    }

    /** What was looked at so far. */
    final ScanCounts counts() {
        return new ScanCounts(scanned, scannedBlocks, skippedBlocks, failed, firstFailure);
    }
}
