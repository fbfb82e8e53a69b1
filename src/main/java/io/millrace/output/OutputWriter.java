package io.millrace.output;

import io.millrace.codec.RecordBatch;
import java.io.IOException;
import org.apiguardian.api.API;

/**
 * Writes the records of one partition of a pipeline to an output.
 *
 * <p>After a crash, the feed delivers some records again. An output that stores the position of {@link #flush} together
 * with the records, so that either both are stored or neither, and returns it from {@link #open}, has each record
 * exactly once. One that can't returns 0, and may have records twice.
 *
 * <p>If a method throws an {@link IOException}, the pipeline waits and calls it again with the same arguments. Any
 * other exception fails the pipeline.
 *
 * <p>Not thread-safe: one thread at a time calls it. It must not wait for long, because the pipeline reads nothing
 * while it does.
 */
@API(status = API.Status.STABLE)
public interface OutputWriter {

    /**
     * Begins a term: discards what was appended but not flushed, and finds out how far the output contains the feed.
     *
     * @param epoch number of the term, larger than those of all earlier terms of the partition. An output that can
     *     compare it refuses what a process with a smaller one writes later, because that process was replaced
     * @param discardFrom position from which on the output has to discard its records, because the feed delivers them
     *     again and other rules may apply to them; {@link Long#MAX_VALUE} to discard nothing
     * @return the position of the last flush, at most {@code discardFrom}; 0 if it is unknown
     * @throws IllegalStateException if the output can't continue, or can't discard these records
     */
    long open(long epoch, long discardFrom) throws IOException;

    /**
     * Takes the selected records of a batch, which stays unchanged and is valid during the call only. None of them has
     * been stored before. Takes all of them, or throws an exception and takes none. A record that the output can't hold
     * goes to {@link OutputContext#rejects}.
     */
    void append(RecordBatch batch) throws IOException;

    /**
     * Returns whether what was appended and not flushed takes so much memory that it should be flushed before the next
     * batch. Otherwise, it is flushed after {@code millrace.flush}.
     */
    default boolean isFull() {
        return false;
    }

    /**
     * Stores everything that was appended.
     *
     * @param position position in the feed up to which, exclusive, the output then has received everything; 0 for a
     *     feed without positions. The same one comes again with more records if these have no position: those of a feed
     *     without positions, and messages that an application sends to the pipeline. Of the rows and alerts of a
     *     measure, it is the number of their bytes so far
     */
    void flush(long position) throws IOException;

    /** Ends the term: releases what it uses. What was not flushed is lost. May be called more than once. */
    default void close() throws IOException {
        // uses nothing
    }
}
