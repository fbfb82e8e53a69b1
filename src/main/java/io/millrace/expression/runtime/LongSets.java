package io.millrace.expression.runtime;

import java.util.Arrays;
import java.util.List;

/** Sets of longs as constants of generated code. Stateless; tests allocate nothing. */
public final class LongSets {

    /** Members of a set that is stored as bits are smaller than this. */
    public static final int BIT_LIMIT = 1 << 16;

    private LongSets() {}

    /** Returns one bit for each value from 0 to the largest member. */
    public static long[] bits(List<Long> members) {
        int largest = members.stream().mapToInt(Math::toIntExact).max().orElse(0);
        long[] words = new long[(largest >> 6) + 1];
        for (long member : members) {
            words[(int) (member >> 6)] |= 1L << member;
        }
        return words;
    }

    /** Returns whether the bit of a value is set. */
    public static boolean testBit(long value, long[] words) {
        return value >= 0 && value < (long) words.length << 6 && (words[(int) (value >> 6)] >>> value & 1) != 0;
    }

    /** Returns whether a sorted array contains a value. */
    public static boolean contains(long value, long[] sorted) {
        return Arrays.binarySearch(sorted, value) >= 0;
    }
}
