package io.millrace.memory;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Records of one length, back to back in off-heap memory.
 *
 * <pre>
 * | record 0 | record 1 | record 2 | ...     record i begins at byte i * recordLength
 * </pre>
 *
 * A field is identified by its offset in the record. Every access is checked against the bounds of the record and of
 * the memory, and throws {@link IndexOutOfBoundsException} outside of them. No method allocates. As thread-safe as the
 * memory: readers and writers of the same record have to synchronize.
 */
public final class OffHeapRecords {

    private final MemorySegment memory;
    private final int recordLength;
    private final long count;

    /**
     * @param memory memory that begins with the first record
     * @param recordLength length of a record in bytes, at least 1
     */
    public OffHeapRecords(MemorySegment memory, int recordLength) {
        this.memory = memory;
        this.recordLength = recordLength;
        this.count = memory.byteSize() / recordLength;
    }

    /** Returns the number of records that fit the memory. */
    public long count() {
        return count;
    }

    /** Returns the length of a record in bytes. */
    public int recordLength() {
        return recordLength;
    }

    /** Returns a field of eight bytes. */
    public long getLong(long record, int offset) {
        return RawMemory.getLong(memory, place(record, offset, Long.BYTES));
    }

    /** Writes a field of eight bytes. */
    public void putLong(long record, int offset, long value) {
        RawMemory.putLong(memory, place(record, offset, Long.BYTES), value);
    }

    /** Returns a field of four bytes. */
    public int getInt(long record, int offset) {
        return RawMemory.getInt(memory, place(record, offset, Integer.BYTES));
    }

    /** Writes a field of four bytes. */
    public void putInt(long record, int offset, int value) {
        RawMemory.putInt(memory, place(record, offset, Integer.BYTES), value);
    }

    /** Copies a record to an array. */
    public void get(long record, byte[] target, int at) {
        RawMemory.copy(memory, place(record, 0, recordLength), target, at, recordLength);
    }

    /** Copies a record from an array. */
    public void put(long record, byte[] source, int at) {
        RawMemory.copy(source, at, memory, place(record, 0, recordLength), recordLength);
    }

    private long place(long record, int offset, int width) {
        Objects.checkFromIndexSize(offset, width, recordLength);
        return Objects.checkIndex(record, count) * recordLength + offset;
    }
}
