package io.millrace.store.block;

import io.millrace.hash.SeededHash;
import io.millrace.store.block.ColumnDirectory.Entry;
import java.util.Arrays;

/**
 * The distinct numbers of a column, as long as they are few: an open-addressing hash table. If numbers are chosen to
 * collide, it changes to a secret multiplier; the written bytes do not depend on it. Not thread-safe; allocates the
 * table when it is first used, then nothing except for the codes.
 */
final class NumberDictionary {

    /** Maximum number of entries: their codes take a byte. */
    static final int ENTRIES_MAX = 256;

    private static final int SLOTS = 4 * ENTRIES_MAX;
    private static final int SAMPLE = 64;
    private static final int SAMPLE_MAX = 48;
    /** Of random numbers, one in a million is so far from its home slot. */
    private static final int PROBES_MAX = 24;

    private static final int FREE = -1;

    private final SeededHash hash = SeededHash.random();
    private long multiplier = SeededHash.GOLDEN_RATIO;
    private long[] keys = new long[0];
    /** The ordinal of the entry in a slot, in the order of arrival. */
    private short[] ordinals = new short[0];

    /** The entries, first in the order of arrival, after collecting ascending. */
    private long[] entries = new long[0];
    /** The entries in the order of arrival. */
    private long[] arrivals = new long[0];
    /** Ascending ordinals of the entries in the order of arrival. */
    private int[] ranks = new int[0];

    /** The ordinal of each number. */
    private long[] codes = new long[0];

    private int size;

    /**
     * Collects the numbers of a column; returns false if there are too many distinct ones, first according to a sample.
     */
    boolean collect(long[] numbers, int count) {
        if (count >= 4 * SAMPLE) {
            clear();
            int step = count / SAMPLE;
            for (int i = 0; i < SAMPLE; i++) {
                code(numbers[i * step]);
                if (size > SAMPLE_MAX) {
                    return false;
                }
            }
        }
        clear();
        if (codes.length < count) {
            codes = new long[count];
        }
        for (int i = 0; i < count; i++) {
            int code = code(numbers[i]);
            if (code == FREE) {
                return false;
            }
            codes[i] = code;
        }
        System.arraycopy(entries, 0, arrivals, 0, size);
        Arrays.sort(entries, 0, size);
        return size > 0;
    }

    private void clear() {
        size = 0;
        if (keys.length == 0) {
            keys = new long[SLOTS];
            ordinals = new short[SLOTS];
            entries = new long[ENTRIES_MAX];
            arrivals = new long[ENTRIES_MAX];
            ranks = new int[ENTRIES_MAX];
        }
        Arrays.fill(ordinals, (short) FREE);
    }

    /** Returns the ordinal of a number by order of arrival, which is assigned if necessary; FREE if none is left. */
    private int code(long number) {
        int slot = slot(number);
        int ordinal = ordinals[slot];
        if (ordinal != FREE || size == ENTRIES_MAX) {
            return ordinal;
        }
        put(slot, number, size);
        entries[size++] = number;
        if (isFar(slot, number)) {
            rehash();
        }
        return size - 1;
    }

    private void put(int slot, long number, int ordinal) {
        keys[slot] = number;
        ordinals[slot] = (short) ordinal;
    }

    private int home(long number) {
        return (int) ((number * multiplier) >>> 54);
    }

    private boolean isFar(int slot, long number) {
        return ((slot - home(number)) & (SLOTS - 1)) > PROBES_MAX;
    }

    /** Rehashes all entries with other multipliers, until none is far from its home slot. */
    private void rehash() {
        int placed;
        do {
            multiplier = hash.multiplierAfter(multiplier);
            Arrays.fill(ordinals, (short) FREE);
            for (placed = 0; placed < size; placed++) {
                int slot = slot(entries[placed]);
                if (isFar(slot, entries[placed])) {
                    break;
                }
                put(slot, entries[placed], placed);
            }
        } while (placed < size);
    }

    /** Returns the slot of a number, or the free one in which it belongs. */
    private int slot(long number) {
        int slot = home(number);
        while (ordinals[slot] != FREE && keys[slot] != number) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        return slot;
    }

    int size() {
        return size;
    }

    long smallest() {
        return entries[0];
    }

    /** Returns the difference between the largest and the smallest number, unsigned. */
    long span() {
        return entries[size - 1] - entries[0];
    }

    /** Writes the entries and the codes of the numbers that were collected. */
    void write(int count, Entry entry, byte[] block, int at) {
        Packed.put(entries, entry.base, size, entry.power, block, at);
        for (int i = 0; i < size; i++) {
            ranks[i] = Arrays.binarySearch(entries, 0, size, arrivals[i]);
        }
        for (int i = 0; i < count; i++) {
            codes[i] = ranks[(int) codes[i]];
        }
        Packed.put(codes, 0, count, entry.width, block, at + (int) Packed.length(entry.power, size));
    }
}
