package io.millrace.feed.generator;

/**
 * Random numbers of one record after the other (SplitMix64). Those of a record depend only on seed and record number,
 * so that it does not matter in which portions records are asked for. Not thread-safe; allocates nothing.
 */
final class Draws {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long seed;
    private long state;

    Draws(long seed) {
        this.seed = mix(seed + GOLDEN);
    }

    /** Begins the numbers of a record. */
    void start(long record) {
        state = mix(seed ^ mix(record + 1));
    }

    long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 up to, not including, a bound of less than 2^31. */
    int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /** From one number to another, both included; any two longs, compared as unsigned if they are meant so. */
    long between(long low, long high) {
        long choices = high - low + 1;
        if (choices == 0) {
            return next();
        }
        return low + Math.unsignedMultiplyHigh(next(), choices);
    }

    /** From 0 up to, not including, 1. */
    double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
