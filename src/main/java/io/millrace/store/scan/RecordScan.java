package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockVersions;
import io.millrace.store.block.StoredCondition;
import io.millrace.store.query.ScanCounts;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Scans stored values one after the other, and passes on records that meet a condition, with columns of numbers
 * computed from them. Collects records that are entries in chunks first. Not thread-safe.
 */
public abstract class RecordScan implements ValueScan {

    private static final int CHUNK = 1024;
    private static final byte[] NOTHING = {};

    private final long fingerprint;
    private final BlockVersions versions;
    private final EntryVersions entryVersions;
    private final EncodedQuery encoded;
    private final @Nullable Supplier<BatchFilter> filter;
    private final List<QueryPlan.Order> orders;
    private final StoredBatch stored;
    private final RecordBatch batch;
    private final long[][] columns;
    private final Object[] chunkKeys = new Object[CHUNK];
    private final byte[][] chunk = new byte[CHUNK][];
    private final byte[][] newest = new byte[CHUNK][];
    private int chunkSize;
    private long scanned;
    private long scannedBlocks;
    private long skippedBlocks;
    private long failed;
    private @Nullable String firstFailure;

    /**
     * @param region that contains the values
     * @param schema of the records as the expressions read them
     * @param filter compiles the condition, or returns it; null if there is none
     * @param orders compute the columns
     */
    RecordScan(
            RegionDefinition region,
            Schema schema,
            EncodedQuery encoded,
            @Nullable Supplier<BatchFilter> filter,
            List<QueryPlan.Order> orders) {
        fingerprint = region.schema().fingerprint();
        versions = BlockVersions.of(region, schema);
        entryVersions = EntryVersions.of(region);
        this.encoded = encoded;
        this.filter = filter;
        this.orders = orders;
        stored = StoredBatches.of(schema, encoded);
        batch = stored.batch();
        columns = new long[orders.size()][];
    }

    /** Returns the fingerprint of the version of the region's schema that records are read with. */
    public final long fingerprint() {
        return fingerprint;
    }

    /** Discards the previous run, and releases its memory. */
    public void reset() {
        Arrays.fill(chunkKeys, NOTHING);
        Arrays.fill(chunk, NOTHING);
        Arrays.fill(newest, NOTHING);
        chunkSize = 0;
        stored.show(newest, 0, this::fail);
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
     * Computes more from the records in the selection. Records without a result leave the selection; then everything is
     * computed again from the remaining ones.
     */
    void fillMore(RecordBatch records, RejectSink failures) {}

    /** Scans a stored block, unless its ranges show that no record meets the condition. */
    @Override
    public void block(long key, byte[] value, BlockChecks checks) {
        Block block = versions.peek(value, checks.of(key, value));
        if (excluded(block) || !stored.show(versions.newest(block), this::fail)) {
            skippedBlocks++;
            return;
        }
        scannedBlocks++;
        scanned += block.count();
        process();
    }

    private boolean excluded(Block block) {
        for (StoredCondition test : encoded.tests()) {
            if (block.excludes(test)
                    && versions.hasRangeOf(block, test.test().field().name())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void entry(Object key, byte[] value) {
        chunkKeys[chunkSize] = key;
        chunk[chunkSize++] = value;
        if (chunkSize == CHUNK) {
            entries();
        }
    }

    private void entries() {
        for (int i = 0; i < chunkSize; i++) {
            newest[i] = entryVersions.unchecked(chunkKeys[i], chunk[i]);
        }
        stored.show(newest, chunkSize, this::fail);
        // After they were copied: the processor loads several arrays at a time for copies, but not for checksums.
        for (int i = 0; i < chunkSize; i++) {
            entryVersions.requireIntact(chunkKeys[i], chunk[i]);
        }
        scanned += chunkSize;
        process();
        chunkSize = 0;
    }

    private void process() {
        narrow();
        take(stored, columns);
    }

    /** Retains the records for which the condition holds, and fills the columns of their keys. */
    private void narrow() {
        BatchFilter condition = stored.tested() ? encoded.rest() : filter == null ? null : filter.get();
        if (condition != null) {
            condition.apply(batch, this::fail);
        }
        int before;
        do { // A key without a result removes its record, and the columns filled before no longer match.
            before = batch.selected();
            for (int k = 0; k < columns.length; k++) {
                fill(k);
            }
            fillMore(batch, this::fail);
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

    /** Counts a record that is not part of the answer because an expression or field has no result. */
    final void fail(@Nullable String why) {
        failed++;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    /** Scans the collected entries that were not scanned yet. */
    @Override
    public final void flush() {
        if (chunkSize > 0 && wanted()) {
            entries();
        }
    }

    /** Returns the counts of records scanned so far. */
    final ScanCounts counts() {
        return new ScanCounts(scanned, scannedBlocks, skippedBlocks, failed, firstFailure);
    }
}
