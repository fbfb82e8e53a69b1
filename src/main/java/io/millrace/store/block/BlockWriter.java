package io.millrace.store.block;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.FixedForm;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForms;
import io.millrace.store.region.VariedForm;

/** Builds {@linkplain Block blocks} from the records of batches. Not thread-safe. */
public interface BlockWriter {

    /**
     * Returns a writer of blocks in the encoding that fits the records.
     *
     * @param region that the blocks are for
     * @param records schema of the batches; if records vary in length, possibly with fewer fields in their rows. The
     *     header contains the ranges of key and time if these fields are present
     * @throws IllegalArgumentException if the region can't store such records
     */
    static BlockWriter of(RegionDefinition region, Schema records) {
        return switch (StoredForms.of(records)) {
            case FixedForm _ ->
                region.encoding() == BlockEncoding.COLUMNS
                        ? new ColumnBlockWriter(region.schema(), region.rangeField(), region.fullBlockRecords())
                        : new RowBlockWriter(region.schema(), region.rangeField(), region.fullBlockRecords());
            case VariedForm _ ->
                new VariedBlockWriter(region, records, region.blockRecords(), RegionDefinition.MAX_VARIED_BLOCK_BYTES);
        };
    }

    /**
     * Returns a writer whose block is not full before it contains all records of a batch.
     *
     * @param region that the block is for
     */
    static BlockWriter ofWhole(RegionDefinition region, RecordBatch batch) {
        int capacity = Math.max(1, batch.selected());
        return switch (StoredForms.of(batch.schema())) {
            case FixedForm _ ->
                region.encoding() == BlockEncoding.COLUMNS
                        ? new ColumnBlockWriter(region.schema(), region.rangeField(), capacity)
                        : new RowBlockWriter(region.schema(), region.rangeField(), capacity);
            case VariedForm _ -> new VariedBlockWriter(region, batch.schema(), capacity, Integer.MAX_VALUE);
        };
    }

    /** Returns the number of records in the block so far. */
    int count();

    /** Returns whether the block accepts no more records. */
    boolean full();

    /**
     * Copies selected records, in order, until the block is full or all are copied. An empty block accepts at least
     * one. Records with the same position come into the same block, which can become longer than a full one.
     *
     * @param firstIndex index in the batch's selection at which to start
     * @return index in the selection past the last record that was copied
     */
    int append(RecordBatch batch, int firstIndex);

    /**
     * Returns the index in the selection past the records to copy: as many as the block has capacity for, and those
     * after them that have the same position as the last one.
     */
    static int boundary(RecordBatch batch, int firstIndex, int capacity) {
        int[] selection = batch.selection();
        int end = Math.min(firstIndex + Math.max(capacity, 0), batch.selected());
        while (end > firstIndex && end < batch.selected() && batch.samePosition(selection[end - 1], selection[end])) {
            end++;
        }
        return end;
    }

    /**
     * Returns the block as a value to store. Nothing changes until {@link #clear()}: sealing again returns the same
     * bytes, so that a failed put can be retried.
     *
     * @param from position from which on the block covers its feed, or {@code NO_POSITION}
     * @param to position up to which it does, or {@code NO_POSITION}
     */
    byte[] seal(long from, long to);

    /** Starts the next block, after the sealed one was stored. */
    void clear();
}
