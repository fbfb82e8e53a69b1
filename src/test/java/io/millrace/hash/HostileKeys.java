package io.millrace.hash;

import java.lang.reflect.Array;
import java.lang.reflect.Field;

/**
 * Keys that somebody chose to collide, by what the sources show of a hash, and what they do to a table with linear
 * probing.
 */
public final class HostileKeys {

    private static final long MURMUR = 0xff51afd7ed558ccdL;
    private static final long SECOND_MURMUR = 0xc4ceb9fe1a85ec53L;

    private HostileKeys() {}

    /** The number that a multiplication modulo 2<sup>64</sup> by an odd number is undone by. */
    public static long inverse(long odd) {
        long inverse = odd;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** The key whose product with the {@link SeededHash#GOLDEN_RATIO} is this number. */
    public static long withProduct(long product) {
        return product * inverse(SeededHash.GOLDEN_RATIO);
    }

    /** The key of this {@link KeyHash}. */
    public static long withKeyHash(long hash) {
        long key = hash ^ (hash >>> 33);
        key *= inverse(SECOND_MURMUR);
        key ^= key >>> 33;
        key *= inverse(MURMUR);
        return key ^ (key >>> 33);
    }

    /** The key of this {@link SeededHash}, to those who know the seed. */
    public static long withHash(long seed, long hash) {
        long mask = KeyHash.of(seed + SeededHash.GOLDEN_RATIO);
        long first = KeyHash.of(seed + 2 * SeededHash.GOLDEN_RATIO) | 1;
        long second = KeyHash.of(seed + 3 * SeededHash.GOLDEN_RATIO) | 1;
        long third = KeyHash.of(seed + 4 * SeededHash.GOLDEN_RATIO) | 1;
        long key = (hash ^ (hash >>> 32)) * inverse(third);
        key = (key ^ (key >>> 32)) * inverse(second);
        return (key ^ (key >>> 32)) * inverse(first) ^ mask;
    }

    /** What the first 8 bytes of 16 do to the {@link KeyHash} of all: the last 8 undo it by an exclusive or. */
    public static long textState(long firstWord) {
        long mixed = (16 ^ firstWord) * MURMUR;
        return mixed ^ (mixed >>> 32);
    }

    /**
     * The longest run of slots in use, around the end of the table too: no probe is longer.
     *
     * @param slots name of the table's field that is an array of slots
     * @param free what a free slot holds
     */
    public static int longestRun(Object table, String slots, int free) {
        Object array;
        try {
            Field field = table.getClass().getDeclaredField(slots);
            field.setAccessible(true);
            array = field.get(table);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        int length = Array.getLength(array);
        int longest = 0;
        int run = 0;
        for (int i = 0; i < 2 * length && run < length; i++) {
            run = Array.getInt(array, i % length) == free ? 0 : run + 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
