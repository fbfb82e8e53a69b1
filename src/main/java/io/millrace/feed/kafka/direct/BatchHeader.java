package io.millrace.feed.kafka.direct;

import io.millrace.codec.RawBytes;
import org.apache.kafka.common.record.RecordBatch;

/**
 * The numbers at the beginning of a batch of messages (Kafka's documentation, "Record Batch"), big-endian:
 *
 * <pre>
 *  0  base offset, 8 bytes        23  last offset - base offset, 4
 *  8  length of what follows, 4   27  first and last time, 8 each
 * 12  epoch of the leader, 4      43  ID of the producer, 8; -1 for none
 * 16  version, 1: always 2        51  epoch of the producer, 2; first number, 4
 * 17  CRC-32C of what follows, 4  57  number of messages, 4
 * 21  attributes, 2               61  messages, compressed as attributes say
 * </pre>
 *
 * <p>Every method takes an array and the index at which the batch begins in it.
 */
final class BatchHeader {

    /** Number of bytes before the messages. */
    static final int LENGTH = 61;
    /** Index of the first byte that the checksum covers. */
    static final int CHECKED_FROM = 21;
    /** Index of the first byte that the length covers. */
    private static final int LENGTH_COVERS_FROM = 12;

    private static final int VERSION = 16;
    private static final int ATTRIBUTES = 21;
    private static final int COMPRESSION = 7;
    private static final int LOG_APPEND_TIME = 1 << 3;
    private static final int TRANSACTIONAL = 1 << 4;
    private static final int CONTROL = 1 << 5;

    private BatchHeader() {}

    /** Returns whether a batch is there as a whole, as far as its length says. */
    static boolean isWhole(byte[] bytes, int batch, int limit) {
        return limit - batch >= LENGTH_COVERS_FROM
                && RawBytes.getInt(bytes, batch + 8) <= limit - batch - LENGTH_COVERS_FROM;
    }

    /** Returns the number of bytes of a batch; less than {@link #LENGTH} for what is not one. */
    static int size(byte[] bytes, int batch) {
        return LENGTH_COVERS_FROM + RawBytes.getInt(bytes, batch + 8);
    }

    /** Returns whether a batch with a version has the form that is described here. */
    static boolean isValid(byte[] bytes, int batch) {
        return size(bytes, batch) >= LENGTH && bytes[batch + VERSION] == RecordBatch.MAGIC_VALUE_V2;
    }

    /** Returns whether a batch has the form that Kafka wrote before 0.11. */
    static boolean isOld(byte[] bytes, int batch) {
        return size(bytes, batch) > VERSION && bytes[batch + VERSION] < RecordBatch.MAGIC_VALUE_V2;
    }

    static long baseOffset(byte[] bytes, int batch) {
        return RawBytes.getLong(bytes, batch);
    }

    /** Returns the offset behind a batch, which is not larger than its base offset if the batch is corrupt. */
    static long endOffset(byte[] bytes, int batch) {
        return baseOffset(bytes, batch) + RawBytes.getInt(bytes, batch + 23) + 1;
    }

    static int leaderEpoch(byte[] bytes, int batch) {
        return RawBytes.getInt(bytes, batch + 12);
    }

    static int checksum(byte[] bytes, int batch) {
        return RawBytes.getInt(bytes, batch + 17);
    }

    /** Returns the number of the compression; 0 for none. */
    static int compression(byte[] bytes, int batch) {
        return RawBytes.getShort(bytes, batch + ATTRIBUTES) & COMPRESSION;
    }

    static boolean isTransactional(byte[] bytes, int batch) {
        return (RawBytes.getShort(bytes, batch + ATTRIBUTES) & TRANSACTIONAL) != 0;
    }

    /** Returns whether all messages have the time at which the broker has received them, the last time of the batch. */
    static boolean hasAppendTime(byte[] bytes, int batch) {
        return (RawBytes.getShort(bytes, batch + ATTRIBUTES) & LOG_APPEND_TIME) != 0;
    }

    /** Returns the timestamp to which those of messages refer. */
    static long firstTime(byte[] bytes, int batch) {
        return RawBytes.getLong(bytes, batch + 27);
    }

    static long lastTime(byte[] bytes, int batch) {
        return RawBytes.getLong(bytes, batch + 35);
    }

    /** Returns whether a batch contains markers of transactions instead of messages. */
    static boolean isControl(byte[] bytes, int batch) {
        return (RawBytes.getShort(bytes, batch + ATTRIBUTES) & CONTROL) != 0;
    }

    /** Returns the ID of the producer; negative if it has none. */
    static long producer(byte[] bytes, int batch) {
        return RawBytes.getLong(bytes, batch + 43);
    }

    /** Returns the number of messages, which is negative if the batch is corrupt. */
    static int count(byte[] bytes, int batch) {
        return RawBytes.getInt(bytes, batch + 57);
    }
}
