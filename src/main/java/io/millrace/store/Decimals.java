package io.millrace.store;

import io.millrace.expression.FieldCondition;

/**
 * Finds out whether doubles are decimals: whole numbers by a power of ten, exactly. Serves all blocks of a column. Not
 * thread-safe; allocates only to grow.
 */
final class Decimals {

    /** Digits after the point of doubles that are taken for decimals. */
    private static final int DIGITS_MAX = 12;

    /** Doubles tell whole numbers apart up to here. */
    private static final long EXACT_MAX = 1L << 53;

    private static final int SAMPLE = 32;

    private long[] numbers = new long[0];
    private int count;
    private boolean absentAmong;
    private long absent;
    private long[] scaled = new long[0];
    private long smallest;
    private long largest;
    private int power;
    private int lastPower;

    /**
     * Looks for the least power of ten by which all present numbers are whole.
     *
     * @param orders doubles as numbers in their order
     * @param count how many
     * @param absentAmong whether one that is {@code absent} is among them
     * @return whether there is one; then it and the whole numbers can be asked for
     */
    boolean find(long[] orders, int count, boolean absentAmong, long absent) {
        this.numbers = orders;
        this.count = count;
        this.absentAmong = absentAmong;
        this.absent = absent;
        // What the block before had is mostly right, but for a longer one that rounds to the same doubles.
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

    /** The whole numbers; of one that is absent, anything. */
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

    /** Begins the next search with the power found. */
    void keepPower() {
        lastPower = power;
    }

    private boolean isAbsent(int index) {
        return absentAmong && numbers[index] == absent;
    }

    private boolean sampleScales(int by) {
        int step = Math.max(1, count / SAMPLE);
        for (int i = 0; i < count; i += step) {
            if (!isAbsent(i) && !scales(numbers[i], by)) {
                return false;
            }
        }
        return true;
    }

    private static boolean scales(long order, int by) {
        PowerOfTen ten = PowerOfTen.of(by);
        long number = toScaled(order, ten.real());
        return Math.abs(number) <= EXACT_MAX && ten.order(number) == order;
    }

    private static long toScaled(long order, double ten) {
        return (long) Math.rint(Double.longBitsToDouble(FieldCondition.orderOf(order)) * ten);
    }

    /** Scales all numbers; gives the index of the first for which that does not work, or -1. */
    private int scaleAll() {
        if (scaled.length < count) {
            scaled = new long[count];
        }
        PowerOfTen ten = PowerOfTen.of(power);
        double real = ten.real();
        long different = 0;
        // No way out of this loop: nearly always all numbers are decimals.
        for (int i = 0; i < count; i++) {
            long number = toScaled(numbers[i], real);
            scaled[i] = number;
            different |= ten.order(number) ^ numbers[i];
        }
        if (different == 0 && !absentAmong) {
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
        smallest = Long.MAX_VALUE;
        largest = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            boolean present = !isAbsent(i);
            smallest = Math.min(smallest, present ? scaled[i] : Long.MAX_VALUE);
            largest = Math.max(largest, present ? scaled[i] : Long.MIN_VALUE);
        }
        return smallest >= -EXACT_MAX && largest <= EXACT_MAX && smallest <= largest;
    }
}
