package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.RegionDefinition;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds blocks of records of different lengths, with or without columns. Lengths, added fields and records are
 * collected in separate buffers, which grow as necessary and serve all blocks; sealing copies them once, into the
 * value. A block with a record in which the fields of the columns can't be found has no columns.
 */
final class VariedBlockWriter implements BlockWriter {

    private static final int INITIAL_CAPACITY = 256;

    private final BlockHeader header;
    private final BlockHeader headerWithColumns;
    private final @Nullable RecordColumns columns;
    private final Schema records;
    private final int capacity;
    private final int maxBytes;
    private final @Nullable FieldRange keys;
    private final @Nullable FieldRange times;
    private int[] lengths = new int[INITIAL_CAPACITY];
    private byte[] added = new byte[INITIAL_CAPACITY];
    private byte[] bytes = new byte[INITIAL_CAPACITY];
    private int count;
    private int byteCount;
    private int longest;
    private boolean full;

    /**
     * @param capacity number of records of a full block
     * @param maxBytes maximum length of a block of several records, without columns
     */
    VariedBlockWriter(RegionDefinition region, Schema records, int capacity, int maxBytes) {
        this.header = new BlockHeader(region.schema(), BlockFormat.VARIED);
        this.headerWithColumns = new BlockHeader(region.schema(), BlockFormat.COLUMNS_AND_RECORDS);
        this.columns = region.encoding() == BlockEncoding.COLUMNS ? new RecordColumns(region.schema()) : null;
        this.records = records;
        this.maxBytes = maxBytes;
        boolean limited = columns != null && maxBytes != Integer.MAX_VALUE;
        this.capacity =
                limited ? Math.min(capacity, Objects.requireNonNull(columns).maxRecords()) : capacity;
        this.keys = range(region.rangeField());
        this.times = range(FieldRange.timeField(region.schema()));
    }

    /** Returns the range of a field in the batches' rows, null if it is not there. */
    private @Nullable FieldRange range(@Nullable Field stored) {
        return stored == null ? null : FieldRange.of(records.field(stored.name()));
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public boolean full() {
        return full;
    }

    @Override
    public int append(RecordBatch batch, int firstIndex) {
        int index = firstIndex;
        int[] selection = batch.selection();
        while (index < batch.selected() && (!full || follows(batch, firstIndex, index))) {
            int ordinal = selection[index];
            int length = batch.length(ordinal);
            if (count > 0
                    && !follows(batch, firstIndex, index)
                    && BlockFormat.HEADER_LENGTH + bodyLength(count + 1, byteCount + length, Math.max(longest, length))
                            > maxBytes) {
                full = true;
            } else {
                take(batch, ordinal, length);
                index++;
                full = count >= capacity;
            }
        }
        return index;
    }

    /** Returns whether a record has the position of the one before it, so that both belong into the same block. */
    private static boolean follows(RecordBatch batch, int firstIndex, int index) {
        int[] selection = batch.selection();
        return index > firstIndex && batch.samePosition(selection[index - 1], selection[index]);
    }

    private void take(RecordBatch batch, int ordinal, int length) {
        if (length > records.layout().maxLength()) {
            throw new IllegalArgumentException("Invalid length of a record: " + length + " bytes. The layout '"
                    + records.layout().name() + "' has at most "
                    + records.layout().maxLength() + " bytes.");
        }
        int addedLength = header.commonLength();
        if (count == lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        added = withCapacity(added, (count + 1) * addedLength);
        bytes = withCapacity(bytes, byteCount + length);
        byte[] rows = batch.added();
        int row = batch.addedOffset(ordinal);
        lengths[count] = length;
        longest = Math.max(longest, length);
        System.arraycopy(rows, row + records.foundLength(), added, count * addedLength, addedLength);
        RawBytes.copy(batch.bytes(), batch.offset(ordinal), bytes, byteCount, length);
        include(keys, rows, row);
        include(times, rows, row);
        count++;
        byteCount += length;
    }

    private static void include(@Nullable FieldRange range, byte[] rows, int row) {
        if (range != null) {
            range.include(rows, row);
        }
    }

    private static byte[] withCapacity(byte[] buffer, int length) {
        return length <= buffer.length ? buffer : Arrays.copyOf(buffer, Math.max(length, 2 * buffer.length));
    }

    /** Returns the number of bytes of length table, added fields and records. */
    private int bodyLength(int recordCount, int recordBytes, int longestRecord) {
        return recordCount * (BlockFormat.lengthBytes(longestRecord) + header.commonLength()) + recordBytes;
    }

    @Override
    public byte[] seal(long from, long to) {
        RecordColumns planned = columns;
        int bodyAt = planned == null || count == 0 || count > planned.maxRecords()
                ? BlockFormat.HEADER_LENGTH
                : planned.plan(bytes, lengths, added, count);
        byte[] block = blockWithRecords(bodyAt + bodyLength(count, byteCount, longest));
        putLengthsAndAdded(block, bodyAt);
        int flags = BlockFormat.lengthFlags(BlockFormat.lengthBytes(longest));
        if (planned != null && bodyAt > BlockFormat.HEADER_LENGTH) {
            planned.write(block);
            headerWithColumns.write(block, planned.directoryLength(), flags, from, to, count, keys, times);
        } else {
            header.write(block, 0, flags, from, to, count, keys, times);
        }
        return block;
    }

    /**
     * Returns a block with records at its end and zeros before them. The copy follows the allocation at once: so the
     * JIT compiler does not zero the bytes that it copies to, which are most of the block.
     */
    private byte[] blockWithRecords(int length) {
        byte[] block = new byte[length];
        System.arraycopy(bytes, 0, block, length - byteCount, byteCount);
        return block;
    }

    private void putLengthsAndAdded(byte[] block, int bodyAt) {
        int width = BlockFormat.lengthBytes(longest);
        for (int i = 0; i < count; i++) {
            putLength(block, bodyAt + i * width, width, lengths[i]);
        }
        System.arraycopy(added, 0, block, bodyAt + count * width, count * header.commonLength());
    }

    /** Writes an entry of a table of lengths. */
    static void putLength(byte[] block, int at, int width, int length) {
        switch (width) {
            case 1 -> block[at] = (byte) length;
            case Short.BYTES -> RawBytes.putShort(block, at, (short) length);
            default -> RawBytes.putInt(block, at, length);
        }
    }

    @Override
    public void clear() {
        count = 0;
        longest = 0;
        byteCount = 0;
        full = false;
        clear(keys);
        clear(times);
    }

    private static void clear(@Nullable FieldRange range) {
        if (range != null) {
            range.clear();
        }
    }
}
