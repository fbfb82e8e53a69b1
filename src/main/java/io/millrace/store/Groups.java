package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.expression.FieldTest;
import java.util.Arrays;

/**
 * Groups by their keys, and their figures: a hash table with linear probing over keys of one length. Of a group it
 * keeps how many records it has, then for each figure four longs: the smallest and the largest number, and the sum, as
 * low and high half of 128 bits or as a double. Not thread-safe; allocates where it grows only.
 */
final class Groups {

    static final int LONGS = 4;
    private static final int FIRST = 64;
    private static final int EMPTY = -1;

    private final int keyLength;
    private final boolean[] real;
    private final int width;
    private final int limit;
    private byte[] keys;
    private long[] figures;
    private int[] table;
    private int size;

    /**
     * @param keyLength bytes of a key
     * @param real of each figure whether its numbers stand for doubles
     * @param limit the most groups
     */
    Groups(int keyLength, boolean[] real, int limit) {
        this.keyLength = keyLength;
        this.real = real.clone();
        this.width = 1 + LONGS * real.length;
        this.limit = limit;
        keys = new byte[FIRST * keyLength];
        figures = new long[FIRST * width];
        table = new int[2 * FIRST];
        Arrays.fill(table, EMPTY);
    }

    /** How many longs are kept of a group. */
    int width() {
        return width;
    }

    int size() {
        return size;
    }

    byte[] key(int group) {
        return Arrays.copyOfRange(keys, group * keyLength, (group + 1) * keyLength);
    }

    long[] figures() {
        return Arrays.copyOf(figures, size * width);
    }

    /**
     * The group of a key, made if it is new.
     *
     * @throws StoreException where there would be too many
     */
    int group(byte[] key) {
        int slot = hash(key, 0) & (table.length - 1);
        while (table[slot] != EMPTY) {
            int at = table[slot] * keyLength;
            if (Arrays.equals(keys, at, at + keyLength, key, 0, keyLength)) {
                return table[slot];
            }
            slot = (slot + 1) & (table.length - 1);
        }
        if (size == limit) {
            throw new StoreException("there are more than " + limit + " groups: raise the limit, or ask for less");
        }
        table[slot] = size;
        return add(key);
    }

    private int add(byte[] key) {
        if ((size + 1) * keyLength > keys.length || (size + 1) * width > figures.length) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
            figures = Arrays.copyOf(figures, 2 * figures.length);
        }
        System.arraycopy(key, 0, keys, size * keyLength, keyLength);
        int at = size * width + 1;
        for (int i = 0; i < real.length; i++) {
            figures[at + i * LONGS] = Long.MAX_VALUE;
            figures[at + i * LONGS + 1] = Long.MIN_VALUE;
        }
        int group = size++;
        if (2 * size > table.length) {
            rehash();
        }
        return group;
    }

    private void rehash() {
        table = new int[2 * table.length];
        Arrays.fill(table, EMPTY);
        for (int group = 0; group < size; group++) {
            int slot = hash(keys, group * keyLength) & (table.length - 1);
            while (table[slot] != EMPTY) {
                slot = (slot + 1) & (table.length - 1);
            }
            table[slot] = group;
        }
    }

    private int hash(byte[] from, int at) {
        long hash = 0;
        int i = 0;
        for (; i + Long.BYTES <= keyLength; i += Long.BYTES) {
            hash = (hash ^ RawBytes.getLong(from, at + i)) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 32;
        }
        for (; i < keyLength; i++) {
            hash = (hash ^ from[at + i]) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }

    /** Counts one more record of a group. */
    void count(int group) {
        figures[group * width]++;
    }

    /**
     * Takes a number into a figure of a group.
     *
     * @param number as the figure has them: of doubles, in their order
     */
    void take(int group, int figure, long number) {
        int at = group * width + 1 + figure * LONGS;
        figures[at] = Math.min(figures[at], number);
        figures[at + 1] = Math.max(figures[at + 1], number);
        if (real[figure]) {
            addDouble(at + 2, Double.longBitsToDouble(FieldTest.orderOf(number)));
        } else {
            addExactly(at + 2, number, number >> 63);
        }
    }

    /** Takes what another has of a group into one of these. */
    void merge(int group, long[] others, int from) {
        int at = group * width;
        figures[at] += others[from];
        for (int i = 1; i < width; i += LONGS) {
            figures[at + i] = Math.min(figures[at + i], others[from + i]);
            figures[at + i + 1] = Math.max(figures[at + i + 1], others[from + i + 1]);
            if (real[i / LONGS]) {
                addDouble(at + i + 2, Double.longBitsToDouble(others[from + i + 2]));
            } else {
                addExactly(at + i + 2, others[from + i + 2], others[from + i + 3]);
            }
        }
    }

    private void addDouble(int at, double value) {
        figures[at] = Double.doubleToRawLongBits(Double.longBitsToDouble(figures[at]) + value);
    }

    private void addExactly(int at, long low, long high) {
        long sum = figures[at] + low;
        int carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        figures[at] = sum;
        figures[at + 1] += high + carry;
    }
}
