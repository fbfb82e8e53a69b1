package io.millrace.expression.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Random;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Arithmetic of 128 bits, against BigInteger and BigDecimal. */
class WideMathTest {

    /** Numbers of every length, many of them at the ends of 64 and 128 bits. */
    private static BigInteger number(long high, long low, int shift) {
        BigInteger number = BigInteger.valueOf(high).shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low)));
        BigInteger shifted = number.shiftRight(Math.floorMod(shift, 128));
        return switch (Math.floorMod(shift, 9)) {
            case 0 -> BigInteger.ONE.shiftLeft(63).add(BigInteger.valueOf(low % 3));
            case 1 ->
                BigInteger.ONE
                        .shiftLeft(64)
                        .add(BigInteger.valueOf(low % 3))
                        .multiply(BigInteger.valueOf(high | 1).signum() < 0 ? BigInteger.ONE.negate() : BigInteger.ONE);
            case 2 ->
                BigInteger.ONE
                        .shiftLeft(127)
                        .subtract(BigInteger.ONE.add(BigInteger.valueOf(low).mod(BigInteger.TWO)));
            case 3 ->
                BigInteger.ONE
                        .shiftLeft(127)
                        .negate()
                        .add(BigInteger.valueOf(low).mod(BigInteger.TWO));
            default -> shifted;
        };
    }

    private static long low(BigInteger number) {
        return number.longValue();
    }

    private static long high(BigInteger number) {
        return number.shiftRight(64).longValue();
    }

    /** Requires the upper half of a result, or that it is refused since it is past 128 bits. */
    private static void requires(BigInteger expected, LongSupplier upper) {
        if (expected.bitLength() > 127) {
            assertThatThrownBy(upper::getAsLong)
                    .isInstanceOf(RecordException.class)
                    .hasMessageContaining("128 bits");
        } else {
            assertThat(upper.getAsLong()).isEqualTo(high(expected));
        }
    }

    @Property(tries = 3000, seed = "20261126")
    void shouldAddSubtractAndMultiply(
            @ForAll long aHigh,
            @ForAll long aLow,
            @ForAll int aShift,
            @ForAll long bHigh,
            @ForAll long bLow,
            @ForAll int bShift) {
        BigInteger a = number(aHigh, aLow, aShift);
        BigInteger b = number(bHigh, bLow, bShift);
        requires(a.add(b), () -> WideMath.addHighExact(low(a), high(a), low(b), high(b)));
        requires(a.subtract(b), () -> WideMath.subtractHighExact(low(a), high(a), low(b), high(b)));
        requires(a.multiply(b), () -> WideMath.multiplyHighExact(low(a), high(a), low(b), high(b)));
        requires(a.negate(), () -> WideMath.negateHighExact(low(a), high(a)));
        requires(a.abs(), () -> WideMath.absoluteHigh(low(a), high(a)));
        assertThat(WideMath.absoluteLow(low(a), high(a))).isEqualTo(low(a.abs()));
        assertThat(WideMath.addHigh(low(a), high(a), low(b), high(b))).isEqualTo(high(a.add(b)));
        assertThat(WideMath.subtractHigh(low(a), high(a), low(b), high(b))).isEqualTo(high(a.subtract(b)));
        assertThat(WideMath.multiplyHigh(low(a), high(a), low(b), high(b))).isEqualTo(high(a.multiply(b)));
    }

    @Property(tries = 3000, seed = "20261126")
    void shouldCompare(
            @ForAll long aHigh,
            @ForAll long aLow,
            @ForAll int aShift,
            @ForAll long bHigh,
            @ForAll long bLow,
            @ForAll int bShift,
            @ForAll @IntRange(max = 18) int power) {
        BigInteger a = number(aHigh, aLow, aShift);
        BigInteger b = aShift % 5 == 0 ? a : number(bHigh, bLow, bShift);
        BigInteger factor = BigInteger.TEN.pow(power);
        assertThat(WideMath.compare(low(a), high(a), low(b), high(b))).isEqualTo(a.compareTo(b));
        assertThat(WideMath.less(low(a), high(a), low(b), high(b))).isEqualTo(a.compareTo(b) < 0 ? 1 : 0);
        assertThat(WideMath.same(low(a), high(a), low(b), high(b))).isEqualTo(a.equals(b) ? 1 : 0);
        assertThat(WideMath.compareScaled(low(a), high(a), factor.longValueExact(), low(b), high(b)))
                .isEqualTo(a.multiply(factor).compareTo(b));
        assertThat(WideMath.compareProduct(aLow, bLow, bHigh))
                .isEqualTo(BigInteger.valueOf(aLow)
                        .multiply(BigInteger.valueOf(bLow))
                        .compareTo(BigInteger.valueOf(bHigh)));
        assertThat(WideMath.isLong(low(a), high(a))).isEqualTo(a.bitLength() < Long.SIZE);
    }

    @Property(tries = 3000, seed = "20261127")
    void shouldFindProductsPast64Bits(@ForAll Random random) {
        long a = random.nextLong() >> random.nextInt(Long.SIZE);
        long b = random.nextLong() >> random.nextInt(Long.SIZE);
        for (long first : new long[] {a, a & 1, Integer.MIN_VALUE, Integer.MAX_VALUE + 1L, Long.MIN_VALUE}) {
            for (long second : new long[] {b, Integer.MIN_VALUE, Integer.MAX_VALUE + 1L, Integer.MIN_VALUE - 1L, -1}) {
                BigInteger product = BigInteger.valueOf(first).multiply(BigInteger.valueOf(second));
                assertThat(WideMath.productOverflows(first, second)).isEqualTo(product.bitLength() >= Long.SIZE);
                assertThat(WideMath.compareProduct(first, second, a))
                        .isEqualTo(product.compareTo(BigInteger.valueOf(a)));
            }
        }
    }

    @Property(tries = 3000, seed = "20261126")
    void shouldRoundAsBigDecimalDoes(
            @ForAll long high,
            @ForAll long low,
            @ForAll int shift,
            @ForAll @IntRange(min = 1, max = 36) int power,
            @ForAll RoundingMode mode) {
        BigInteger any = number(high, low, shift);
        BigInteger half = BigInteger.TEN.pow(power).shiftRight(1);
        // Many are ties, or exact.
        BigInteger value = switch (Math.floorMod(low, 4)) {
            case 0 -> any.divide(half).multiply(half);
            case 1 -> any.divide(half).multiply(half).add(BigInteger.valueOf(any.signum()));
            default -> any;
        };
        if (value.bitLength() > 127) {
            return;
        }
        BigInteger expected;
        try {
            expected = new BigDecimal(value, power).setScale(0, mode).toBigInteger();
        } catch (ArithmeticException e) {
            assertThatThrownBy(() -> Rounding.roundedLow(low(value), high(value), power, mode))
                    .isInstanceOf(RecordException.class);
            return;
        }
        long lower = Rounding.roundedLow(low(value), high(value), power, mode);
        assertThat(lower).isEqualTo(low(expected));
        assertThat(Rounding.roundedHigh(low(value), high(value), power, mode, lower))
                .isEqualTo(high(expected));
    }

    @Property(tries = 2000, seed = "20261126")
    void shouldDivide(
            @ForAll long aHigh,
            @ForAll long aLow,
            @ForAll int aShift,
            @ForAll long bHigh,
            @ForAll long bLow,
            @ForAll int bShift,
            @ForAll @IntRange(max = 28) int power) {
        BigInteger a = number(aHigh, aLow, aShift);
        BigInteger b = number(bHigh, bLow, bShift);
        if (b.signum() == 0) {
            assertThatThrownBy(() -> WideMath.quotientLow(low(a), high(a), power, low(b), high(b)))
                    .hasMessageContaining("division by zero");
            assertThatThrownBy(() -> WideMath.remainderLow(low(a), high(a), low(b), high(b)))
                    .hasMessageContaining("division by zero");
            return;
        }
        long rest = WideMath.remainderLow(low(a), high(a), low(b), high(b));
        assertThat(rest).isEqualTo(low(a.remainder(b)));
        assertThat(WideMath.remainderHigh(low(a), high(a), low(b), high(b), rest))
                .isEqualTo(high(a.remainder(b)));
        BigInteger quotient = new BigDecimal(a, -power)
                .divide(new BigDecimal(b), 0, RoundingMode.HALF_EVEN)
                .toBigInteger();
        long lower = WideMath.quotientLow(low(a), high(a), power, low(b), high(b));
        requires(quotient, () -> WideMath.quotientHigh(low(a), high(a), power, low(b), high(b), lower));
        if (quotient.bitLength() <= 127) {
            assertThat(lower).isEqualTo(low(quotient));
        }
    }

    @Property(seed = "20261126")
    void shouldGiveCoarserUnits(
            @ForAll long high, @ForAll long low, @ForAll int shift, @ForAll @IntRange(max = 18) int power) {
        BigInteger factor = BigInteger.TEN.pow(power);
        BigInteger any = number(high, low, shift);
        BigInteger value = low % 3 == 0 ? any : any.divide(factor).multiply(factor);
        BigInteger[] parts = value.divideAndRemainder(factor);
        if (parts[1].signum() == 0 && parts[0].bitLength() < Long.SIZE) {
            assertThat(Rounding.coarser(low(value), high(value), factor.longValueExact(), "field"))
                    .isEqualTo(parts[0].longValueExact());
        } else {
            assertThatThrownBy(() -> Rounding.coarser(low(value), high(value), factor.longValueExact(), "field"))
                    .isInstanceOf(RecordException.class)
                    .hasMessageContaining("field");
        }
    }

    @Property(seed = "20261126")
    void shouldGiveDecimalsAndDoubles(
            @ForAll long high,
            @ForAll long low,
            @ForAll int shift,
            @ForAll @IntRange(max = 36) int scale,
            @ForAll double real) {
        BigInteger value = number(high, low, shift);
        BigDecimal decimal = new BigDecimal(value, scale);
        assertThat(WideMath.decimal(low(value), high(value), scale)).isEqualTo(decimal);
        assertThat(WideMath.toDouble(low(value), high(value), scale)).isEqualTo(decimal.doubleValue());
        if (Double.isFinite(real)) {
            assertThat(WideMath.compareMixed(low(value), high(value), real, scale))
                    .isEqualTo(decimal.compareTo(BigDecimal.valueOf(real)));
        }
    }
}
