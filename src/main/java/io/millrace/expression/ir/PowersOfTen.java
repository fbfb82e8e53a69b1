package io.millrace.expression.ir;

/** The powers of ten that a long holds. Stateless; allocates nothing. */
public final class PowersOfTen {

    /** Largest exponent: 10<sup>19</sup> is past the range of long. */
    public static final int LARGEST = 18;

    private static final long[] POWERS = new long[LARGEST + 1];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private PowersOfTen() {}

    /** Ten to the power of an exponent of 0 to {@link #LARGEST}. */
    public static long of(int exponent) {
        return POWERS[exponent];
    }
}
