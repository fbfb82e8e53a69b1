package io.millrace.store.geode;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.WriterCounters;
import org.jspecify.annotations.Nullable;

/**
 * How far into a batch a writer has come: skips what its region held when it was opened, and remembers the place where
 * a put failed. Not thread-safe.
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
     * @param stored schema of what the region keeps
     * @param records schema of the batches
     * @throws IllegalArgumentException where such batches can't give what the region keeps
     */
    BatchCursor(String region, Schema stored, Schema records, WriterCounters counters) {
        this.region = region;
        this.records = records;
        this.counters = counters;
        boolean fits = stored.tagged() == null
                ? records.tagged() == null
                        && stored.recordLength() >= records.baseLength()
                        && stored.recordLength() <= records.recordLength()
                : records.tagged() != null && addedLength(stored) <= addedLength(records);
        if (!fits) {
            throw new IllegalArgumentException(
                    "region=" + region + " stores records of " + stored + ", which schema " + records + " cannot give");
        }
    }

    private static int addedLength(Schema schema) {
        return schema.recordLength() - schema.foundLength();
    }

    /**
     * Begins a term, and forgets what an earlier one had begun.
     *
     * @param position everything before it is stored already
     */
    void begin(long position) {
        storedBefore = position;
        interrupted = null;
        index = 0;
    }

    /** Whether a batch is given again because a put failed in the middle of it. */
    boolean resumes(RecordBatch batch) {
        return interrupted == batch && batch.from() == interruptedFrom && batch.selected() >= index;
    }

    /** Index in the selection from which on records are to be taken. */
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

    /** Records before this index in the selection are taken, and won't be again. */
    void taken(int upTo) {
        index = upTo;
    }

    /** The batch is taken as a whole. */
    void end() {
        interrupted = null;
    }

    /** Refuses to go on where a batch is taken in part only. */
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
