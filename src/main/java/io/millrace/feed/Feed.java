package io.millrace.feed;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A source of records, or a {@linkplain Split split} of it, polled by one thread at a time. A feed reads only what is
 * polled, so a slow store slows the feed down.
 *
 * <p>Positions increase along the feed, from 0 on. They count bytes of a file, or records and {@linkplain Piece
 * pieces}. A feed that can be read again from any position is <em>replayable</em>. A feed that is not replayable has no
 * positions; it may acknowledge records to their senders once they are stored.
 *
 * <p>If a method throws an {@link IOException}, the feed is closed, and opened again after a pause, for a replayable
 * feed at the end of the last batch. The pipeline fails at once if the exception is a {@link FeedChangedException}, an
 * {@link java.io.EOFException} or a {@link io.millrace.codec.ContentException}.
 */
@API(status = API.Status.STABLE)
public interface Feed extends AutoCloseable {

    /** The result of a poll. */
    enum Poll {
        /** The batch contains at least one record. */
        RECORDS,
        /**
         * No record arrived, but {@linkplain #takePiece pieces}. The batch has no record; it covers the positions of
         * the pieces, which are stored although no record follows them.
         */
        PIECES,
        /** No record arrived within the time limit; the batch is unchanged. */
        NOTHING_YET,
        /**
         * The feed has no further records until it is opened again; the batch is unchanged. {@link FeedDefinition#end}
         * decides whether records may follow then.
         */
        END;

        /** Returns whether the batch covers a part of the feed. */
        public boolean covers() {
            return this == RECORDS || this == PIECES;
        }
    }

    /**
     * Opens the feed at a position. Called before the first poll, and again after {@link #close}.
     *
     * @param position first byte of a record, or the end of the feed
     * @throws java.io.EOFException if the feed ends before the position
     * @throws IOException if the source cannot be read
     */
    void open(long position) throws IOException;

    /**
     * Sets the batch to the records that have arrived. The feed owns the bytes: they are valid until the next poll.
     *
     * @param maxWait maximum time to wait for the first record
     */
    Poll poll(RecordBatch batch, Duration maxWait) throws IOException;

    /**
     * Ends the wait of the poll that waits for a record, or otherwise that of the next poll, so that the pipeline
     * notices a request. Calls that no poll has noticed count as one.
     *
     * <p>Any thread may call it at any time. While the feed is closed, a call may do nothing, so what ends a wait, such
     * as a selector, may exist from {@link #open} to {@link #close} only: the pipeline calls this method again after it
     * has opened the feed for the first time, and later notices a request within a second.
     *
     * @return whether the feed can end a wait; if not, each poll waits for a short time only. The same for each call
     */
    default boolean wake() {
        return false;
    }

    /**
     * Removes and returns the next piece that polls found, oldest first; null if there is none. Called after each poll.
     */
    default @Nullable Piece takePiece() {
        return null;
    }

    /**
     * Returns whether senders wait for a confirmation that records are {@linkplain #stored() stored}. The pipeline then
     * stores records as soon as no more have arrived or the latency limit is reached, not only when a block is full.
     */
    default boolean answers() {
        return false;
    }

    /**
     * Called when all records polled so far are stored in their regions, dropped, or stored as rejects. Not called
     * while the store fails, nor is {@link #poll}. Called by the polling thread; must return quickly.
     */
    default void stored() {
        // most feeds confirm nothing
    }

    /**
     * Returns the feed's counters in addition to its records, by the names under which they are shown; the map never
     * changes.
     */
    default Map<String, Counter> counts() {
        return Map.of();
    }

    /** Returns the metrics of the feed in addition to {@link #counts()}; the list never changes. */
    default List<FeedMeter> meters() {
        return List.of();
    }

    /** Returns the control of the feed's rate; null if the feed does not determine it. */
    default @Nullable Player player() {
        return null;
    }

    /**
     * Returns the number of bytes that wait to be polled, or -1 if it is unknown; for generated records of variable
     * length, the number of records.
     */
    long lag();

    /**
     * Returns how many milliseconds ago the first record that waits to be polled was sent: 0 if none waits, -1 if it is
     * unknown.
     */
    default long age() {
        return -1;
    }

    /**
     * Returns how much of the split that the feed reads is before a position, in the units of positions: less than the
     * position if other splits have some of that.
     */
    default long taken(long position) {
        return position;
    }

    /**
     * Returns the position at which the whole source ended, with all splits, when a poll found that this one has
     * {@linkplain Poll#END no further records}: equal for all splits that have read the same source to its end. 0 if
     * the source can't grow, or its length is unknown.
     */
    default long extent() {
        return 0;
    }

    /**
     * Returns whether the feed can be opened at an earlier position after a restart and then returns the same bytes.
     */
    boolean replayable();

    /**
     * Returns whether the source may be read in more splits than before: each of its splits has the same records
     * whatever the number of the others is.
     */
    default boolean addsSplits() {
        return false;
    }

    /**
     * Returns whether the source does not have the split that the feed reads, or not yet. Other partitions then do not
     * wait for it.
     */
    default boolean absent() {
        return false;
    }

    /**
     * Returns a one-line text that identifies the feed's source by what was read of it, so that {@link #verify} can
     * detect another source after a restart. Empty if the feed has no positions. Called before each commit; if it
     * fails, nothing is committed.
     *
     * @param position up to which records are committed: where the feed was opened, or the end of one of the last two
     *     batches
     * @throws FeedChangedException if the source no longer contains what was read
     * @throws IOException if the source cannot be identified
     */
    default String identity(long position) throws IOException {
        return "";
    }

    /**
     * Verifies, before the feed is opened, that its source is the one read before.
     *
     * @param identity returned by {@link #identity} at that time
     * @throws FeedChangedException if it is another source
     * @throws IOException if the source cannot be identified
     */
    default void verify(String identity) throws IOException {
        // a feed without positions need not be verified
    }

    @Override
    void close() throws IOException;

    /**
     * Bytes that are not a record, such as those at the end of a file or of a lost connection.
     *
     * @param position of the bytes in the feed, or {@link RecordBatch#NO_POSITION}
     * @param bytes the bytes alone
     * @param reason why they are not a record: incomplete ones are {@link RejectReason.Kind#TRUNCATED}, others
     *     {@link RejectReason.Kind#INVALID_VALUE}
     */
    record Piece(long position, byte[] bytes, RejectReason reason) {

        /** Creates a piece of a record that is incomplete. */
        public static Piece incomplete(long position, byte[] bytes, String detail) {
            return new Piece(position, bytes, new RejectReason(RejectReason.Kind.TRUNCATED, detail));
        }

        /** Returns the message of the reason. */
        public String detail() {
            return reason.detail();
        }
    }
}
