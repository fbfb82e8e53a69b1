package io.millrace.expression.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DecimalMathTest {

    @Property(seed = "20261126")
    void shouldCompareDecimalsOfDifferentScale(
            @ForAll long left, @ForAll @IntRange(max = 18) int power, @ForAll long right) {
        long factor = BigDecimal.TEN.pow(power).longValueExact();
        int expected =
                BigDecimal.valueOf(left).multiply(BigDecimal.valueOf(factor)).compareTo(BigDecimal.valueOf(right));
        assertThat(DecimalMath.compareScaled(left, factor, right)).isEqualTo(expected);
    }

    @Property(seed = "20261126")
    void shouldCompareDecimalsWithDoublesAsWritten(
            @ForAll long raw, @ForAll @IntRange(max = 18) int scale, @ForAll @IntRange(min = -2, max = 2) int steps) {
        double real = BigDecimal.valueOf(raw, scale).doubleValue();
        for (int i = 0; i < Math.abs(steps); i++) {
            real = steps > 0 ? Math.nextUp(real) : Math.nextDown(real);
        }
        assertThat(DecimalMath.compareMixed(raw, real, scale))
                .isEqualTo(BigDecimal.valueOf(raw, scale).compareTo(BigDecimal.valueOf(real)));
    }

    @Property(seed = "20261126")
    void shouldDivideHalfEven(@ForAll long left, @ForAll long right, @ForAll @IntRange(max = 36) int power) {
        if (right == 0) {
            assertThatThrownBy(() -> DecimalMath.divide(left, right, power)).isInstanceOf(RecordException.class);
            return;
        }
        BigDecimal expected =
                BigDecimal.valueOf(left, -power).divide(BigDecimal.valueOf(right), 0, RoundingMode.HALF_EVEN);
        if (expected.toBigInteger().bitLength() > 63) {
            assertThatThrownBy(() -> DecimalMath.divide(left, right, power)).isInstanceOf(ArithmeticException.class);
        } else {
            assertThat(DecimalMath.divide(left, right, power)).isEqualTo(expected.longValueExact());
        }
    }

    @Property(seed = "20261126")
    void shouldDivideTiesToEven(@ForAll int quotient, @ForAll @IntRange(min = 1, max = 1000) int half) {
        long dividend = (2L * quotient + 1) * half;
        long expected = quotient % 2 == 0 ? quotient : quotient + 1L;
        assertThat(DecimalMath.divide(dividend, 2L * half, 0)).isEqualTo(expected);
        assertThat(DecimalMath.divide(-dividend, -2L * half, 0)).isEqualTo(expected);
    }

    @Property(seed = "20261126")
    void shouldRoundDoublesHalfEvenAsWritten(@ForAll int cents, @ForAll @IntRange(max = 5) int scale) {
        double real = cents / 1000.0;
        assertThat(DecimalMath.fromDouble(real, scale, "field"))
                .isEqualTo(BigDecimal.valueOf(real)
                        .setScale(scale, RoundingMode.HALF_EVEN)
                        .unscaledValue()
                        .longValueExact());
    }

    @Property(seed = "20261126")
    void shouldOrderDoublesAsDoubleCompareDoes(@ForAll double left, @ForAll double right) {
        assertThat(Long.compare(DecimalMath.sortable(left), DecimalMath.sortable(right)))
                .isEqualTo(Double.compare(left, right));
    }
}
