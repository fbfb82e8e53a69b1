package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** A node that computes or converts a number. Immutable. */
public sealed interface NumberNode extends Ir {

    /** Operators on two numbers. */
    enum Operator {
        ADD,
        SUB,
        MUL,
        DIV,
        REM
    }

    /**
     * An operation on two numbers of one kind: exact numbers with overflow checks, doubles as in IEEE 754. Decimals
     * have the same scale, except in a product, whose scale is the sum of the scales.
     */
    record Arithmetic(Operator operator, Ir left, Ir right, ValueType type)
            implements NumberNode, Ir.Computation, Ir.Binary {}

    /** A quotient of decimals, {@code left * 10^power / right} of the raw values, rounded half to even. */
    record Quotient(Ir left, int power, Ir right, ValueType.Decimal type)
            implements NumberNode, Ir.Computation, Ir.Binary {}

    /** The number subtracted from zero. */
    record Negation(Ir value) implements NumberNode, Ir.Computation, Ir.Unary {
        @Override
        public ValueType type() {
            return negated(value.type());
        }
    }

    /** The number without its sign. */
    record Absolute(Ir value) implements NumberNode, Ir.Computation, Ir.Unary {
        @Override
        public ValueType type() {
            return negated(value.type());
        }
    }

    /** Returns the type of a value of the other sign. */
    private static ValueType negated(ValueType type) {
        return type instanceof ValueType.Decimal(int scale, int bits)
                ? new ValueType.Decimal(scale, Magnitude.ofNegation(bits))
                : type;
    }

    /**
     * A decimal with fewer decimal places.
     *
     * @param power the number of decimal places that it loses, at least 1
     * @param mode of rounding; with {@link RoundingMode#UNNECESSARY}, a value that is not exact has no result
     */
    record Rounded(Ir value, int power, RoundingMode mode) implements NumberNode, Ir.Computation, Ir.Unary {
        @Override
        public ValueType type() {
            return new ValueType.Decimal(
                    value.type().scaleOfExact() - power, Magnitude.ofRounded(Magnitude.of(value), power));
        }
    }

    /** The same quantity in finer units: the raw value times a factor, with an overflow check. */
    record Scaled(Ir value, long factor, ValueType type) implements NumberNode, Ir.Conversion {}

    /** A whole number or decimal as the nearest double. */
    record ToDouble(Ir value) implements NumberNode, Ir.Conversion {
        @Override
        public ValueType type() {
            return Basic.DOUBLE;
        }
    }

    /** The number of an unsigned field of 64 bits less 2^63: longs that are ordered like the numbers. */
    record Unsigned(Ir.Load value) implements NumberNode, Ir.Conversion {

        /** What the number is less by. */
        public static final BigDecimal SHIFT =
                BigDecimal.valueOf(Long.MIN_VALUE).negate();

        @Override
        public ValueType type() {
            return Basic.WHOLE;
        }
    }
}
