package io.millrace.expression.ir;

/** The powers of ten that fit a long. Stateless; allocates nothing. */
public final class PowersOfTen {

    /** The largest exponent: 10<sup>19</sup> is past the range of long. */
    public static final int LARGEST = 18;

    private static final long[] POWERS = new long[LARGEST + 1];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private PowersOfTen() {}

    /** Returns ten to the power of an exponent from 0 to {@link #LARGEST}. */
    public static long of(int exponent) {
        return POWERS[exponent];
    }
}
