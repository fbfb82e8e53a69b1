package io.millrace.expression.runtime;

import io.millrace.codec.RejectReason;
import io.millrace.expression.ir.PowersOfTen;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Exact arithmetic on decimals of 128 bits, called by generated code. A value is two longs: its lower 64 bits, and its
 * upper 64 bits with the sign. The lower half of a result is computed by the caller or by a method of its own, so that
 * nothing has to be returned in an object.
 *
 * <p>Stateless; allocates only where the method says so. Throws {@link RecordException} for a result past 128 bits.
 */
public final class WideMath {

    private static final int LAST_BIT = Long.SIZE - 1;

    private WideMath() {}

    /** Returns whether a value fits one long: the lower one. */
    public static boolean isLong(long low, long high) {
        return high == low >> LAST_BIT;
    }

    /** Returns whether a sum does not fit one long. */
    public static boolean sumOverflows(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0;
    }

    /** Returns whether a difference does not fit one long. */
    public static boolean differenceOverflows(long a, long b) {
        return ((a ^ b) & (a ^ (a - b))) < 0;
    }

    /** Returns whether a product does not fit one long. */
    public static boolean productOverflows(long a, long b) {
        return !isLong(a * b, Math.multiplyHigh(a, b));
    }

    /** Returns the upper half of a sum. */
    public static long addHigh(long aLow, long aHigh, long bLow, long bHigh) {
        return aHigh + bHigh + carry(aLow, bLow);
    }

    /** Returns 1 if the sum of two unsigned longs is past 64 bits, else 0. */
    private static long carry(long a, long b) {
        return ((a & b) | ((a | b) & ~(a + b))) >>> LAST_BIT;
    }

    /** Returns 1 if an unsigned long is less than another, else 0. */
    private static long borrow(long a, long b) {
        return ((~a & b) | ((~a | b) & (a - b))) >>> LAST_BIT;
    }

    /** Returns the upper half of a sum that may be past 128 bits. */
    public static long addHighExact(long aLow, long aHigh, long bLow, long bHigh) {
        long high = addHigh(aLow, aHigh, bLow, bHigh);
        if (((aHigh ^ high) & (bHigh ^ high)) < 0) {
            throw overflow();
        }
        return high;
    }

    /** Returns the upper half of a difference. */
    public static long subtractHigh(long aLow, long aHigh, long bLow, long bHigh) {
        return aHigh - bHigh - borrow(aLow, bLow);
    }

    /** Returns the upper half of a difference that may be past 128 bits. */
    public static long subtractHighExact(long aLow, long aHigh, long bLow, long bHigh) {
        long high = subtractHigh(aLow, aHigh, bLow, bHigh);
        if (((aHigh ^ bHigh) & (aHigh ^ high)) < 0) {
            throw overflow();
        }
        return high;
    }

    /** Returns the upper half of a product. */
    public static long multiplyHigh(long aLow, long aHigh, long bLow, long bHigh) {
        return Math.unsignedMultiplyHigh(aLow, bLow) + aLow * bHigh + aHigh * bLow;
    }

    /** Returns the upper half of a product that may be past 128 bits; allocates if neither factor fits one long. */
    public static long multiplyHighExact(long aLow, long aHigh, long bLow, long bHigh) {
        if (isLong(bLow, bHigh)) {
            return multiplyHighExact(aLow, aHigh, bLow);
        }
        if (isLong(aLow, aHigh)) {
            return multiplyHighExact(bLow, bHigh, aLow);
        }
        return upper(number(aLow, aHigh).multiply(number(bLow, bHigh)));
    }

    /** Returns the upper half of {@code (aHigh * b) * 2^64 + aLow * b}. */
    private static long multiplyHighExact(long aLow, long aHigh, long b) {
        long carried = Math.unsignedMultiplyHigh(aLow, b) - ((b >> LAST_BIT) & aLow);
        long product = aHigh * b;
        long high = product + carried;
        long beyond = Math.multiplyHigh(aHigh, b) + (carried >> LAST_BIT) + carry(product, carried);
        if (beyond != high >> LAST_BIT) {
            throw overflow();
        }
        return high;
    }

    private static long upper(BigInteger number) {
        if (number.bitLength() >= 2 * Long.SIZE) {
            throw overflow();
        }
        return number.shiftRight(Long.SIZE).longValue();
    }

    /** Returns the upper half of a negated value. */
    public static long negateHigh(long low, long high) {
        return ~high + (low == 0 ? 1 : 0);
    }

    /** Returns the upper half of a negated value that may be the smallest one. */
    public static long negateHighExact(long low, long high) {
        if (low == 0 && high == Long.MIN_VALUE) {
            throw overflow();
        }
        return negateHigh(low, high);
    }

    /** Returns the lower half of a value without its sign. */
    public static long absoluteLow(long low, long high) {
        return high < 0 ? -low : low;
    }

    /** Returns the upper half of a value without its sign. */
    public static long absoluteHigh(long low, long high) {
        return high < 0 ? negateHighExact(low, high) : high;
    }

    /** Compares two values. */
    public static int compare(long aLow, long aHigh, long bLow, long bHigh) {
        return aHigh == bHigh ? Long.compareUnsigned(aLow, bLow) : aHigh < bHigh ? -1 : 1;
    }

