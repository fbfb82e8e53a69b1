package io.millrace.store.write;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForms;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a writer in its term: the position of the feed up to which the region covers it, the position that
 * the writer has reached, and the index in a batch at which it continues after a failed put. Skips the records that the
 * region already held when the term began. Not thread-safe; any thread may read the covered position.
 */
public final class Checkpoint {

    private final String region;
    private final Schema stored;
    private Schema records;
    private final WriterCounters counters;
    private final Counter covered = new Counter();
    private @Nullable Term term;
    private long reached;
    /** Whether a position was reached in this term or before. */
    private boolean positioned;

    private long storedBefore;
    private @Nullable RecordBatch interrupted;
    private long interruptedFrom;
    private int index;

    /**
     * Creates the progress of a writer that is not open.
     *
     * @param stored schema of the records in the region
     * @param records schema of the batches
     * @throws IllegalArgumentException if batches of this schema do not contain what the region stores
     */
    public Checkpoint(String region, Schema stored, Schema records, WriterCounters counters) {
        this.region = region;
        this.stored = stored;
        this.records = records;
        this.counters = counters;
        requireStorable(records);
    }

    /**
     * Requires that batches of a schema contain what the region stores.
     *
     * @throws IllegalArgumentException if they do not
     */
    public void requireStorable(Schema batches) {
        if (!StoredForms.of(stored).canStore(batches)) {
            throw new IllegalArgumentException("Region '" + region + "' can't store records of schema '" + batches
                    + "'. Use records of schema '" + stored + "'.");
        }
    }

    /** Takes batches of another schema from now on. */
    public void expect(Schema batches) {
        records = batches;
    }

    /**
     * Begins a term and discards the progress of an earlier one.
     *
     * @param position all records before it are already stored
     */
    public void begin(Term begun, long position) {
        reached = position;
        positioned = position > 0;
        covered.set(position);
        storedBefore = position;
        interrupted = null;
        index = 0;
        term = begun;
    }

    /** Ends the term; the positions stay. */
    public void endTerm() {
        term = null;
    }

    /**
     * Returns the current term.
     *
     * @throws IllegalStateException if there is none
     */
    public Term term() {
        Term current = term;
        if (current == null) {
            throw new IllegalStateException("The writer of region '" + region + "' is not open.");
        }
        return current;
    }

    /** Returns the position up to which the region covers the feed, which puts in flight raise. */
    public Counter covered() {
        return covered;
    }

    /** Returns the position up to which records were taken or covered. */
    public long reached() {
        return reached;
    }

    /** Returns whether the feed has positions, as far as the writer knows. */
    public boolean positioned() {
        return positioned;
    }

    /**
     * Raises the reached position. Records without a position, which may arrive in addition to the feed, leave it
     * unchanged.
     */
    public void reach(long position) {
        reached = Math.max(reached, position);
        positioned |= position != RecordBatch.NO_POSITION;
    }

    /**
     * Raises the reached position between batches.
     *
     * @throws IllegalStateException if a batch has been taken only in part
     */
    public void advance(long position) {
        if (interrupted != null) {
            throw unfinished();
        }
        reach(position);
    }

    /** Marks everything up to the reached position as stored. */
    public void stored() {
        covered.set(Math.max(covered.get(), reached));
    }

    /** Returns whether a batch is appended again because a put failed in the middle of it. */
    public boolean resumes(RecordBatch batch) {
        return interrupted == batch && batch.from() == interruptedFrom && batch.selected() >= index;
    }

    /** Returns the index in the selection of the first record to take. */
    public int begin(RecordBatch batch) {
        if (resumes(batch)) {
            return index;
        }
        if (interrupted != null) {
            throw unfinished();
        }
        if (batch.schema() != records) {
            throw new IllegalArgumentException("Invalid batch for region '" + region + "': schema '" + batch.schema()
                    + "'. This writer stores batches of schema '" + records + "'.");
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
    public void taken(int upTo) {
        index = upTo;
    }

    /** Marks the whole batch as taken. */
    public void end() {
        interrupted = null;
    }

    private IllegalStateException unfinished() {
        return new IllegalStateException("A put to region '" + region
                + "' failed in the middle of a batch. Append that batch again before any other.");
    }
}
