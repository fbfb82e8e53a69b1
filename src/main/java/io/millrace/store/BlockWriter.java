package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

/** Builds {@linkplain Block blocks} of the records of batches. Not thread-safe. */
public interface BlockWriter {

    /**
     * A writer of blocks in the encoding that suits the records.
     *
     * @param region that the blocks are for
     * @param records what the batches hold; of the tagged layout perhaps with fewer fields in their rows. Of key and
     *     time, the header tells the range of those that are there
     * @throws IllegalArgumentException where the region can't keep such records
     */
    static BlockWriter of(RegionDefinition region, Schema records) {
        if (records.tagged() != null) {
            return new VariedBlockWriter(region, records);
        }
        return region.encoding() == BlockEncoding.COLUMNS
                ? new ColumnBlockWriter(region.schema(), region.rangeField(), region.blockRecords())
                : new RowBlockWriter(region.schema(), region.rangeField(), region.blockRecords());
    }

    /** Records in the block so far. */
    int count();

    /** Whether the block takes no more records. */
    boolean full();

    /**
     * Copies selected records, in order, until the block is full or all are in. A block of no records takes one at
     * least.
     *
     * @param firstIndex where in the batch's selection to start
     * @return index in the selection past the last record that was copied
     */
    int append(RecordBatch batch, int firstIndex);

    /**
     * The block as a value to be stored. Nothing changes until {@link #clear()}: sealing again gives the same bytes, so
     * that a put that failed can be tried again.
     *
     * @param from position from which on the block covers its feed, or {@code NO_POSITION}
     * @param to position up to which it does, or {@code NO_POSITION}
     */
    byte[] seal(long from, long to);

    /** Starts the next block, after the sealed one was stored. */
    void clear();
}
