package io.millrace.store.block;

import io.millrace.expression.range.FieldCondition;

/**
 * Detects doubles that are decimals: exactly a whole number divided by a power of ten. Serves all blocks of a column.
 * Not thread-safe; allocates only to grow.
 */
final class Decimals {

    /** Maximum number of digits after the decimal point. */
    private static final int DIGITS_MAX = 12;

    /** The largest whole number up to which doubles represent all whole numbers. */
    private static final long EXACT_MAX = 1L << 53;

    private static final int SAMPLE = 32;

    private long[] numbers = new long[0];
    private int count;
    private boolean hasAbsent;
    private long absent;
    private long[] scaled = new long[0];
    private final NumberRange range = new NumberRange();
    private long smallest;
    private long largest;
    private int power;
    private int lastPower;

    /**
     * Searches the smallest power of ten that makes all present numbers whole.
     *
     * @param orders doubles as numbers in their order
     * @param count number of doubles
     * @param hasAbsent whether {@code absent} is among them
     * @return whether there is such a power; then it and the whole numbers are available
     */
    boolean find(long[] orders, int count, boolean hasAbsent, long absent) {
        this.numbers = orders;
        this.count = count;
        this.hasAbsent = hasAbsent;
        this.absent = absent;
        // The power of the previous block is usually right, unless it is a larger one that rounds to the same doubles.
        power = lastPower > 0 && sampleScales(lastPower - 1) ? 0 : lastPower;
        while (power <= DIGITS_MAX && !sampleScales(power)) {
            power++;
        }
        while (power <= DIGITS_MAX) {
            int failedAt = scaleAll();
            if (failedAt < 0) {
                return measured();
            }
            do {
                power++;
            } while (power <= DIGITS_MAX && !scales(numbers[failedAt], power));
        }
        return false;
    }

    /** Returns the whole numbers; undefined for absent ones. */
    long[] scaled() {
        return scaled;
    }

    long smallest() {
        return smallest;
    }

    long largest() {
        return largest;
    }

    int power() {
        return power;
    }

    /** Starts the next search with the power found. */
    void keepPower() {
        lastPower = power;
    }

    private boolean isAbsent(int index) {
        return hasAbsent && numbers[index] == absent;
    }

    private boolean sampleScales(int digits) {
        int step = Math.max(1, count / SAMPLE);
        for (int i = 0; i < count; i += step) {
            if (!isAbsent(i) && !scales(numbers[i], digits)) {
                return false;
            }
        }
        return true;
    }

    private static boolean scales(long order, int digits) {
        PowerOfTen ten = PowerOfTen.of(digits);
        long number = toScaled(order, ten.real());
        return Math.abs(number) <= EXACT_MAX && ten.order(number) == order;
    }

    private static long toScaled(long order, double ten) {
        return (long) Math.rint(Double.longBitsToDouble(FieldCondition.orderOf(order)) * ten);
    }

    /** Scales all numbers; returns the index of the first for which that is not exact, or -1. */
    private int scaleAll() {
        if (scaled.length < count) {
            scaled = new long[count];
        }
        PowerOfTen ten = PowerOfTen.of(power);
        double real = ten.real();
        long differentBits = 0;
        // No early exit from this loop: nearly always all numbers are decimals.
        for (int i = 0; i < count; i++) {
            long number = toScaled(numbers[i], real);
            scaled[i] = number;
            differentBits |= ten.order(number) ^ numbers[i];
        }
        if (differentBits == 0 && !hasAbsent) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            if (ten.order(scaled[i]) != numbers[i] && !isAbsent(i)) {
                return i;
            }
        }
        return -1;
    }

    private boolean measured() {
        if (hasAbsent) {
            smallest = Long.MAX_VALUE;
            largest = Long.MIN_VALUE;
            for (int i = 0; i < count; i++) {
                boolean present = numbers[i] != absent;
                smallest = Math.min(smallest, present ? scaled[i] : Long.MAX_VALUE);
                largest = Math.max(largest, present ? scaled[i] : Long.MIN_VALUE);
            }
        } else {
            range.clear();
            for (int first = 0; first < count; first += ColumnPlan.RUN) {
                range.include(scaled, first, Math.min(first + ColumnPlan.RUN, count));
            }
            smallest = range.min();
            largest = range.max();
        }
        return smallest >= -EXACT_MAX && largest <= EXACT_MAX && smallest <= largest;
    }
}
