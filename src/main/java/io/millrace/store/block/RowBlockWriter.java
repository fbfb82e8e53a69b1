package io.millrace.store.block;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Builds blocks of rows in place. A full block is the array that the records were copied into; one that is sealed
 * before it is full is trimmed with one copy, and the array serves the next block.
 */
public final class RowBlockWriter implements BlockWriter {

    private final BlockHeader header;
    private final int recordLength;
    private final int capacity;
    private final @Nullable FieldRange keys;
    private final @Nullable FieldRange times;
    private byte @Nullable [] bytes;
    private int count;

    /**
     * @param schema of the stored records
     * @param keyField whose range the header contains, if its bytes are a number
     * @param capacity records after which a block is full, 1 or more
     */
    public RowBlockWriter(Schema schema, @Nullable Field keyField, int capacity) {
        this.header = new BlockHeader(schema, BlockFormat.ROWS);
        this.recordLength = schema.recordLength();
        this.capacity = capacity;
        this.keys = FieldRange.of(keyField);
        this.times = FieldRange.of(FieldRange.timeField(schema));
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public boolean full() {
        return count >= capacity;
    }

    @Override
    public int append(RecordBatch batch, int firstIndex) {
        int end = BlockWriter.boundary(batch, firstIndex, capacity - count);
        int recordCount = end - firstIndex;
        if (recordCount == 0) {
            return firstIndex;
        }
        byte[] into = buffer(recordCount);
        int at = BlockFormat.HEADER_LENGTH + count * recordLength;
        int[] selection = batch.selection();
        int first = selection[firstIndex];
        if (recordLength == batch.schema().baseLength() && selection[end - 1] - first == recordCount - 1) {
            System.arraycopy(batch.bytes(), batch.offset(first), into, at, recordCount * recordLength);
        } else {
            for (int i = firstIndex; i < end; i++, at += recordLength) {
                batch.copyRecord(selection[i], into, at, recordLength);
            }
        }
        count += recordCount;
        return end;
    }

    private byte[] buffer(int more) {
        byte[] buffer = bytes;
        if (buffer == null) {
            buffer = new byte[BlockFormat.HEADER_LENGTH + capacity * recordLength];
            bytes = buffer;
        }
        int length = BlockFormat.HEADER_LENGTH + (count + more) * recordLength;
        if (length > buffer.length) {
            buffer = Arrays.copyOf(buffer, length);
            bytes = buffer;
        }
        return buffer;
    }

    @Override
    public byte[] seal(long from, long to) {
        int length = sealedLength();
        byte[] buffer = bytes;
        byte[] block =
                buffer == null ? new byte[length] : buffer.length == length ? buffer : Arrays.copyOf(buffer, length);
        measure(keys, block);
        measure(times, block);
        header.write(block, 0, 0, from, to, count, keys, times);
        return block;
    }

    /** Returns the length in bytes of the block so far. */
    int sealedLength() {
        return BlockFormat.HEADER_LENGTH + count * recordLength;
    }

    /** Returns the records so far, from {@link BlockFormat#HEADER_LENGTH} on. */
    byte[] rows() {
        return buffer(0);
    }

    private void measure(@Nullable FieldRange range, byte[] block) {
        if (range != null) {
            range.measure(block, BlockFormat.HEADER_LENGTH, count, recordLength);
        }
    }

    /** Starts the next block in the same array, which was not passed on. */
    void restart() {
        if (count > capacity) {
            bytes = null;
        }
        count = 0;
    }

    @Override
    public void clear() {
        byte[] buffer = bytes;
        if (buffer != null && (buffer.length == sealedLength() || count > capacity)) {
            bytes = null;
        }
        count = 0;
    }
}
