package io.millrace.store;

import io.millrace.codec.RecordBatch;

/**
 * Writes the records of one partition of one pipeline to one region. Not thread-safe: it belongs to the thread that
 * works the partition. Only its counters and {@link #covered()} may be read by others.
 *
 * <p>The order of calls is what makes a replayed feed end up in the region exactly once: batches in the order of the
 * feed; {@link #coverUpTo} after each.
 *
 * <p>Where a put fails, a {@link StoreException} is thrown and nothing is lost or doubled: the same call may be made
 * again and goes on where it stopped. A {@link SupersededException} ends the term: nothing but {@link #open} with a new
 * term is of use then.
 */
public interface RegionWriter {

    /**
     * Begins a term: forgets what was pending, and reads from the region how far it is covered.
     *
     * @param term under which everything is written until the next one begins
     * @param committed position up to which the region is known to be covered, such as by a {@link Commit}; 0 where
     *     nothing is known
     * @throws StoreException where the region does not answer: call again
     */
    void open(Term term, long committed);

    /**
     * Position up to which, exclusive, the region holds all that was offered to it: right after {@linkplain #open
     * opening} what it held before, 0 if nothing is known; later raised by puts. A feed that starts again may start
     * here, or earlier.
     */
    long covered();

    /**
     * Takes the records in the batch's selection, which stays as it is. Records that lie before {@link #covered()} as
     * it was at opening are stored already and only counted.
     *
     * <p>Allocates the values that are stored, nothing else per record.
     *
     * @throws StoreException where a put fails: call again with the same batch before any other
     * @throws IllegalStateException where another batch comes after a put failed
     */
    void append(RecordBatch batch);

    /**
     * Tells that every record before this position that is meant for the region has been offered.
     *
     * @param position at a batch's end, or {@link RecordBatch#NO_POSITION} where the feed has none
     * @throws IllegalStateException where a put failed in the middle of a batch that was not appended again
     */
    void coverUpTo(long position);

    /**
     * Stores what is pending. After that the region covers the feed up to the position last given; that position itself
     * is not stored, unless in the blocks: a {@link Commit} is.
     *
     * @throws StoreException where a put fails: call again
     */
    void flush();

    /**
     * Stores records behind the position that is covered, which the feed will bring again, such as one that it ends in
     * the middle of. They replace those of an earlier call; {@link #open} removes them. As many are stored as one block
     * takes.
     *
     * @throws StoreException where a put fails: call again
     * @throws UnsupportedOperationException if the region is not of blocks
     */
    void putProvisional(RecordBatch batch);

    WriterCounters counters();
}
