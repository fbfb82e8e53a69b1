package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.hash.SeededHash;
import java.util.Arrays;

/**
 * The distinct values of a column of more than 8 bytes, as long as they are few: an open-addressing hash table of their
 * offsets. The hash is seeded, because the values come from records; the written bytes do not depend on the seed. Not
 * thread-safe; allocates the table when it is first used, then only to grow.
 */
final class BytesDictionary {

    private static final int ENTRIES_MAX = NumberDictionary.ENTRIES_MAX;
    private static final int SLOTS = 4 * ENTRIES_MAX;
    private static final int SAMPLE = 64;
    private static final int SAMPLE_MAX = 48;
    private static final int FREE = -1;

    private final SeededHash hash = SeededHash.random();
    private int[] slots = new int[0];
    /** Offsets of the entries in the rows, in the order of their first occurrence. */
    private int[] offsets = new int[0];

    private long[] codes = new long[0];
    private int size;

    /**
     * Collects the values of a column; returns false if there are too many distinct ones, first according to a sample.
     */
    boolean collect(byte[] rows, int at, int stride, int count, int bytes) {
        if (codes.length < count) {
            codes = new long[count];
        }
        if (count >= 4 * SAMPLE) {
            clear();
            int step = count / SAMPLE;
            for (int i = 0; i < SAMPLE; i++) {
                code(rows, at + i * step * stride, bytes);
                if (size > SAMPLE_MAX) {
                    return false;
                }
            }
        }
        clear();
        for (int i = 0; i < count; i++) {
            int code = code(rows, at + i * stride, bytes);
            if (code < 0) {
                return false;
            }
            codes[i] = code;
        }
        return size > 0;
    }

    private void clear() {
        size = 0;
        if (slots.length == 0) {
            slots = new int[SLOTS];
            offsets = new int[ENTRIES_MAX];
        }
        Arrays.fill(slots, FREE);
    }

    /** Returns the code of a value, which is assigned if necessary; negative if the dictionary is full. */
    private int code(byte[] rows, int at, int bytes) {
        int slot = (int) hash.hash(rows, at, bytes) & (SLOTS - 1);
        while (slots[slot] != FREE) {
            int offset = offsets[slots[slot]];
            if (isEqual(rows, offset, at, bytes)) {
                return slots[slot];
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        if (size == ENTRIES_MAX) {
            return FREE;
        }
        offsets[size] = at;
        slots[slot] = size;
        return size++;
    }

    private static boolean isEqual(byte[] rows, int first, int second, int bytes) {
        int last = bytes - Long.BYTES;
        long different = RawBytes.getLongLe(rows, first + last) ^ RawBytes.getLongLe(rows, second + last);
        for (int i = 0; i < last; i += Long.BYTES) {
            different |= RawBytes.getLongLe(rows, first + i) ^ RawBytes.getLongLe(rows, second + i);
        }
        return different == 0;
    }

    int size() {
        return size;
    }

    /** Writes the entries and the codes of the values that were collected from the same rows. */
    void write(byte[] rows, byte[] block, int at, int bytes, int width, int count) {
        for (int i = 0; i < size; i++) {
            System.arraycopy(rows, offsets[i], block, at + i * bytes, bytes);
        }
        Packed.put(codes, 0, count, width, block, at + size * bytes);
    }
}
