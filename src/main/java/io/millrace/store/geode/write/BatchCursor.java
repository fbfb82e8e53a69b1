package io.millrace.store.geode.write;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
import io.millrace.store.write.WriterCounters;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a writer through a batch: skips the records that its region already held when it was opened, and
 * stores the index at which a put failed. Not thread-safe.
 */
final class BatchCursor {

    private final String region;
    private final Schema records;
    private long storedBefore;
    private final WriterCounters counters;
    private @Nullable RecordBatch interrupted;
    private long interruptedFrom;
    private int index;

    /**
     * @param stored schema of the records in the region
     * @param records schema of the batches
     * @throws IllegalArgumentException if batches of this schema do not contain what the region stores
     */
    BatchCursor(String region, Schema stored, Schema records, WriterCounters counters) {
        this.region = region;
        this.records = records;
        this.counters = counters;
        if (!StoredForm.of(stored).canStore(records)) {
            throw new IllegalArgumentException("region=" + region + " stores records of " + stored
                    + ", into which records of schema " + records + " can't be converted");
        }
    }

    /**
     * Begins a term and discards the progress of an earlier one.
     *
     * @param position all records before it are already stored
     */
    void begin(long position) {
        storedBefore = position;
        interrupted = null;
        index = 0;
    }

    /** Returns whether a batch is appended again because a put failed in the middle of it. */
    boolean resumes(RecordBatch batch) {
        return interrupted == batch && batch.from() == interruptedFrom && batch.selected() >= index;
    }

    /** Returns the index in the selection of the first record to take. */
    int begin(RecordBatch batch) {
        if (resumes(batch)) {
            return index;
        }
        if (interrupted != null) {
            throw unfinished();
        }
        if (batch.schema() != records) {
            throw new IllegalArgumentException("region=" + region + " is written batches of schema " + records
                    + " by this writer, not of " + batch.schema());
        }
        interrupted = batch;
        interruptedFrom = batch.from();
        index = 0;
        if (batch.from() != RecordBatch.NO_POSITION && batch.from() < storedBefore) {
            int[] selection = batch.selection();
            while (index < batch.selected() && batch.position(selection[index]) < storedBefore) {
                index++;
            }
            counters.alreadyStored().add(index);
            counters.kept().add(index);
        }
        return index;
    }

    /** Marks the records before this index in the selection as taken, so that they are not taken again. */
    void taken(int upTo) {
        index = upTo;
    }

    /** Marks the whole batch as taken. */
    void end() {
        interrupted = null;
    }

    /** Throws an exception if a batch has been taken only in part. */
    void requireEnded() {
        if (interrupted != null) {
            throw unfinished();
        }
    }

    private IllegalStateException unfinished() {
        return new IllegalStateException("region=" + region
                + " a put failed in the middle of a batch: append that batch again before any other");
    }
}
