package io.millrace.store.block;

/**
 * Smallest and largest of many numbers. Compares whole runs of numbers with the range so far in a loop that the JIT
 * compiler turns into vector instructions, and looks for the new bounds only in runs that exceed it, which most don't.
 * Not thread-safe; allocates nothing.
 */
final class NumberRange {

    private long min;
    private long max;
    private boolean hasAbsent;

    /** Discards all numbers. */
    void clear() {
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
        hasAbsent = false;
    }

    /** Includes a run of numbers, none of which represents an absent value. */
    void include(long[] numbers, int from, int to) {
        if (from == to) {
            return;
        }
        // Of numbers that rise or fall, none exceeds the range that includes the first and the last one.
        long low = Math.min(min, Math.min(numbers[from], numbers[to - 1]));
        long high = Math.max(max, Math.max(numbers[from], numbers[to - 1]));
        long exceeds = 0;
        for (int i = from; i < to; i++) {
            exceeds |= exceeds(numbers[i], low, high);
        }
        if (exceeds < 0) {
            for (int i = from; i < to; i++) {
                long number = numbers[i];
                // Branches: new bounds are rare.
                if (number < low) {
                    low = number;
                }
                if (number > high) {
                    high = number;
                }
            }
        }
        min = low;
        max = high;
    }

    /** Includes a run of numbers, except for those that represent an absent value. */
    void include(long[] numbers, int from, int to, long absent) {
        if (min <= max) {
            long low = min;
            long high = max;
            long exceeds = 0;
            long absents = 0;
            for (int i = from; i < to; i++) {
                long number = numbers[i];
                long difference = number ^ absent;
                // Negative if the number is the absent value.
                long isAbsent = (difference - 1) & ~difference;
                exceeds |= exceeds(number, low, high) & ~isAbsent;
                absents |= isAbsent;
            }
            hasAbsent |= absents < 0;
            if (exceeds >= 0) {
                return;
            }
        }
        for (int i = from; i < to; i++) {
            long number = numbers[i];
            if (number == absent) {
                hasAbsent = true;
            } else {
                min = Math.min(min, number);
                max = Math.max(max, number);
            }
        }
    }

    /**
     * Returns a negative number if a number lies outside a range that is not empty. It may be negative for others, if a
     * difference overflows; it is never positive or zero for one outside: if one of the differences overflows, then the
     * other one is negative.
     */
    private static long exceeds(long number, long low, long high) {
        return (number - low) | (high - number);
    }

    /** Returns whether there is a number. */
    boolean any() {
        return min <= max;
    }

    /** Returns whether an absent value was among the numbers. */
    boolean hasAbsent() {
        return hasAbsent;
    }

    /** Returns the smallest number, or {@link Long#MAX_VALUE} if there is none. */
    long min() {
        return min;
    }

    /** Returns the largest number, or {@link Long#MIN_VALUE} if there is none. */
    long max() {
        return max;
    }
}
