package io.millrace.store.scan;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Records in their {@linkplain io.millrace.store.region.StoredForm stored form}, back to back in one array. Immutable
 * once built.
 *
 * @param bytes of all records, possibly with some unused ones behind them
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

        /** Unused bytes are left behind the records if they are at most one part in this many. */
        private static final int UNUSED = 8;

        private byte[] bytes;
        private int[] ends;
        private int length;
        private int count;

        /** Creates a builder for a few records. */
        Builder() {
            this(0, 0);
        }

        /** Creates a builder for this many records and bytes, and somewhat more. */
        Builder(int records, int bytes) {
            this.bytes = new byte[Math.max(1 << 10, bytes + bytes / (2 * UNUSED))];
            this.ends = new int[Math.max(1 << 5, records + records / (2 * UNUSED))];
        }

        /** Adds a copy of a record. */
        void add(byte[] record) {
            int at = reserve(1, record.length);
            System.arraycopy(record, 0, bytes, at, record.length);
        }

        /**
         * Adds records of the same length whose bytes are zero, to be set in {@link #bytes()}.
         *
         * @return offset of the first one
         */
        int reserve(int records, int recordLength) {
            int at = length;
            int end = Math.addExact(at, Math.multiplyExact(records, recordLength));
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            if (count + records > ends.length) {
                ends = Arrays.copyOf(ends, Math.max(count + records, 2 * count));
            }
            for (int i = 0; i < records; i++) {
                length += recordLength;
                ends[count++] = length;
            }
            return at;
        }

        /** Returns the bytes of all records so far; another array once records are added. */
        byte[] bytes() {
            return bytes;
        }

        int count() {
            return count;
        }

        /** Returns the length in bytes of all records so far. */
        int length() {
            return length;
        }

        /** Returns the records. No more can be added then. */
        PackedRecords build() {
            boolean full = bytes.length - length <= length / UNUSED;
            return new PackedRecords(full ? bytes : Arrays.copyOf(bytes, length), Arrays.copyOf(ends, count));
        }
    }
}
