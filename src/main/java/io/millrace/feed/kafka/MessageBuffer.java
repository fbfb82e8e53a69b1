package io.millrace.feed.kafka;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.frame.Framer;
import io.millrace.codec.frame.Framing;
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
    private final int maxRecords;
    private final int maxBytes;
    private final @Nullable Framer framer;
    private final @Nullable SchemaPrefix prefix;
    private byte[] bytes;
    private int[] starts;
    private int[] ends;
    private long[] positions;
    private int count;
    private int end;
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
     * @param prefix reads what stands before the value of a message; null for nothing
     * @param batchRecords number of records after which a batch is complete
     */
    MessageBuffer(Schema schema, @Nullable Framing framing, @Nullable SchemaPrefix prefix, int batchRecords) {
        this.prefix = prefix;
        recordLength = schema.baseLength();
        maxRecords = batchRecords;
        maxBytes = recordLength == 0 ? BATCH_BYTES : Math.multiplyExact(batchRecords, recordLength);
        framer = framing == null ? null : framing.framer(recordLength);
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
     * Adds the records of a message, or none of them.
     *
     * @param value contains the value of the message
     * @param length bytes of the value; -1 for a message without a value
     * @throws IOException if the schema of the first message of a batch can't be looked up
     */
    Added add(long offset, byte[] value, int start, int length) throws IOException {
        if (length < 0) {
            error = "the message has no value";
            return Added.INVALID;
        }
        if (prefix == null) {
            return addValue(offset, value, start, length);
        }
        int skipped = prefix.known(value, start, length);
        if (skipped == SchemaPrefix.NONE) {
            if (count > 0) {
                return Added.FULL; // the records before it do not wait for the registry
            }
            skipped = prefix.read(value, start, length);
        }
        if (skipped == SchemaPrefix.NONE) {
            error = prefix.error();
            return Added.INVALID;
        }
        return addValue(offset, value, start + skipped, length - skipped);
    }

    private Added addValue(long offset, byte[] value, int start, int length) {
        if (count > 0 && (count == maxRecords || end + length > maxBytes)) {
            return Added.FULL;
        }
        if (bytes.length < end + length) {
            bytes = Arrays.copyOf(bytes, end + length);
        }
        System.arraycopy(value, start, bytes, end, length);
        if (framer == null) {
            return addOne(offset, length);
        }
        return addFrames(offset, framer, length);
    }

    private Added addOne(long offset, int length) {
        if (recordLength != 0 && length != recordLength) {
            error = "the message has " + length + " bytes, but a record has " + recordLength;
            return Added.INVALID;
        }
        addRecord(count, end, end + length, offset);
        count++;
        end += length;
        return Added.YES;
    }

    private Added addFrames(long offset, Framer frames, int length) {
        int to = end + length;
        int next = count;
        int target = end;
        for (int at = end; at < to; ) {
            long frame = frames.frameLength(bytes, at, to, 0);
            int record = (int) Math.min(frame, Integer.MAX_VALUE) - frames.head() - frames.tail();
            if (frame == Framer.WRONG || frame > to - at || (recordLength != 0 && record != recordLength)) {
                error = frame == Framer.WRONG
                        ? "the message has a record with an impossible length"
                        : frame > to - at
                                ? "the message ended " + frames.describeCut(Arrays.copyOfRange(bytes, at, to), to - at)
                                : "the message has a record of " + record + " bytes, but one has " + recordLength;
                return Added.INVALID;
            }
            int start = at + frames.head();
            if (recordLength == 0) {
                addRecord(next, start, start + record, offset);
            } else {
                // Records of one length are back to back.
                System.arraycopy(bytes, start, bytes, target, record);
                target += record;
                addRecord(next, 0, 0, offset);
            }
            next++;
            at += (int) frame;
        }
        if (next == count) {
            error = "the message has no records";
            return Added.INVALID;
        }
        if (count > 0 && next > maxRecords) {
            return Added.FULL;
        }
        count = next;
        end = recordLength == 0 ? to : target;
        return Added.YES;
    }

    private void addRecord(int index, int start, int recordEnd, long offset) {
        if (positions.length < index + 2) {
            positions = Arrays.copyOf(positions, 2 * (index + 1));
        }
        positions[index] = offset;
        if (recordLength == 0) {
            if (starts.length <= index) {
                starts = Arrays.copyOf(starts, 2 * (index + 1));
                ends = Arrays.copyOf(ends, starts.length);
            }
            starts[index] = start;
            ends[index] = recordEnd;
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
