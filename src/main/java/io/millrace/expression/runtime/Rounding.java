package io.millrace.expression.runtime;

import io.millrace.codec.RejectReason;
import io.millrace.expression.ir.PowersOfTen;
import java.math.RoundingMode;

/**
 * Division of a value of 128 bits by a power of ten, rounded as {@link java.math.BigDecimal} rounds. Stateless;
 * allocates nothing.
 */
public final class Rounding {

    private static final int WORD = 32;
    private static final long WORD_MASK = 0xFFFF_FFFFL;

    private Rounding() {}

    /**
     * Returns the lower half of {@code value / 10^power}, rounded. Throws {@link RecordException} if the value is not
     * exact, with {@link RoundingMode#UNNECESSARY}.
     *
     * @param power at least 1, at most twice {@link PowersOfTen#LARGEST}
     */
    public static long roundedLow(long low, long high, int power, RoundingMode mode) {
        if (WideMath.isLong(low, high) && power <= PowersOfTen.LARGEST) {
            long divisor = PowersOfTen.of(power);
            long quotient = low / divisor;
            return quotient + increment(low < 0, quotient, low - quotient * divisor, divisor, mode);
        }
        return low(low, high, power, mode);
    }

    /**
     * Returns the upper half of {@code value / 10^power}, rounded.
     *
     * @param roundedLow the lower half
     */
    public static long roundedHigh(long low, long high, int power, RoundingMode mode, long roundedLow) {
        return WideMath.isLong(low, high) ? roundedLow >> (Long.SIZE - 1) : high(low, high, power, mode);
    }

    /**
     * Returns the same quantity in coarser units as one long; throws {@link RecordException} with the field's name if
     * it is not exact or does not fit.
     */
    public static long coarser(long low, long high, long factor, String field) {
        if (factor == 1 && !WideMath.isLong(low, high)) {
            throw RecordException.outOfRange(WideMath.number(low, high).toString(), field);
        }
        if (WideMath.isLong(low, high)) {
            return DecimalMath.coarser(low, factor, field);
        }
        long quotient = roundedLow(low, high, power(factor), RoundingMode.DOWN);
        if (quotient * factor != low || Math.multiplyHigh(quotient, factor) != high) {
            throw RecordException.outOfRange(
                    WideMath.number(low, high) + " / " + factor + ", which is not a whole number of units of 64 bits,",
                    field);
        }
        return quotient;
    }

    /** Returns the exponent of a power of ten, which has as many factors of two. */
    private static int power(long powerOfTen) {
        return Long.numberOfTrailingZeros(powerOfTen);
    }

    /**
     * Returns what rounding adds to a quotient: -1, 0 or 1.
     *
     * @param negative whether the dividend is
     * @param remainder of the division, with the sign of the dividend
     * @param divisor positive, at most 10^18
     */
    static long increment(boolean negative, long quotient, long remainder, long divisor, RoundingMode mode) {
        if (remainder == 0) {
            return 0;
        }
        int half = Long.compare(2 * Math.abs(remainder), divisor);
        return isAway(negative, (quotient & 1) != 0, half, mode) ? (negative ? -1 : 1) : 0;
    }

    /**
     * Returns whether a quotient that is not exact is rounded away from zero.
     *
     * @param odd whether the quotient is
     * @param half the remainder compared with half of the divisor
     */
    private static boolean isAway(boolean negative, boolean odd, int half, RoundingMode mode) {
        return switch (mode) {
            case UP -> true;
            case DOWN -> false;
            case CEILING -> !negative;
            case FLOOR -> negative;
            case HALF_UP -> half >= 0;
            case HALF_DOWN -> half > 0;
            case HALF_EVEN -> half > 0 || (half == 0 && odd);
            case UNNECESSARY ->
                throw new RecordException(RejectReason.Kind.EXPRESSION, "a value would have to be rounded");
        };
    }

    /** Returns the lower half of {@code value / 10^power}, rounded. */
    public static long low(long low, long high, int power, RoundingMode mode) {
        return half(false, low, high, power, mode);
    }

    /** Returns the upper half of {@code value / 10^power}, rounded. */
    public static long high(long low, long high, int power, RoundingMode mode) {
        return half(true, low, high, power, mode);
    }

    private static long half(boolean upper, long low, long high, int power, RoundingMode mode) {
        boolean negative = high < 0;
        long lower = negative ? -low : low;
        long higher = negative ? WideMath.negateHigh(low, high) : high;
        int first = Math.min(power, PowersOfTen.LARGEST);
        long divisor = PowersOfTen.of(first);
        long quotientHigh = Long.divideUnsigned(higher, divisor);
        long quotient = divide(higher - quotientHigh * divisor, lower, divisor);
        long remainder = lower - quotient * divisor;
        boolean exact = remainder == 0;
        int half = Long.compare(2 * remainder, divisor);
        if (power > first) {
            divisor = PowersOfTen.of(power - first);
            long top = quotientHigh;
            long rest = quotient;
            quotientHigh = Long.divideUnsigned(top, divisor);
            quotient = divide(top - quotientHigh * divisor, rest, divisor);
            remainder = rest - quotient * divisor;
            // The remainder of the first division is less than one unit of this one.
            half = Long.compare(2 * remainder, divisor);
            half = half == 0 && !exact ? 1 : half;
            exact &= remainder == 0;
        }
        if (!exact && isAway(negative, (quotient & 1) != 0, half, mode)) {
            quotient++;
            quotientHigh += quotient == 0 ? 1 : 0;
        }
        if (upper) {
            return negative ? WideMath.negateHigh(quotient, quotientHigh) : quotientHigh;
        }
        return negative ? -quotient : quotient;
    }

    /**
     * Returns the quotient of an unsigned number of two longs (H. S. Warren, "Hacker's Delight", 9-4).
     *
     * @param high less than the divisor
     * @param divisor positive
     */
    private static long divide(long high, long low, long divisor) {
        int shift = Long.numberOfLeadingZeros(divisor);
        long scaled = divisor << shift;
        long top = high << shift | low >>> 1 >>> (Long.SIZE - 1 - shift);
        long rest = low << shift;
        long upper = digit(top, rest >>> WORD, scaled);
        long next = (top << WORD) + (rest >>> WORD) - upper * scaled;
        return (upper << WORD) + digit(next, rest & WORD_MASK, scaled);
    }

    /** Returns the digit of 32 bits that {@code dividend * 2^32 + word} divided by a divisor begins with. */
    private static long digit(long dividend, long word, long divisor) {
        long divisorHigh = divisor >>> WORD;
        long divisorLow = divisor & WORD_MASK;
        long digit = Long.divideUnsigned(dividend, divisorHigh);
        long rest = dividend - digit * divisorHigh;
        while (digit > WORD_MASK || Long.compareUnsigned(digit * divisorLow, (rest << WORD) + word) > 0) {
            digit--;
            rest += divisorHigh;
            if (rest > WORD_MASK) {
                break;
            }
        }
        return digit;
    }
}
