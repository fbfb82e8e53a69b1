package io.millrace.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Records of one length, back to back, in memory outside the heap.
 *
 * <pre>
 * | record 0 | record 1 | record 2 | ...     record i from byte i * recordLength on
 * </pre>
 *
 * A field is named by its offset in the record. Every access is checked against the record and against the memory, and
 * throws {@link IndexOutOfBoundsException} outside of them; none allocates. As thread-safe as the memory: readers and
 * writers of one record have to agree among themselves.
 */
public final class PackedRecords {

    private final MemorySegment memory;
    private final int recordLength;
    private final long count;

    /**
     * @param memory where they lie, from its first byte on
     * @param recordLength in bytes, at least 1
     */
    public PackedRecords(MemorySegment memory, int recordLength) {
        this.memory = memory;
        this.recordLength = recordLength;
        this.count = memory.byteSize() / recordLength;
    }

    /** How many records there is room for. */
    public long count() {
        return count;
    }

    /** Length of each in bytes. */
    public int recordLength() {
        return recordLength;
    }

    /** The eight bytes of a field as a number. */
    public long getLong(long record, int offset) {
        return RawMemory.getLong(memory, place(record, offset, Long.BYTES));
    }

    /** Writes the eight bytes of a field. */
    public void putLong(long record, int offset, long value) {
        RawMemory.putLong(memory, place(record, offset, Long.BYTES), value);
    }

    /** The four bytes of a field as a number. */
    public int getInt(long record, int offset) {
        return RawMemory.getInt(memory, place(record, offset, Integer.BYTES));
    }

    /** Writes the four bytes of a field. */
    public void putInt(long record, int offset, int value) {
        RawMemory.putInt(memory, place(record, offset, Integer.BYTES), value);
    }

    /** Copies a whole record into an array. */
    public void get(long record, byte[] into, int at) {
        RawMemory.copy(memory, place(record, 0, recordLength), into, at, recordLength);
    }

    /** Writes a whole record from an array. */
    public void put(long record, byte[] from, int at) {
        RawMemory.copy(from, at, memory, place(record, 0, recordLength), recordLength);
    }

    private long place(long record, int offset, int width) {
        Objects.checkFromIndexSize(offset, width, recordLength);
        return Objects.checkIndex(record, count) * recordLength + offset;
    }
}
