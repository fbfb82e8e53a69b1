package io.millrace.feed.generator;

/**
 * Random numbers for one record after another (SplitMix64). The numbers of a record depend only on the seed and the
 * record number, not on the batches in which records are generated. Not thread-safe; allocates nothing.
 */
final class Draws {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long seed;
    private long state;

    Draws(long seed) {
        this.seed = mix(seed + GOLDEN);
    }

    /** Starts the numbers of a record. */
    void start(long record) {
        state = mix(seed ^ mix(record + 1));
    }

    /** Returns where the numbers of the record are, for {@link #resume}. */
    long state() {
        return state;
    }

    /** Continues with the numbers of a record. */
    void resume(long earlier) {
        state = earlier;
    }

    long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** Returns a number from 0 to a bound, exclusive, that is less than 2^31. */
    int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /** Returns a number between two bounds, both inclusive. The bounds may be any longs, including unsigned ones. */
    long between(long low, long high) {
        long choices = high - low + 1;
        if (choices == 0) {
            return next();
        }
        return low + Math.unsignedMultiplyHigh(next(), choices);
    }

    /** Returns a number from 0 to 1, exclusive. */
    double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
