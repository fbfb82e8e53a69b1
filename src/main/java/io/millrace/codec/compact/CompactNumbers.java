package io.millrace.codec.compact;

/**
 * The numbers of the compact layout that are more than a {@link Varint}. {@code docs/reference/formats.md} describes
 * their bytes. Stateless; no method allocates.
 */
public final class CompactNumbers {

    /** Days from 1970-01-01 to 2020-01-01. Dates are stored as the distance from it. */
    public static final long EPOCH_DAY = 18_262;

    /** Precedes a double of eight bytes. Smaller heads are the exponent of a decimal. */
    public static final int DOUBLE = 0x20;

    /** Precedes a float of four bytes. */
    public static final int FLOAT = 0x21;

    /** A decimal of this many digits after the point is the exact quotient of two doubles (Clinger, 1990). */
    static final int MAX_EXPONENT = 22;

    /** Bits of the longest varint whose first byte is not all ones. */
    static final int PLAIN_BITS = 56;

    /** Bits of the number of zeros at the end of a decimal. */
    static final int ZEROS_BITS = 4;

    /** Maximum number of zeros at the end of a decimal that are left out. */
    static final int MAX_ZEROS = (1 << ZEROS_BITS) - 1;

    /** Maximum distance of the product of an exponent that fits from a whole number, relative to the product. */
    private static final double ROUNDING = 0x1p-51;

    private static final long MAX_MANTISSA = 1L << 53;
    private static final double[] POWERS = new double[MAX_EXPONENT + 1];
    private static final long[] LONG_POWERS = new long[MAX_ZEROS + 1];

    static {
        double power = 1;
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = power;
            power *= 10;
        }
        long whole = 1;
        for (int i = 0; i < LONG_POWERS.length; i++) {
            LONG_POWERS[i] = whole;
            whole *= 10;
        }
    }

    private CompactNumbers() {}

    /** Returns a power of ten; the exponent is at most {@link #MAX_ZEROS}. */
    static long power(int exponent) {
        return LONG_POWERS[exponent];
    }

    /**
     * Returns the number of a decimal's varint.
     *
     * @param length bytes of the varint
     * @throws ArithmeticException if it exceeds a long
     */
    public static long decimal(long value, int length) {
        if (length == Varint.MAX_BYTES) {
            return Varint.unzigzag(value);
        }
        if ((value & 1) == 0) {
            return Varint.unzigzag(value >>> 1);
        }
        return Math.multiplyExact(Varint.unzigzag(value >>> (ZEROS_BITS + 1)), power((int) (value >>> 1) & MAX_ZEROS));
    }

    /** Returns the quotient of a decimal's mantissa and the power of ten of its exponent, which is exactly rounded. */
    public static double real(long mantissa, int exponent) {
        return mantissa / POWERS[exponent];
    }

    /** Returns the smallest exponent for which {@link #real} restores a double, or -1 if there is none. */
    static int exponent(double value) {
        for (int exponent = 0; exponent <= MAX_EXPONENT; exponent++) {
            double scaled = value * POWERS[exponent];
            if (Math.abs(scaled) >= MAX_MANTISSA) {
                return -1;
            }
            // The product and the quotient round by 2^-53 at most, so that most exponents need no division.
            if (Math.abs(scaled - Math.rint(scaled)) > Math.abs(scaled) * ROUNDING) {
                continue;
            }
            double restored = real(Math.round(scaled), exponent);
            if (Double.doubleToRawLongBits(restored) == Double.doubleToRawLongBits(value)) {
                return exponent;
            }
        }
        return -1;
    }

    /** Returns the smallest exponent for which {@link #real}, as a float, restores a float; -1 if there is none. */
    static int exponent(float value) {
        for (int exponent = 0; exponent <= MAX_EXPONENT; exponent++) {
            double scaled = value * POWERS[exponent];
            if (Math.abs(scaled) >= MAX_MANTISSA) {
                return -1;
            }
            float restored = (float) real(Math.round(scaled), exponent);
            if (Float.floatToRawIntBits(restored) == Float.floatToRawIntBits(value)) {
                return exponent;
            }
        }
        return -1;
    }

    /** Returns the mantissa for an exponent of {@link #exponent}. */
    static long mantissa(double value, int exponent) {
        return Math.round(value * POWERS[exponent]);
    }
}
