package io.millrace.feed;

import io.millrace.codec.RecordBatch;
import java.io.IOException;
import java.time.Duration;

/**
 * A source of records, pulled by the one thread that works its pipeline: what is not pulled is not read, so a slow
 * store slows the feed down.
 *
 * <p>Positions count bytes from the feed's beginning. A feed that can be read again from any of them is
 * <em>replayable</em>.
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
     * Goes to where reading is to begin. Called once, before the first poll.
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

    /**
     * What is left of a record that the feed ended in the middle of; empty before the end and where nothing is left.
     */
    Tail tail();

    /** Bytes that wait in the feed, not yet pulled, or -1 where that can't be known. */
    long lag();

    /** Whether a poll after a restart can begin at any earlier position and brings the same bytes. */
    boolean replayable();

    @Override
    void close() throws IOException;

    /**
     * Bytes at the end of a feed that are no whole record.
     *
     * @param position of the first of them
     * @param bytes they alone
     */
    record Tail(long position, byte[] bytes) {
        /** No bytes left. */
        public static final Tail NONE = new Tail(0, new byte[0]);
    }
}
