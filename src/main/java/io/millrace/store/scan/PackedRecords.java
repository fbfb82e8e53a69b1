package io.millrace.store.scan;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Records in their {@linkplain io.millrace.store.region.StoredForm stored form}, back to back in one array. Immutable
 * once built.
 *
 * @param bytes of all records
 * @param ends of each record in these, ascending
 */
public record PackedRecords(byte[] bytes, int[] ends) implements Serializable {

    /** No records. */
    static final PackedRecords NONE = new PackedRecords(new byte[0], new int[0]);

    /** Returns the number of records. */
    int count() {
        return ends.length;
    }

    /** Returns the start offset of a record. */
    int from(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** Returns the end offset of a record. */
    int to(int index) {
        return ends[index];
    }

    /** Returns a copy of a record. */
    byte[] copy(int index) {
        return Arrays.copyOfRange(bytes, from(index), to(index));
    }

    /** Packs records; grows as necessary. Not thread-safe. */
    static final class Builder {

        private byte[] bytes = new byte[1 << 10];
        private int[] ends = new int[1 << 5];
        private int length;
        private int count;

        /** Adds a copy of a record. */
        void add(byte[] record) {
            if (length + record.length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(length + record.length, 2 * bytes.length));
            }
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, 2 * count);
            }
            System.arraycopy(record, 0, bytes, length, record.length);
            length += record.length;
            ends[count++] = length;
        }

        int count() {
            return count;
        }

        /** Returns the length in bytes of all records so far. */
        int length() {
            return length;
        }

        PackedRecords build() {
            return new PackedRecords(Arrays.copyOf(bytes, length), Arrays.copyOf(ends, count));
        }
    }
}
