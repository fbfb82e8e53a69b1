package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Builds {@linkplain Block blocks} in place. Not thread-safe. A full block is the very array that the records were
 * copied into; one that is sealed before it is full is trimmed with one copy, and the array serves the next block.
 */
public final class BlockWriter {

    private final long fingerprint;
    private final int recordLength;
    private final int capacity;
    private final @Nullable FieldRange keys;
    private final @Nullable FieldRange times;
    private byte @Nullable [] bytes;
    private int count;

    /**
     * @param schema of the stored records
     * @param keyField whose range the header shall tell, if its bytes are a number
     * @param capacity records of a full block, 1 or more
     */
    public BlockWriter(Schema schema, @Nullable Field keyField, int capacity) {
        if (schema.recordLength() > Block.MAX_RECORD_LENGTH) {
            throw new IllegalArgumentException("recordLength=" + schema.recordLength()
                    + " is above the largest that a block holds, " + Block.MAX_RECORD_LENGTH);
        }
        this.fingerprint = schema.fingerprint();
        this.recordLength = schema.recordLength();
        this.capacity = capacity;
        this.keys = FieldRange.of(keyField);
        this.times = FieldRange.of(FieldRange.timeField(schema));
    }

    /** Records in the block so far. */
    public int count() {
        return count;
    }

    public boolean full() {
        return count == capacity;
    }

    /**
     * Copies selected records, in order, until the block is full or all are in.
     *
     * @param firstIndex where in the batch's selection to start
     * @return index in the selection past the last record that was copied
     */
    public int append(RecordBatch batch, int firstIndex) {
        int howMany = Math.min(capacity - count, batch.selected() - firstIndex);
        if (howMany <= 0) {
            return firstIndex;
        }
        byte[] into = room();
        int at = Block.HEADER_LENGTH + count * recordLength;
        int end = firstIndex + howMany;
        int[] selection = batch.selection();
        int first = selection[firstIndex];
        if (recordLength == batch.schema().baseLength() && selection[end - 1] - first == howMany - 1) {
            System.arraycopy(batch.bytes(), batch.offset(first), into, at, howMany * recordLength);
        } else {
            for (int i = firstIndex; i < end; i++, at += recordLength) {
                batch.copyRecord(selection[i], into, at, recordLength);
            }
        }
        count += howMany;
        return end;
    }

    private byte[] room() {
        byte[] room = bytes;
        if (room == null) {
            room = new byte[Block.HEADER_LENGTH + capacity * recordLength];
            bytes = room;
        }
        return room;
    }

    /**
     * The block as a value to be stored. Nothing changes until {@link #clear()}: sealing again gives the same bytes, so
     * that a put that failed can be tried again.
     *
     * @param from position from which on the block covers its feed, or {@code NO_POSITION}
     * @param to position up to which it does, or {@code NO_POSITION}
     */
    public byte[] seal(long from, long to) {
        int length = Block.HEADER_LENGTH + count * recordLength;
        byte[] room = bytes;
        byte[] block = room == null ? new byte[length] : full() ? room : Arrays.copyOf(room, length);
        RawBytes.putInt(block, 0, Block.MAGIC << 8 | Block.VERSION);
        RawBytes.putLong(block, Block.FINGERPRINT_AT, fingerprint);
        RawBytes.putLong(block, Block.FROM_AT, from);
        RawBytes.putLong(block, Block.TO_AT, to);
        RawBytes.putInt(block, Block.COUNT_AT, count);
        RawBytes.putShort(block, Block.RECORD_LENGTH_AT, (short) recordLength);
        block[Block.ENCODING_AT] = Block.ROWS;
        block[Block.FLAGS_AT] = (byte) (putRange(block, keys, Block.KEY_MIN_AT, Block.KEY_FLAG)
                | putRange(block, times, Block.TIME_MIN_AT, Block.TIME_FLAG));
        RawBytes.putInt(block, Block.CRC_AT, Block.crc(block));
        return block;
    }

    private int putRange(byte[] block, @Nullable FieldRange range, int at, int flag) {
        if (range == null || !range.measure(block, Block.HEADER_LENGTH, count, recordLength)) {
            return 0;
        }
        RawBytes.putLong(block, at, range.min());
        RawBytes.putLong(block, at + Long.BYTES, range.max());
        return flag;
    }

    /** Starts the next block, after the sealed one was stored. */
    public void clear() {
        if (full()) {
            bytes = null;
        }
        count = 0;
    }
}
