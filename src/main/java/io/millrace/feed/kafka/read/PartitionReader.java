package io.millrace.feed.kafka.read;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.header.Header;

/**
 * The messages of a partition of a Kafka topic, one after the other, in the order of their offsets. Those of
 * transactions that were aborted are left out, unless the reader reads uncommitted messages. Every method may throw a
 * {@link org.apache.kafka.common.KafkaException}. Not thread-safe, except for {@link #wake()}.
 */
public interface PartitionReader extends AutoCloseable {

    /** Returns whether a message has been fetched and not taken: the next one, which the other methods describe. */
    boolean peek();

    /** Takes the next message. */
    void take();

    /** Returns the offset of the next message. */
    long offset();

    /**
     * Returns an array that contains the value of the next message. It is valid until the message is taken, and must
     * not be changed.
     */
    byte[] bytes();

    /** Returns the index of the first byte of the value in {@link #bytes()}. */
    int start();

    /** Returns the number of bytes of the value; -1 for a message without a value. */
    int length();

    /** Returns the timestamp of the next message, in milliseconds since 1970-01-01T00:00Z; -1 if it has none. */
    long timestamp();

    /** Sets a slice to the key of the next message. */
    void key(Slice key);

    /**
     * Sets a slice to the value of a header of the next message: the last one of this name.
     *
     * @param name in UTF-8
     */
    void header(byte[] name, Slice value);

    /** Returns copies of all headers of the next message. */
    List<Header> headers();

    /**
     * Returns the offset at which reading continues: that of the next message if it has been fetched, otherwise that
     * behind the last message and the markers of transactions that follow it.
     */
    long position();

    /**
     * Returns the epoch of the leader that belongs to {@link #position()}: if the broker has no other messages before
     * the position than were read, those of this epoch do not end before it (KIP-320). -1 if it is not known.
     */
    int epoch();

    /** Returns the number of messages that the broker has and that were not taken, as far as it is known. */
    long lag();

    /**
     * Returns the number of messages that the broker has, but that can't be read until a transaction before them has
     * ended; 0 if it is not known.
     */
    long heldBack();

    /**
     * Fetches further messages. Must be called only if all have been taken.
     *
     * @param maxWait maximum time to wait for the first one
     * @return whether a broker can be reached, or could be a short time ago
     */
    boolean fetch(Duration maxWait);

    /** Ends the wait of the fetch that waits, or that of the next one. Any thread may call it. */
    void wake();

    /** Closes what the reader has opened. */
    @Override
    void close();
}
