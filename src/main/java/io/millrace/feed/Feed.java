package io.millrace.feed;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source of records, pulled by the one thread that works its pipeline: what is not pulled is not read, so a slow
 * store slows the feed down.
 *
 * <p>Positions grow along the feed from 0 on. Where records all have one length they count bytes, else what should be
 * records: these and {@linkplain Piece pieces}. A feed that can be read again from any of them is <em>replayable</em>;
 * one that can't has no positions, and may answer the senders of its records once they are stored.
 */
public interface Feed extends AutoCloseable {

    /** What a poll brought. */
    enum Poll {
        /** The batch holds at least one record. */
        RECORDS,
        /** Nothing has arrived within the time given; the batch is as it was. */
        NOTHING_YET,
        /** No more records will come; the batch is as it was. */
        END
    }

    /**
     * Goes to where reading is to begin. Called before the first poll; of a replayable feed also again after
     * {@link #close}.
     *
     * @param position a record's first byte, or the end of the feed
     * @throws IOException also where the feed is shorter than that
     */
    void open(long position) throws IOException;

    /**
     * Fills the batch with the records that have arrived. The bytes belong to the feed: they are good until the next
     * poll.
     *
     * @param maxWait how long to wait for the first record
     */
    Poll poll(RecordBatch batch, Duration maxWait) throws IOException;

    /** Takes the next piece that polls came upon, oldest first; null where none is left. Asked after each poll. */
    default @Nullable Piece takePiece() {
        return null;
    }

    /**
     * Whether a sender waits for a confirmation that records are {@linkplain #stored() stored}: then they are stored as
     * soon as no more have arrived, or the latency bound is over, and not only when a block is full.
     */
    default boolean answers() {
        return false;
    }

    /**
     * Told when all that polls brought so far is in its regions, or dropped, or kept as a reject. Not called while the
     * store fails, nor are polls. Called by the thread that polls; returns soon.
     */
    default void stored() {
        // most feeds have nobody to tell
    }

    /** What the feed counts in addition to its records, by the names that are shown; the map never changes. */
    default Map<String, Counter> counts() {
        return Map.of();
    }

    /** What sets how fast records come; null where that is not the feed's to say. */
    default @Nullable Player player() {
        return null;
    }

    /**
     * Bytes that wait in the feed, not yet pulled, or -1 where that can't be known; records where they are made up and
     * of no common length.
     */
    long lag();

    /** Whether a poll after a restart can begin at any earlier position and brings the same bytes. */
    boolean replayable();

    /**
     * Identifies the feed's source, in one line, so that {@link #verify} can detect another source after a restart.
     * Empty where the feed has no positions.
     *
     * @param position up to which it has been read
     * @throws IOException where that can't be found out
     */
    default String identity(long position) throws IOException {
        return "";
    }

    /**
     * Makes sure, before the feed is opened, that it is the one that was read before.
     *
     * @param identity what {@link #identity} returned then
     * @throws FeedChangedException where it is another one
     * @throws IOException where that can't be found out
     */
    default void verify(String identity) throws IOException {
        // a feed without positions begins anywhere
    }

    @Override
    void close() throws IOException;

    /**
     * Bytes that are no whole record, such as those before the end of a file or of a connection that was cut.
     *
     * @param position of them in the feed, or {@link RecordBatch#NO_POSITION}
     * @param bytes they alone
     * @param detail why they are no record
     */
    record Piece(long position, byte[] bytes, String detail) {}
}
