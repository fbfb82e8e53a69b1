package io.millrace.view.list;

import io.millrace.schema.Schema;
import io.millrace.view.RecordViews;
import java.util.Arrays;

/**
 * Bytes of records, back to back in arrays of up to 64 KiB, or of 64 records if lengths vary. Bytes that were written
 * never change: views that read them stay valid while records are added. Not thread-safe.
 *
 * <pre>
 * chunks   | record 0 | record 1 | ... record n-1 |   | record n | ...          n is a power of two
 * ends     | end 0    | end 1    | ... end n-1    |   | end n    | ...          only if lengths vary
 * </pre>
 */
final class ChunkedRecords {

    private static final int CHUNK_BYTES = 1 << 16;

    /** Records in a chunk if lengths vary: few enough that one array can hold the longest ones. */
    private static final int VARYING_IN_CHUNK = 64;

    /** Minimum number of records for which an array has space. */
    private static final int MIN_RECORDS = 8;

    private final int recordLength;
    private final int maxLength;
    private final int shift;
    private final int mask;
    private byte[][] chunks = {};
    private int[][] ends = {};
    private int count;
    private int used;

    /**
     * Returns space for the records of views.
     *
     * @throws IllegalArgumentException if these are views of rows
     */
    static ChunkedRecords of(RecordViews<?> views) {
        Schema schema = views.schema();
        if (schema == null) {
            throw new IllegalArgumentException("A list can't hold views of rows. Use the views of a schema.");
        }
        return new ChunkedRecords(
                views.compact() ? 0 : schema.recordLength(), schema.layout().maxLength());
    }

    /**
     * @param recordLength bytes of each record, or 0 if lengths vary
     * @param maxLength maximum number of bytes of a record
     */
    private ChunkedRecords(int recordLength, int maxLength) {
        int inChunk = recordLength == 0
                ? VARYING_IN_CHUNK
                : Integer.highestOneBit(Math.clamp(CHUNK_BYTES / recordLength, 1, CHUNK_BYTES));
        this.recordLength = recordLength;
        this.maxLength = maxLength;
        this.shift = Integer.numberOfTrailingZeros(inChunk);
        this.mask = inChunk - 1;
    }

    boolean varying() {
        return recordLength == 0;
    }

    int recordLength() {
        return recordLength;
    }

    int maxLength() {
        return maxLength;
    }

    int count() {
        return count;
    }

    /** Returns the array that contains a record. */
    byte[] array(int index) {
        return chunks[index >> shift];
    }

    /** Returns the offset of a record in its array. */
    int start(int index) {
        int inChunk = index & mask;
        if (recordLength != 0) {
            return inChunk * recordLength;
        }
        return inChunk == 0 ? 0 : ends[index >> shift][inChunk - 1];
    }

    /** Returns the index of the last record in the same array as a record, which may not be there yet. */
    int lastInChunk(int index) {
        return index | mask;
    }

    int length(int index) {
        return recordLength != 0 ? recordLength : ends[index >> shift][index & mask] - start(index);
    }

    /**
     * Adds a copy of a record.
     *
     * @throws IllegalArgumentException if the record is too long
     */
    void add(byte[] bytes, int start, int length) {
        if (length > maxLength) {
            throw new IllegalArgumentException(
                    "Invalid length of a record: " + length + " bytes. A record has at most " + maxLength + " bytes.");
        }
        if (count == Integer.MAX_VALUE) {
            throw new IllegalStateException("Too many records. A list has at most " + Integer.MAX_VALUE + ".");
        }
        int chunk = count >> shift;
        int inChunk = count & mask;
        if (inChunk == 0) {
            startChunk(chunk);
        }
        byte[] array = reserve(chunk, length);
        System.arraycopy(bytes, start, array, used, length);
        used += length;
        if (varying()) {
            ends[chunk][inChunk] = used;
            if (inChunk == mask) {
                chunks[chunk] = Arrays.copyOf(array, used);
            }
        }
        count++;
    }

    private void startChunk(int chunk) {
        if (chunk == chunks.length) {
            int capacity = Math.max(MIN_RECORDS, chunk + (chunk >> 1));
            chunks = Arrays.copyOf(chunks, capacity);
            ends = varying() ? Arrays.copyOf(ends, capacity) : ends;
        }
        chunks[chunk] = new byte[0];
        if (varying()) {
            ends[chunk] = new int[mask + 1];
        }
        used = 0;
    }

    /** Returns the array of a chunk, with space for a record. */
    private byte[] reserve(int chunk, int length) {
        byte[] array = chunks[chunk];
        int needed = used + length;
        if (needed > array.length) {
            int capacity = Math.max(needed, Math.max(2 * array.length, MIN_RECORDS * length));
            array = Arrays.copyOf(array, varying() ? capacity : Math.min(capacity, (mask + 1) * recordLength));
            chunks[chunk] = array;
        }
        return array;
    }
}
