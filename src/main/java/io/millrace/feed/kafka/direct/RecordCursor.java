package io.millrace.feed.kafka.direct;

import io.millrace.feed.kafka.read.Slice;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages in the response of a broker, which is a sequence of {@linkplain BatchHeader batches}. A message is its
 * length, attributes (1 byte), time, offset - base offset, length of the key and key, length of the value and value,
 * and headers (Kafka's documentation, "Record"). Lengths, time and offset are varints in zigzag encoding.
 *
 * <p>Reused for each response. Allocates some objects for each compressed batch, nothing for others. Not thread-safe.
 */
final class RecordCursor implements AutoCloseable {

    /** Type of the marker of an aborted transaction, two bytes in the key of its message, behind a version of two. */
    private static final int ABORT = 0;

    private final boolean committedOnly;
    private final boolean checksCrc;
    private final CRC32C crc = new CRC32C();
    private final BufferSupplier buffers = BufferSupplier.create();
    private final Compression[] compressions = new Compression[CompressionType.values().length];
    private final AbortedTransactions aborted = new AbortedTransactions();
    private final MessageWindow window = new MessageWindow();
    private final MessageHeaders headers = new MessageHeaders(window);

    private byte[] response = {};
    private int at;
    private int limit;

    /** Messages before this offset are left out. */
    private long firstOffset;
    /** Offset behind the last message that was taken, and behind batches without messages that follow it. */
    private long passed;

    private int passedEpoch = RecordBatch.NO_PARTITION_LEADER_EPOCH;

    private long baseOffset;
    private long batchEnd;
    private int batchEpoch;
    private boolean appendTime;
    /** Timestamp to which those of messages refer, or that of all messages. */
    private long batchTime;
    /** Number of messages of the batch that were not read. */
    private int remaining;

    /** Whether a message was read and not taken. */
    private boolean ready;
    /** What follows the messages before; null unless it is corrupt. */
    private @Nullable KafkaException failure;

    private long offset;
    private long timestamp;
    private int keyStart;
    private int keyLength;
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
     * @param transactions the aborted ones that have messages in the response, or end in it, in any order
     * @param fetchedFrom requested offset; the first batch may begin before it
     */
    void begin(ByteBuffer records, @Nullable List<AbortedTransaction> transactions, long fetchedFrom) {
        close();
        response = records.array();
        at = records.arrayOffset() + records.position();
        limit = records.arrayOffset() + records.limit();
        aborted.begin(transactions);
        firstOffset = fetchedFrom;
        passed = fetchedFrom;
        remaining = 0;
        ready = false;
        failure = null;
    }

    /** Sets the epoch of the position at which reading begins. */
    void setEpoch(int epoch) {
        passedEpoch = epoch;
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
        return window.bytes();
    }

    int start() {
        return valueStart;
    }

    int length() {
        return valueLength;
    }

    long timestamp() {
        return timestamp;
    }

    void key(Slice key) {
        if (keyLength < 0) {
            key.clear();
        } else {
            key.set(window.bytes(), keyStart, keyLength);
        }
    }

    void header(byte[] name, Slice value) {
        headers.find(name, value);
    }

    List<Header> headers() {
        return headers.copies();
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

    /** Releases the memory of a batch that was not read to its end. */
    @Override
    public void close() {
        window.close();
    }

    /** Begins the next batch with messages to be read. */
    private boolean nextBatch() {
        while (BatchHeader.isWhole(response, at, limit)) {
            int batch = at;
            if (BatchHeader.isOld(response, batch)) {
                throw new KafkaException("The topic has messages in the format before Kafka 0.11, which only Kafka's"
                        + " consumer reads. Set direct: false.");
            }
            if (!BatchHeader.isValid(response, batch)) {
                throw corrupt("an invalid batch", batch);
            }
            int next = batch + BatchHeader.size(response, batch);
            check(batch, next);
            at = next;
            if (begin(batch)) {
                return true;
            }
        }
        at = limit;
        return false;
    }

    private void check(int batch, int next) {
        if (BatchHeader.endOffset(response, batch) <= BatchHeader.baseOffset(response, batch)
                || BatchHeader.count(response, batch) < 0) {
            throw corrupt("a batch with impossible numbers", batch);
        }
        if (checksCrc) {
            crc.reset();
            crc.update(response, batch + BatchHeader.CHECKED_FROM, next - batch - BatchHeader.CHECKED_FROM);
            if ((int) crc.getValue() != BatchHeader.checksum(response, batch)) {
                throw corrupt("a batch with a wrong checksum", batch);
            }
        }
    }

    private CorruptRecordException corrupt(String what, int batch) {
        return MessageWindow.corrupt(what + " at offset " + BatchHeader.baseOffset(response, batch));
    }

    /** Begins a batch, or passes over it if it has no messages to be read. */
    private boolean begin(int batch) {
        baseOffset = BatchHeader.baseOffset(response, batch);
        batchEnd = BatchHeader.endOffset(response, batch);
        batchEpoch = BatchHeader.leaderEpoch(response, batch);
        boolean leftOut = committedOnly && isAborted(batch);
        remaining = leftOut || BatchHeader.isControl(response, batch) || batchEnd <= firstOffset
                ? 0
                : BatchHeader.count(response, batch);
        if (remaining == 0) {
            pass(batchEnd, batchEpoch);
            return false;
        }
        appendTime = BatchHeader.hasAppendTime(response, batch);
        batchTime = appendTime ? BatchHeader.lastTime(response, batch) : BatchHeader.firstTime(response, batch);
        int messages = batch + BatchHeader.LENGTH;
        int compression = BatchHeader.compression(response, batch);
        if (compression == CompressionType.NONE.id) {
            window.begin(response, messages, at);
        } else {
            window.begin(decompress(compression, ByteBuffer.wrap(response, messages, at - messages)));
        }
        return true;
    }

    private InputStream decompress(int compression, ByteBuffer messages) {
        if (compression >= compressions.length) {
            throw MessageWindow.corrupt("a batch with the unknown compression " + compression);
        }
        Compression known = compressions[compression];
        if (known == null) {
            known = Compression.of(CompressionType.forId(compression)).build();
            compressions[compression] = known;
        }
        return known.wrapForInput(messages, RecordBatch.MAGIC_VALUE_V2, buffers);
    }

    /** Follows the transactions up to the end of a batch, and returns whether the batch belongs to an aborted one. */
    private boolean isAborted(int batch) {
        long producer = BatchHeader.producer(response, batch);
        if (producer < 0) {
            return false;
        }
        aborted.advance(batchEnd);
        if (!aborted.contains(producer)) {
            return false;
        }
        if (BatchHeader.isControl(response, batch)) {
            if (isAbortMarker(batch)) {
                aborted.end(producer);
            }
            return false;
        }
        return BatchHeader.isTransactional(response, batch);
    }

    private boolean isAbortMarker(int batch) {
        if (BatchHeader.count(response, batch) == 0) {
            return false;
        }
        window.begin(response, batch + BatchHeader.LENGTH, at);
        int end = readHead();
        int key = window.varint();
        window.skip(Short.BYTES);
        boolean abort = window.int8() == 0 && window.int8() == ABORT;
        window.endMessage(end);
        return key >= 2 * Short.BYTES && abort;
    }

    /** Reads a message up to its key, and returns the index of its end. */
    private int readHead() {
        int end = window.beginMessage();
        window.skip(1); // attributes, which are not used
        long time = window.varlong();
        timestamp = appendTime ? batchTime : batchTime + time;
        offset = baseOffset + window.varint();
        return end;
    }

    private void readMessage() {
        remaining--;
        int end = readHead();
        keyLength = window.varint();
        keyStart = window.index();
        if (keyLength > 0) {
            window.skip(keyLength);
        }
        valueLength = window.varint();
        valueStart = window.index();
        if (valueLength > 0) {
            window.skip(valueLength);
        } else if (valueLength < -1) {
            throw MessageWindow.corrupt("a message with an impossible length at offset " + offset);
        }
        headers.begin(window.index());
        window.endMessage(end);
        if (remaining == 0) {
            window.requireEnd();
            if (offset < firstOffset) { // the last message is left out, so it will not be taken
                pass(batchEnd, batchEpoch);
            }
        }
    }
}
