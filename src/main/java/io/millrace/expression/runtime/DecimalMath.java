package io.millrace.expression.runtime;

import io.millrace.codec.RejectReason;
import io.millrace.expression.ir.PowersOfTen;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Exact arithmetic on decimals as longs, called by generated code. Stateless; allocates only where the method says so.
 * Throws {@link ArithmeticException} on overflow, and {@link RecordException} on division by zero.
 */
public final class DecimalMath {

    /** The doubles represent every whole number up to this one exactly. */
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    /** A decimal of fewer digits than this number is the only such decimal with its nearest double. */
    private static final long UNIQUE_IN_DOUBLE = 1_000_000_000_000_000L;

    private static final double[] DOUBLE_POWERS = new double[23];

    static {
        for (int i = 0; i < DOUBLE_POWERS.length; i++) {
            DOUBLE_POWERS[i] = new BigDecimal("1E" + i).doubleValue();
        }
    }

    private DecimalMath() {}

    /** Compares {@code left * factor} with {@code right}, without overflow. */
    public static int compareScaled(long left, long factor, long right) {
        long high = Math.multiplyHigh(left, factor);
        long low = left * factor;
        if (high == low >> 63) {
            return Long.compare(low, right);
        }
        return high < 0 ? -1 : 1;
    }

    /**
     * Compares a decimal with the shortest decimal that represents a double. Throws {@link RecordException} for NaN and
     * infinities, which have none.
     *
     * <p>The decimal is rounded to a double. If the two doubles differ, their order is that of the decimals, since
     * rounding is monotonic. If they are equal, a decimal of at most 15 digits is the shortest decimal of the double.
     * Longer decimals are compared as {@link BigDecimal}, which allocates.
     */
    public static int compareMixed(long raw, double real, int scale) {
        requireFinite(real);
        if (Math.abs(raw) < UNIQUE_IN_DOUBLE && raw != Long.MIN_VALUE && scale < DOUBLE_POWERS.length) {
            double value = raw / DOUBLE_POWERS[scale];
            return value < real ? -1 : value > real ? 1 : 0;
        }
        return BigDecimal.valueOf(raw, scale).compareTo(BigDecimal.valueOf(real));
    }

    /** Returns the double nearest to a decimal; allocates past 2^53. */
    public static double toDouble(long raw, int scale) {
        if (raw >= -EXACT_IN_DOUBLE && raw <= EXACT_IN_DOUBLE && scale < DOUBLE_POWERS.length) {
            return raw / DOUBLE_POWERS[scale];
        }
        return BigDecimal.valueOf(raw, scale).doubleValue();
    }

    /**
     * Returns {@code left * 10^power / right}, rounded half to even; allocates if the product is past the range of
     * long.
     */
    public static long divide(long left, long right, int power) {
        if (right == 0) {
            throw divisionByZero();
        }
        if (power <= PowersOfTen.LARGEST) {
            long factor = PowersOfTen.of(power);
            long product = left * factor;
            if (Math.multiplyHigh(left, factor) == product >> 63) {
                return divideHalfEven(product, right);
            }
        }
        return BigDecimal.valueOf(left, -power)
                .divide(BigDecimal.valueOf(right), 0, RoundingMode.HALF_EVEN)
                .toBigInteger()
                .longValueExact();
    }

    private static long divideHalfEven(long dividend, long divisor) {
        long quotient = Math.divideExact(dividend, divisor);
        long rest = dividend - quotient * divisor;
        if (rest == 0) {
            return quotient;
        }
        // Compares the remainder with the divisor minus the remainder, as negative numbers: that cannot overflow.
        long size = -Math.abs(rest);
        long missing = -Math.abs(divisor) - size;
        boolean up = size < missing || (size == missing && (quotient & 1) != 0);
        return !up ? quotient : ((dividend < 0) == (divisor < 0)) ? quotient + 1 : quotient - 1;
    }

    /**
     * Returns the same quantity in coarser units; throws {@link RecordException} with the field's name if it is not
     * exact.
     */
    public static long coarser(long raw, long factor, String field) {
        long quotient = raw / factor;
        if (quotient * factor != raw) {
            throw RecordException.outOfRange(raw + " / " + factor + ", which is not a whole number of units,", field);
        }
        return quotient;
    }

    /** Returns a raw value if it is in a range; else throws {@link RecordException} with the field's name. */
    public static long within(long raw, long min, long max, String field) {
        if (raw < min || raw > max) {
            throw RecordException.outOfRange(Long.toString(raw), field);
        }
        return raw;
    }

    /** Returns a raw value that must not be the encoding of the absent value. */
    public static long notNull(long raw, long nullRaw, String field) {
        if (raw == nullRaw) {
            throw RecordException.outOfRange(raw + ", which stands for absent,", field);
        }
        return raw;
    }

    /**
     * Returns the shortest decimal that represents a double, rounded half to even to a scale; allocates only near a
     * tie. Throws {@link RecordException} for NaN, infinities and results past the range of long.
     */
    public static long fromDouble(double real, int scale, String field) {
        double scaled = real * DOUBLE_POWERS[scale];
        double nearest = Math.rint(scaled);
        double distance = Math.abs(scaled - nearest);
        // Both the shortest decimal and the product are within half a unit in the last place of the true value.
        if (Math.abs(scaled) < EXACT_IN_DOUBLE && 0.5 - distance > Math.abs(scaled) * 4e-16) {
            return (long) nearest;
        }
        if (!Double.isFinite(real)) {
            throw RecordException.outOfRange(Double.toString(real), field);
        }
        BigDecimal exact = BigDecimal.valueOf(real).setScale(scale, RoundingMode.HALF_EVEN);
        if (exact.unscaledValue().bitLength() > 63) {
            throw RecordException.outOfRange(Double.toString(real), field);
        }
        return exact.unscaledValue().longValue();
    }

    /**
     * Returns the bits of the float nearest to a double; throws {@link RecordException} if a finite double is past its
     * range.
     */
    public static int toFloatBits(double real, String field) {
        float narrow = (float) real;
        if ((Float.isInfinite(narrow) && !Double.isInfinite(real)) || (narrow == 0 && real != 0)) {
            throw RecordException.outOfRange(Double.toString(real), field);
        }
        return Float.floatToRawIntBits(narrow);
    }

    /** Returns the smaller of two doubles, as {@link Double#compare} orders them. */
    public static double min(double a, double b) {
        return Double.compare(a, b) <= 0 ? a : b;
    }

    /** Returns the larger of two doubles, as {@link Double#compare} orders them. */
    public static double max(double a, double b) {
        return Double.compare(a, b) >= 0 ? a : b;
    }

    /** Returns a long that is ordered like the double, NaN last, as by {@link Double#compare}. */
    public static long sortable(double real) {
        long bits = Double.doubleToLongBits(real);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    /** Returns {@code left / right}; division by zero has a message for users. */
    public static long divideWhole(long left, long right) {
        requireDivisor(right);
        return Math.divideExact(left, right);
    }

    /** Returns {@code left % right}; division by zero has a message for users. */
    public static long remainder(long left, long right) {
        requireDivisor(right);
        return left % right;
    }

    private static void requireDivisor(long right) {
        if (right == 0) {
            throw divisionByZero();
        }
    }

    static RecordException divisionByZero() {
        return new RecordException(RejectReason.Kind.EXPRESSION, "division by zero");
    }

    static void requireFinite(double real) {
        if (!Double.isFinite(real)) {
            throw new RecordException(
                    RejectReason.Kind.EXPRESSION, "the double " + real + " can't be compared with a decimal");
        }
    }
}
