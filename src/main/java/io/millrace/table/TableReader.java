package io.millrace.table;

import java.lang.foreign.MemorySegment;

/**
 * Looks up rows, many at a time, for one thread. A row is identified by the offset of its first byte in
 * {@link #memory()}. A key that the table does not contain gets the row {@link #absentRow()}. Its optional fields are
 * absent, so that they can be copied without a check; the bytes of its required fields have no meaning.
 *
 * <p>The result of a lookup is valid and unchanged until the next one. Allocates nothing once it has grown to the size
 * of the batches. Not thread-safe.
 */
public interface TableReader {

    /**
     * Finds rows by integers or codes.
     *
     * @param rows receives the row of each key, at the same index
     * @return number of keys that the table does not contain
     */
    int find(long[] keys, int count, long[] rows);

    /**
     * Finds rows by texts.
     *
     * @param keys texts without separators, each with the width and the padding of the key's field, followed by one
     *     byte: 0, or 1 if the text was too long and can be in no row
     * @param rows receives the row of each key, at the same index
     * @return number of keys that the table does not contain
     */
    int find(byte[] keys, int count, long[] rows);

    /** Returns the memory that contains the rows of the last lookup. */
    MemorySegment memory();

    /** Returns the row for keys that the table does not contain. */
    long absentRow();
}
