package io.millrace.feed.pcap;

/**
 * The unit of a capture's timestamps, as in {@code if_tsresol} of pcapng: a negative power of ten, or of two, of a
 * second. Immutable.
 */
record TimestampUnit(boolean binary, int exponent) {

    static final TimestampUnit MICROSECONDS = new TimestampUnit(false, 6);
    static final TimestampUnit NANOSECONDS = new TimestampUnit(false, 9);

    private static final int NANOS_EXPONENT = 9;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /** Exponent of the largest power of ten that fits a {@code long}. */
    private static final int LARGEST_POWER_OF_TEN = 18;

    /** Returns the unit of an {@code if_tsresol} value, whose highest bit is set for powers of two. */
    static TimestampUnit ofOption(int tsresol) {
        return new TimestampUnit((tsresol & 0x80) != 0, tsresol & 0x7f);
    }

    /**
     * Converts units to nanoseconds; returns {@link Long#MAX_VALUE} if the result does not fit.
     *
     * @param units unsigned
     */
    long nanos(long units) {
        return binary ? ofBinary(units) : ofDecimal(units);
    }

    private long ofDecimal(long units) {
        int excessExponent = exponent - NANOS_EXPONENT;
        if (excessExponent > LARGEST_POWER_OF_TEN) {
            return 0;
        }
        long factor = powerOfTen(Math.abs(excessExponent));
        return excessExponent > 0 ? positive(Long.divideUnsigned(units, factor)) : product(units, factor);
    }

    /** Converts by whole seconds and a fraction of 32 bits. */
    private long ofBinary(long units) {
        long seconds = exponent < Long.SIZE ? units >>> exponent : 0;
        long fraction;
        if (exponent <= Integer.SIZE) {
            fraction = units << (Integer.SIZE - exponent);
        } else if (exponent - Integer.SIZE < Long.SIZE) {
            fraction = units >>> (exponent - Integer.SIZE);
        } else {
            fraction = 0;
        }
        long nanos = ((fraction & 0xffff_ffffL) * NANOS_PER_SECOND) >>> Integer.SIZE;
        return positive(product(seconds, NANOS_PER_SECOND) + nanos);
    }

    private static long product(long unsigned, long factor) {
        return Math.unsignedMultiplyHigh(unsigned, factor) == 0 ? positive(unsigned * factor) : Long.MAX_VALUE;
    }

    private static long positive(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }

    private static long powerOfTen(int power) {
        long value = 1;
        for (int i = 0; i < power; i++) {
            value *= 10;
        }
        return value;
    }
}