    /** Compares {@code a * b} with a value of one long. */
    public static int compareProduct(long a, long b, long value) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        return isLong(low, high) ? Long.compare(low, value) : high < 0 ? -1 : 1;
    }

    /**
     * Compares {@code a * factor} with a value.
     *
     * @param factor positive
     */
    public static int compareScaled(long aLow, long aHigh, long factor, long bLow, long bHigh) {
        long carried = Math.unsignedMultiplyHigh(aLow, factor);
        long product = aHigh * factor;
        long high = product + carried;
        long beyond = Math.multiplyHigh(aHigh, factor) + carry(product, carried);
        return beyond == high >> LAST_BIT ? compare(aLow * factor, high, bLow, bHigh) : beyond < 0 ? -1 : 1;
    }

    /** Returns 1 if a value is less than another, else 0; without a branch. */
    public static long less(long aLow, long aHigh, long bLow, long bHigh) {
        long difference = aHigh - bHigh - borrow(aLow, bLow);
        return ((aHigh & ~bHigh) | (~(aHigh ^ bHigh) & difference)) >>> LAST_BIT;
    }

    /** Returns 1 if two values are equal, else 0; without a branch. */
    public static long same(long aLow, long aHigh, long bLow, long bHigh) {
        long difference = (aLow ^ bLow) | (aHigh ^ bHigh);
        return ~(difference | -difference) >>> LAST_BIT;
    }

    /** Compares a decimal with the shortest decimal that represents a double; allocates past 64 bits. */
    public static int compareMixed(long low, long high, double real, int scale) {
        if (isLong(low, high)) {
            return DecimalMath.compareMixed(low, real, scale);
        }
        DecimalMath.requireFinite(real);
        return decimal(low, high, scale).compareTo(BigDecimal.valueOf(real));
    }

    /** Returns the double nearest to a decimal; allocates past 2^53. */
    public static double toDouble(long low, long high, int scale) {
        return isLong(low, high)
                ? DecimalMath.toDouble(low, scale)
                : decimal(low, high, scale).doubleValue();
    }

    /** Returns a new decimal. */
    public static BigDecimal decimal(long low, long high, int scale) {
        return new BigDecimal(number(low, high), scale);
    }

    static BigInteger number(long low, long high) {
        BigInteger lower = BigInteger.valueOf(low >>> 1).shiftLeft(1).add(BigInteger.valueOf(low & 1));
        return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(lower);
    }

    /** Returns a number that fits 64 bits; throws {@link ArithmeticException} for others. */
    public static long toLongExact(long low, long high) {
        if (!isLong(low, high)) {
            throw new ArithmeticException("long overflow");
        }
        return low;
    }

    /** Returns a value as one long; throws {@link RecordException} if it does not fit. */
    public static long toLong(long low, long high) {
        if (!isLong(low, high)) {
            throw new RecordException(RejectReason.Kind.EXPRESSION, "a result is too large for 64 bits");
        }
        return low;
    }

    /** Returns the lower half of {@code a * 10^power / b}, rounded half to even; allocates past 64 bits. */
    public static long quotientLow(long aLow, long aHigh, int power, long bLow, long bHigh) {
        return isShortQuotient(aLow, aHigh, power, bLow, bHigh)
                ? DecimalMath.divide(aLow, bLow, power)
                : quotient(aLow, aHigh, power, bLow, bHigh).longValue();
    }

    /**
     * Returns the upper half of {@code a * 10^power / b}, rounded half to even; allocates past 64 bits.
     *
     * @param quotientLow the lower half
     */
    public static long quotientHigh(long aLow, long aHigh, int power, long bLow, long bHigh, long quotientLow) {
        return isShortQuotient(aLow, aHigh, power, bLow, bHigh)
                ? quotientLow >> LAST_BIT
                : upper(quotient(aLow, aHigh, power, bLow, bHigh));
    }

    /** Returns whether the scaled dividend and the divisor are longs, and so the quotient. */
    private static boolean isShortQuotient(long aLow, long aHigh, int power, long bLow, long bHigh) {
        if (!isLong(aLow, aHigh) || !isLong(bLow, bHigh) || power > PowersOfTen.LARGEST) {
            return false;
        }
        long factor = PowersOfTen.of(power);
        long dividend = aLow * factor;
        return Math.multiplyHigh(aLow, factor) == dividend >> LAST_BIT && dividend != Long.MIN_VALUE;
    }

    private static BigInteger quotient(long aLow, long aHigh, int power, long bLow, long bHigh) {
        if ((bLow | bHigh) == 0) {
            throw DecimalMath.divisionByZero();
        }
        return decimal(aLow, aHigh, -power)
                .divide(decimal(bLow, bHigh, 0), 0, RoundingMode.HALF_EVEN)
                .toBigInteger();
    }

    /** Returns the lower half of a remainder; allocates past 64 bits. */
    public static long remainderLow(long aLow, long aHigh, long bLow, long bHigh) {
        return isLong(aLow, aHigh) && isLong(bLow, bHigh)
                ? DecimalMath.remainder(aLow, bLow)
                : remainder(aLow, aHigh, bLow, bHigh).longValue();
    }

    /**
     * Returns the upper half of a remainder; allocates past 64 bits.
     *
     * @param remainderLow the lower half
     */
    public static long remainderHigh(long aLow, long aHigh, long bLow, long bHigh, long remainderLow) {
        return isLong(aLow, aHigh) && isLong(bLow, bHigh)
                ? remainderLow >> LAST_BIT
                : upper(remainder(aLow, aHigh, bLow, bHigh));
    }

    private static BigInteger remainder(long aLow, long aHigh, long bLow, long bHigh) {
        if ((bLow | bHigh) == 0) {
            throw DecimalMath.divisionByZero();
        }
        return number(aLow, aHigh).remainder(number(bLow, bHigh));
    }

    /** Returns the failure of a result that 128 bits can't hold. */
    public static RecordException overflow() {
        return new RecordException(RejectReason.Kind.EXPRESSION, "a result is too large for 128 bits");
    }
}
