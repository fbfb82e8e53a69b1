package io.millrace.store.block;

import io.millrace.expression.range.FieldCondition;
import java.math.BigInteger;

/**
 * Arithmetic with powers of ten for columns: exact, the same on all platforms, and without a division of longs, which
 * would cost as much as all other operations on a number. Immutable; allocates nothing.
 */
final class PowerOfTen {

    /** Largest power that fits into a long. */
    static final int LARGEST = 18;

    private static final PowerOfTen[] ALL = new PowerOfTen[LARGEST + 1];

    static {
        for (int power = 0; power <= LARGEST; power++) {
            ALL[power] = new PowerOfTen(BigInteger.TEN.pow(power));
        }
    }

    private final long ten;
    private final double real;
    private final long half;
    /**
     * Division by multiplication (T. Granlund, P. Montgomery, PLDI 1994): of numbers below 2^63 by {@code d}, with
     * {@code l} the bits of {@code d - 1}, the quotient is the product with {@code ceil(2^(63+l) / d)}, shifted.
     */
    private final long multiplier;

    private final int shift;

    private PowerOfTen(BigInteger power) {
        ten = power.longValueExact();
        real = power.doubleValue();
        half = ten / 2;
        int bits = power.subtract(BigInteger.ONE).bitLength();
        multiplier = BigInteger.TWO
                .pow(63 + bits)
                .add(power)
                .subtract(BigInteger.ONE)
                .divide(power)
                .longValue();
        shift = bits - 1;
    }

    /** @param power from 0 to {@link #LARGEST} */
    static PowerOfTen of(int power) {
        return ALL[power];
    }

    /** Returns the power as a double, which is exact. */
    double real() {
        return real;
    }

    /** Returns a product, wrapping on overflow, divided by this power, rounded half up. */
    long product(long first, long second) {
        long product = first * second + half;
        return ten == 1 || product < 0
                ? Math.floorDiv(product, ten)
                : Math.unsignedMultiplyHigh(product, multiplier) >>> shift;
    }

    /**
     * Returns the {@linkplain FieldCondition#orderOf order} of the double nearest to a number divided by this power.
     */
    long order(long number) {
        return FieldCondition.orderOf(Double.doubleToRawLongBits(number / real));
    }
}
