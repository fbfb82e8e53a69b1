package io.millrace.feed.kafka;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.frame.Framer;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.kafka.field.MessageFields;
import io.millrace.feed.kafka.read.PartitionReader;
import io.millrace.feed.kafka.registry.SchemaPrefix;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the records of messages for a batch, with the offset of its message for each. A message belongs to one batch
 * as a whole, and so do its records, which have the same position. Reused for each batch; allocates if a message is
 * larger than all before it. Not thread-safe.
 */
final class MessageBuffer {

    /** Bytes of a batch of records whose lengths vary. */
    private static final int BATCH_BYTES = 256 << 10;

    private final int recordLength;
    /** Bytes of a record that are part of the value of a message. */
    private final int valueLength;

    private final int maxRecords;
    private final int maxBytes;
    private final @Nullable Framer framer;
    private final MessageFields fields;
    private final @Nullable SchemaPrefix prefix;
    private byte[] bytes;
    private int[] starts;
    private int[] ends;
    private long[] positions;
    private int count;
    private int end;
    /** Number and end of the records with those of the message that is being added. */
    private int nextCount;

    private int nextEnd;
    private String error = "";

    /** What has become of a message. */
    enum Added {
        /** It is in the batch. */
        YES,
        /** The batch is complete without it. */
        FULL,
        /** It does not consist of records; {@link MessageBuffer#error} says why. */
        INVALID
    }

    /**
     * @param framing splits the value of a message into records; null if it is one
     * @param fields parts of messages that records have behind their part of the value
     * @param prefix reads what stands before the value of a message; null for nothing
     * @param batchRecords number of records after which a batch is complete
     */
    MessageBuffer(
            Schema schema,
            @Nullable Framing framing,
            MessageFields fields,
            @Nullable SchemaPrefix prefix,
            int batchRecords) {
        this.prefix = prefix;
        recordLength = schema.baseLength();
        valueLength = fields.valueLength();
        maxRecords = batchRecords;
        maxBytes = recordLength == 0 ? BATCH_BYTES : Math.multiplyExact(batchRecords, recordLength);
        framer = framing == null ? null : framing.framer(valueLength);
        this.fields = fields;
        bytes = new byte[maxBytes];
        starts = new int[recordLength == 0 ? batchRecords : 0];
        ends = new int[starts.length];
        positions = new long[batchRecords + 1];
    }

    /** Begins the next batch. */
    void clear() {
        count = 0;
        end = 0;
    }

    /** Returns the number of records. */
    int count() {
        return count;
    }

    /** Returns why the last message was invalid. */
    String error() {
        return error;
    }

    /**
     * Adds the records of the next message of a reader, or none of them.
     *
     * @throws IOException if the schema of the first message of a batch can't be looked up
     */
    Added add(PartitionReader message) throws IOException {
        int start = message.start();
        int length = message.length();
        if (length < 0) {
            return fields.acceptsTombstones() ? addValue(message, start, length) : invalid("the message has no value");
        }
        if (prefix == null) {
            return addValue(message, start, length);
        }
        int skipped = prefix.known(message.bytes(), start, length);
        if (skipped == SchemaPrefix.NONE) {
            if (count > 0) {
                return Added.FULL; // the records before it do not wait for the registry
            }
            skipped = prefix.read(message.bytes(), start, length);
        }
        return skipped == SchemaPrefix.NONE
                ? invalid(prefix.error())
                : addValue(message, start + skipped, length - skipped);
    }

    private Added addValue(PartitionReader message, int start, int length) {
        if (count > 0 && (count == maxRecords || end + length > maxBytes)) {
            return Added.FULL;
        }
        nextCount = count;
        nextEnd = end;
        String wrong = framer == null || length < 0
                ? addRecord(message, start, length)
                : addFrames(message, framer, start, start + length);
        if (wrong != null) {
            return invalid(wrong);
        }
        if (count > 0 && nextCount > maxRecords) {
            return Added.FULL;
        }
        count = nextCount;
        end = nextEnd;
        return Added.YES;
    }

    private Added invalid(String wrong) {
        error = wrong;
        return Added.INVALID;
    }

    /** Returns what is wrong, or null. */
    private @Nullable String addFrames(PartitionReader message, Framer frames, int from, int to) {
        byte[] value = message.bytes();
        for (int at = from; at < to; ) {
            long frame = frames.frameLength(value, at, to, 0);
            if (frame == Framer.WRONG) {
                return "the message has a record with an impossible length";
            }
            if (frame > to - at) {
                return "the message ended " + frames.describeCut(Arrays.copyOfRange(value, at, to), to - at);
            }
            String wrong = addRecord(message, at + frames.head(), (int) frame - frames.head() - frames.tail());
            if (wrong != null) {
                return wrong;
            }
            at += (int) frame;
        }
        return nextCount == count ? "the message has no records" : null;
    }

    /** Adds a record behind those before, which becomes part of the batch with its message. Likewise. */
    private @Nullable String addRecord(PartitionReader message, int from, int length) {
        if (recordLength != 0 && length >= 0 && length != valueLength) {
            return framer == null
                    ? "the message has " + length + " bytes, but " + expected()
                    : "the message has a record of " + length + " bytes, but " + expected();
        }
        int next = nextEnd + Math.max(length, recordLength);
        makeRoom(next);
        if (length < 0) {
            fields.clearValue(bytes, nextEnd);
        } else {
            System.arraycopy(message.bytes(), from, bytes, nextEnd, length);
        }
        positions[nextCount] = message.offset();
        if (recordLength == 0) {
            starts[nextCount] = nextEnd;
            ends[nextCount] = next;
        }
        String wrong = fields.write(message, bytes, nextEnd);
        nextCount++;
        nextEnd = next;
        return wrong;
    }

    private String expected() {
        return valueLength == recordLength
                ? "a record has " + recordLength
                : "a record has " + valueLength + " before its fields from the message";
    }

    private void makeRoom(int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, nextCount == count ? 0 : 2 * bytes.length));
        }
        if (positions.length < nextCount + 2) {
            positions = Arrays.copyOf(positions, 2 * (nextCount + 1));
        }
        if (recordLength == 0 && starts.length <= nextCount) {
            starts = Arrays.copyOf(starts, 2 * (nextCount + 1));
            ends = Arrays.copyOf(ends, starts.length);
        }
    }

    /**
     * Sets a batch to the records.
     *
     * @param position offset up to which the batch covers the partition
     */
    void show(RecordBatch batch, long position) {
        positions[count] = position;
        if (recordLength == 0) {
            batch.fill(bytes, starts, ends, count, positions);
        } else {
            batch.fill(bytes, count, positions);
        }
    }
}
