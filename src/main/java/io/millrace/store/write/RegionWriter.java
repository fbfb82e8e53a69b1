package io.millrace.store.write;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

/**
 * Writes the records of one partition of one pipeline to one region. Not thread-safe: it belongs to the thread that
 * runs the partition. Other threads may read only its counters and {@link #covered()}.
 *
 * <p>The order of calls ensures that a replayed feed is stored in the region exactly once: batches in the order of the
 * feed; {@link #advance} after each.
 *
 * <p>If a put fails, a method throws a {@link io.millrace.store.error.StoreException}, and nothing is lost or
 * duplicated: the same call may be repeated and continues where it stopped. A
 * {@link io.millrace.store.error.SupersededException} ends the term: only {@link #open} with a new term may be called
 * then.
 */
public interface RegionWriter {

    /**
     * Begins a term: discards pending records, and reads from the region how far it is covered.
     *
     * @param term under which everything is written until the next one begins
     * @param committed position up to which the region is known to be covered, for example by a {@link Commit}; 0 if
     *     unknown
     * @throws io.millrace.store.error.StoreException if the region does not answer: call again
     */
    void open(Term term, long committed);

    /**
     * Has each {@link #open} from now on discard the records from a position on, which the feed delivers again. The
     * commit that it receives must not be behind that position. Entries, which contain no position, are replaced by
     * those that arrive again under their keys.
     *
     * @param position at which the region had everything before it, and {@linkplain #atBlockEnd no block} contains
     *     records from before and after it; {@link Long#MAX_VALUE} to discard nothing
     */
    default void discardFrom(long position) {}

    /**
     * Returns the position up to which, exclusive, the region contains everything that was offered to it: right after
     * {@linkplain #open opening}, what it contained before, 0 if unknown; later raised by puts. A feed that restarts
     * may start here, or earlier.
     */
    long covered();

    /**
     * Returns the position up to which the region may contain records, some or all: at least {@link #covered()}. Behind
     * the last commit, these records were stored by the version of the rules in the commit.
     */
    default long storedUpTo() {
        return covered();
    }

    /**
     * Takes the records in the batch's selection, which stays unchanged. Records before the value of {@link #covered()}
     * at opening are already stored and only counted.
     *
     * <p>Allocates the values that are stored, nothing else per record.
     *
     * @throws io.millrace.store.error.StoreException if a put fails: call again with the same batch before any other
     * @throws IllegalStateException if another batch is appended after a put failed
     */
    void append(RecordBatch batch);

    /**
     * Marks every record before this position that is meant for the region as offered.
     *
     * @param position at a batch's end, or {@link RecordBatch#NO_POSITION} if the feed has none
     * @throws IllegalStateException if a put failed in the middle of a batch that was not appended again
     */
    void advance(long position);

    /**
     * Stores pending records. After that, the region covers the feed up to the last position given. Only blocks contain
     * that position itself; otherwise a {@link Commit} stores it.
     *
     * @throws io.millrace.store.error.StoreException if a put fails: call again
     */
    void flush();

    /**
     * Ends the block to which later records would be added: they begin a new one. Everything must be flushed. Has no
     * effect on a region of entries.
     */
    default void endBlock() {}

    /**
     * Returns whether later records begin a new block: then no block contains records from before and after the
     * {@linkplain #covered() covered} position, and {@link #discardFrom} may be called with it. Everything must be
     * flushed.
     */
    default boolean atBlockEnd() {
        return true;
    }

    /**
     * Stores records behind the covered position, which the feed delivers again, such as an incomplete one at its end.
     * They replace those of an earlier call; {@link #open} removes them. At most one block of records is stored.
     *
     * @throws io.millrace.store.error.StoreException if a put fails: call again
     * @throws UnsupportedOperationException if the region is not of blocks
     */
    void putProvisional(RecordBatch batch);

    /**
     * Compiles what the writer needs for batches of another schema. Any thread may call this, at any time.
     *
     * @param records schema of the batches
     * @return the switch to these batches, for the writer's thread: after a flush, or before {@link #open}, since
     *     pending records are discarded; it can't fail
     * @throws IllegalArgumentException if batches of this schema do not contain what the region stores
     * @throws io.millrace.expression.error.ExpressionException if the region's condition to remove can't be evaluated
     *     on them
     */
    Runnable prepare(Schema records);

    WriterCounters counters();

    /** Ends the term: releases what it uses, until the next {@link #open}. */
    default void close() {}
}
