package io.millrace.feed.kafka.direct;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages in the response of a broker. Batches of messages have this form (Kafka's documentation, "Record Batch"):
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
 * <p>A message is its length, attributes (1 byte), time, offset - base offset, length of the key and key, length of the
 * value and value, and headers. Lengths, time and offset are varints in zigzag encoding.
 *
 * <p>Values are read where the response has them, or, if they are compressed, in a window that is as long as the
 * longest message. Reused for each response. Allocates some objects for each compressed batch, nothing for others. Not
 * thread-safe.
 */
final class RecordCursor implements AutoCloseable {

    private static final int HEAD = 12;
    private static final int EPOCH = 12;
    private static final int VERSION = 16;
    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;
    private static final int LAST_DELTA = 23;
    private static final int PRODUCER = 43;
    private static final int COUNT = 57;
    private static final int MESSAGES = 61;

    private static final int COMPRESSION = 7;
    private static final int TRANSACTIONAL = 1 << 4;
    private static final int CONTROL = 1 << 5;
    /** Type of the marker of an aborted transaction, in the key of its message behind a version. */
    private static final int ABORT = 0;

    private static final int WINDOW = 64 << 10;
    private static final int MAX_WINDOW = 1 << 30;
    private static final byte[] NONE = {};

    private final boolean committedOnly;
    private final boolean checksCrc;
    private final CRC32C crc = new CRC32C();
    private final BufferSupplier buffers = BufferSupplier.create();
    private final Compression[] compressions = new Compression[CompressionType.values().length];
    private final Set<Long> abortedProducers = new HashSet<>();

    private byte[] response = NONE;
    private int at;
    private int limit;
    private List<AbortedTransaction> aborted = List.of();
    private int nextAborted;

    /** Messages before this offset are left out. */
    private long firstOffset;
    /** Offset behind the last message that was taken, and behind batches without messages that follow it. */
    private long passed;

    private int passedEpoch = RecordBatch.NO_PARTITION_LEADER_EPOCH;

    private long baseOffset;
    private long batchEnd;
    private int batchEpoch;
    private int remaining;
    /** The rest of a compressed batch behind the window; null for a batch that is not compressed. */
    private @Nullable InputStream compressed;
    /** Where messages are read: the response, or what has been decompressed. */
    private byte[] window = NONE;

    private int windowAt;
    private int windowEnd;
    private byte[] own = NONE;

    private boolean ready;
    /** Whether the window has the whole message that is being read. */
    private boolean whole;
    /** What follows the messages before; null unless it is corrupt. */
    private @Nullable KafkaException failure;

    private long offset;
    private int valueStart;
    private int valueLength;

    /** @param committedOnly whether messages of aborted transactions are left out */
    RecordCursor(boolean committedOnly, boolean checksCrc) {
        this.committedOnly = committedOnly;
        this.checksCrc = checksCrc;
    }

    /**
     * Begins with a response. A batch that is cut at its end is left out.
     *
     * @param records batches, in an array; must not be changed until all have been taken
     * @param abortedTransactions those that have messages in the response, or end in it, in any order
     * @param fetchedFrom requested offset; the first batch may begin before it
     */
    void begin(ByteBuffer records, @Nullable List<AbortedTransaction> abortedTransactions, long fetchedFrom) {
        response = records.array();
        at = records.arrayOffset() + records.position();
        limit = records.arrayOffset() + records.limit();
        aborted = abortedTransactions == null
                ? List.of()
                : abortedTransactions.stream()
                        .sorted(Comparator.comparingLong(AbortedTransaction::firstOffset))
                        .toList();
        nextAborted = 0;
        abortedProducers.clear();
        firstOffset = fetchedFrom;
        passed = fetchedFrom;
        remaining = 0;
        ready = false;
        whole = false;
        failure = null;
        close();
    }

    /** Returns whether a batch begins at an index and is there as a whole. */
    static boolean isWhole(ByteBuffer batches, int at) {
        return batches.limit() - at >= MESSAGES
                && size(batches, at) >= MESSAGES
                && size(batches, at) <= batches.limit() - at;
    }

    /** Returns the number of bytes of a batch. */
    static int size(ByteBuffer batches, int at) {
        return HEAD + batches.getInt(at + Long.BYTES);
    }

    /** Returns the offset behind a batch. */
    static long end(ByteBuffer batches, int at) {
        return batches.getLong(at) + batches.getInt(at + LAST_DELTA) + 1;
    }

    /** Returns the epoch of the leader of a batch. */
    static int epoch(ByteBuffer batches, int at) {
        return batches.getInt(at + EPOCH);
    }

    /**
     * Returns whether there is another message: the next one.
     *
     * @throws KafkaException if what follows is corrupt, each time
     */
    boolean peek() {
        advance();
        if (failure != null) {
            throw failure;
        }
        return ready;
    }

    private void advance() {
        try {
            while (!ready && failure == null && (remaining > 0 || nextBatch())) {
                if (remaining > 0) {
                    readMessage();
                    ready = offset >= firstOffset;
                }
            }
        } catch (KafkaException e) {
            failure = e;
        }
    }

    void take() {
        ready = false;
        pass(remaining == 0 ? batchEnd : offset + 1, batchEpoch);
    }

    private void pass(long end, int epoch) {
        passed = Math.max(passed, end);
        passedEpoch = epoch;
    }

    long offset() {
        return offset;
    }

    byte[] bytes() {
        return window;
    }

    int start() {
        return valueStart;
    }

    int length() {
        return valueLength;
    }

    /** Returns the offset of the next message, or that behind all messages that are not corrupt. */
    long position() {
        advance();
        return ready ? offset : passed;
    }

    /** Returns the epoch of the batch of the next message, or that of the last batch; -1 if it is not known. */
    int epoch() {
        advance();
        return ready ? batchEpoch : passedEpoch;
    }

    /** Releases the memory of a batch that was not read to its end. Nothing can be read until the next response. */
    @Override
    public void close() {
        InputStream rest = compressed;
        compressed = null;
        if (rest != null) {
            try {
                rest.close();
            } catch (IOException e) {
                throw corrupt("a batch that can't be decompressed: " + e.getMessage());
            }
        }
    }

    /** Sets the epoch of the position at which reading begins. */
    void setEpoch(int epoch) {
        passedEpoch = epoch;
    }

    /** Begins the next batch with messages to be read. */
    private boolean nextBatch() {
        while (limit - at >= HEAD) {
            int batch = at;
            int size = int32(batch + Long.BYTES);
            if (size > limit - at - HEAD) {
                break;
            }
            if (size > VERSION - HEAD && response[batch + VERSION] < RecordBatch.MAGIC_VALUE_V2) {
                throw new KafkaException("The topic has messages in the format before Kafka 0.11, which only Kafka's"
                        + " consumer reads. Set direct: false.");
            }
            if (size < MESSAGES - HEAD || response[batch + VERSION] != RecordBatch.MAGIC_VALUE_V2) {
                throw corrupt("an invalid batch of " + size + " bytes");
            }
            int batchLimit = batch + HEAD + size;
            if (checksCrc) {
                check(batch, batchLimit);
            }
            at = batchLimit;
            if (begin(batch)) {
                return true;
            }
        }
        at = limit;
        return false;
    }

    private void check(int batch, int batchLimit) {
        crc.reset();
        crc.update(response, batch + ATTRIBUTES, batchLimit - batch - ATTRIBUTES);
        if ((int) crc.getValue() != int32(batch + CRC)) {
            throw corrupt("a batch with a wrong checksum at offset " + int64(batch));
        }
    }

    /** Begins a batch, or passes over it if it has no messages to be read. */
    private boolean begin(int batch) {
        int attributes = int16(batch + ATTRIBUTES);
        baseOffset = int64(batch);
        batchEpoch = int32(batch + EPOCH);
        batchEnd = baseOffset + int32(batch + LAST_DELTA) + 1;
        if (batchEnd <= baseOffset || int32(batch + COUNT) < 0) {
            throw corrupt("a batch with impossible numbers at offset " + baseOffset);
        }
        boolean control = (attributes & CONTROL) != 0;
        boolean leftOut = committedOnly && isAborted(batch, control, (attributes & TRANSACTIONAL) != 0);
        remaining = control || leftOut || batchEnd <= firstOffset ? 0 : int32(batch + COUNT);
        if (remaining == 0) {
            pass(batchEnd, batchEpoch);
            return false;
        }
        if ((attributes & COMPRESSION) == 0) {
            compressed = null;
            window = response;
            windowAt = batch + MESSAGES;
            windowEnd = at;
        } else {
            ByteBuffer messages = ByteBuffer.wrap(response, batch + MESSAGES, at - batch - MESSAGES);
            compressed =
                    compression(attributes & COMPRESSION).wrapForInput(messages, RecordBatch.MAGIC_VALUE_V2, buffers);
            window = own;
            windowAt = 0;
            windowEnd = 0;
        }
        return true;
    }

    private Compression compression(int id) {
        if (id >= compressions.length) {
            throw corrupt("a batch with the unknown compression " + id);
        }
        Compression known = compressions[id];
        if (known == null) {
            known = Compression.of(CompressionType.forId(id)).build();
            compressions[id] = known;
        }
        return known;
    }

    /** Follows the transactions up to the end of a batch, and returns whether the batch belongs to an aborted one. */
    private boolean isAborted(int batch, boolean control, boolean transactional) {
        long producer = int64(batch + PRODUCER);
        if (producer < 0) {
            return false;
        }
        while (nextAborted < aborted.size() && aborted.get(nextAborted).firstOffset() < batchEnd) {
            abortedProducers.add(aborted.get(nextAborted++).producerId());
        }
        if (abortedProducers.isEmpty()) {
            return false;
        }
        if (control) {
            if (isAbortMarker(batch)) {
                abortedProducers.remove(producer);
            }
            return false;
        }
        return transactional && abortedProducers.contains(producer);
    }

    private boolean isAbortMarker(int batch) {
        if (int32(batch + COUNT) == 0) {
            return false;
        }
        compressed = null;
        window = response;
        windowAt = batch + MESSAGES;
        windowEnd = at;
        readHead();
        int length = varint();
        require(length);
        whole = false;
        return length >= Integer.BYTES && int16(windowAt + Short.BYTES) == ABORT;
    }

    /** Reads the message up to its key, and returns where it ends. */
    private int readHead() {
        int length = varint();
        require(length);
        whole = true;
        int end = windowAt + length;
        require(1);
        windowAt++; // attributes, which are not used
        skipVarlong();
        offset = baseOffset + varint();
        return end;
    }

    private void readMessage() {
        remaining--;
        int end = readHead();
        int key = varint();
        if (key > 0) {
            skip(key, end);
        }
        valueLength = varint();
        valueStart = windowAt;
        if (valueLength > 0) {
            skip(valueLength, end);
        }
        if (valueLength < -1 || windowAt > end) {
            throw corrupt("a message that is longer than it says, at offset " + offset);
        }
        windowAt = end; // headers
        whole = false;
        if (remaining == 0) {
            end();
        }
    }

    private void skip(int length, int end) {
        if (length > end - windowAt) {
            throw corrupt("a message that is longer than it says, at offset " + offset);
        }
        windowAt += length;
    }

    /** Requires that a batch has no more bytes than its messages, and closes the stream of a compressed one. */
    private void end() {
        InputStream rest = compressed;
        boolean empty = windowAt == windowEnd;
        if (rest != null) {
            try {
                empty &= rest.read() < 0;
            } catch (IOException e) {
                throw corrupt("a batch that can't be decompressed: " + e.getMessage());
            }
            close();
        }
        if (!empty) {
            throw corrupt("a batch with bytes behind its last message, at offset " + offset);
        }
        // A message that is left out is not taken.
        if (offset < firstOffset) {
            pass(batchEnd, batchEpoch);
        }
    }

    private int varint() {
        require(1);
        byte first = window[windowAt++];
        if (first >= 0) {
            return (first >>> 1) ^ -(first & 1);
        }
        int value = first & 0x7f;
        for (int shift = 7; shift < Integer.SIZE; shift += 7) {
            require(1);
            byte next = window[windowAt++];
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw corrupt("a number of more than five bytes");
    }

    private void skipVarlong() {
        for (int i = 0; i < 10; i++) {
            require(1);
            if (window[windowAt++] >= 0) {
                return;
            }
        }
        throw corrupt("a number of more than ten bytes");
    }

    /** Makes sure that the window has so many bytes. */
    private void require(int length) {
        if (length < 0 || length > windowEnd - windowAt) {
            fill(length);
        }
    }

    private void fill(int length) {
        InputStream rest = compressed;
        if (length < 0 || rest == null || whole) {
            throw corrupt("a message of " + length + " bytes in a batch with " + (windowEnd - windowAt));
        }
        System.arraycopy(own, windowAt, own, 0, windowEnd - windowAt);
        windowEnd -= windowAt;
        windowAt = 0;
        try {
            while (windowEnd < length) {
                if (windowEnd == own.length) {
                    if (own.length > MAX_WINDOW / 2) {
                        throw corrupt("a message of more than " + MAX_WINDOW / 2 + " bytes");
                    }
                    // Not at once as large as a number says that may be wrong.
                    own = Arrays.copyOf(own, Math.max(WINDOW, 2 * own.length));
                }
                int read = rest.read(own, windowEnd, own.length - windowEnd);
                if (read <= 0) {
                    throw corrupt("a message of " + length + " bytes in a batch with " + windowEnd);
                }
                windowEnd += read;
            }
        } catch (IOException e) {
            throw corrupt("a batch that can't be decompressed: " + e.getMessage());
        }
        window = own;
    }

    private CorruptRecordException corrupt(String what) {
        return new CorruptRecordException("The response of the broker has " + what + ".");
    }

    private int int16(int index) {
        return (response[index] << 8) | (response[index + 1] & 0xff);
    }

    private int int32(int index) {
        return (int16(index) << 16) | (int16(index + 2) & 0xffff);
    }

    private long int64(int index) {
        return ((long) int32(index) << 32) | (int32(index + 4) & 0xffffffffL);
    }
}
