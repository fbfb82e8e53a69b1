package io.millrace.table;

import java.lang.foreign.MemorySegment;

/**
 * Looks rows up, many at a time, for one thread. A row is named by the offset of its first byte in {@link #memory()}; a
 * key that the table does not hold gets the row {@link #absentRow()}, in which every field that can be absent is, so
 * that whoever copies such fields need not ask. The bytes of its other fields mean nothing.
 *
 * <p>What a look-up gave is good, and the same, until the next one. Allocates nothing once it has grown to the size of
 * the batches. Not thread-safe.
 */
public interface TableReader {

    /**
     * Finds rows by whole numbers or codes.
     *
     * @param rows receives the row of each key, same index
     * @return how many keys the table does not hold
     */
    int find(long[] keys, int count, long[] rows);

    /**
     * Finds rows by texts.
     *
     * @param keys one behind the other, each the width of the key's field, padded as that is, and one byte more: 0, or
     *     1 where the text was too long and can be in no row
     * @param rows receives the row of each key, same index
     * @return how many keys the table does not hold
     */
    int find(byte[] keys, int count, long[] rows);

    /** Where the rows lie that the last look-up found. */
    MemorySegment memory();

    /** The row that stands for a key that the table does not hold. */
    long absentRow();
}
