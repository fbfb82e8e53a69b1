package io.millrace.expression.ir;

import io.millrace.schema.Dictionary;
import io.millrace.schema.FieldType;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The type of a value of an expression. In generated code a double is a {@code double}, a {@linkplain #isWide() wide}
 * decimal two longs, and every other value but a text one {@code long}.
 */
public sealed interface ValueType {

    /** Types without parameters. */
    enum Basic implements ValueType {
        /** A boolean: 0 or 1. */
        BOOLEAN,
        /** A whole number. */
        WHOLE,
        /** An IEEE 754 double. */
        DOUBLE,
        /** A date, in days since 1970-01-01. */
        DATE,
        /** Characters, bytes or an address: never a value on the stack, only a position in an array or a constant. */
        TEXT,
        /** Only the absent value. */
        ABSENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An exact decimal: a whole number of units of {@code 10^-scale}. It is one long if all values fit one, else two.
     *
     * @param bits that the values need in two's complement, without the sign; at most {@link #BITS_MAX}
     */
    record Decimal(int scale, int bits) implements ValueType {

        /** The bits of values that fit one long. */
        public static final int LONG_BITS = 63;

        /** The bits of values that fit two longs. */
        public static final int BITS_MAX = 127;

        /** The maximum number of decimal places of a computed value. */
        public static final int SCALE_MAX = 36;

        public Decimal {
            bits = Math.min(bits, BITS_MAX);
        }

        /** A decimal that may be any long. */
        public Decimal(int scale) {
            this(scale, LONG_BITS);
        }

        /** Returns the bits of a field's raw numbers; an unsigned one past 63 bits has no result. */
        static int bitsOf(FieldType.Numbered type) {
            return Math.min(
                    LONG_BITS,
                    Math.max(
                            type.storage().smallest().bitLength(),
                            type.storage().largest().bitLength()));
        }

        @Override
        public String toString() {
            return "decimal" + scale;
        }
    }

    /** An instant: a whole number of units since 1970-01-01T00:00Z. */
    record Moment(TimeUnit unit) implements ValueType {
        @Override
        public String toString() {
            return "instant_" + unit.name().toLowerCase(Locale.ROOT);
        }
    }

    /** A name of a dictionary, as its code. */
    record Name(Dictionary dictionary) implements ValueType {
        @Override
        public String toString() {
            return "code";
        }
    }

    /** Returns whether this is a whole number, a decimal or a double. */
    default boolean isNumber() {
        return this == Basic.WHOLE || this == Basic.DOUBLE || this instanceof Decimal;
    }

    /** Returns the number of decimal places of a whole number (0) or a decimal. */
    default int scaleOfExact() {
        return this instanceof Decimal(int scale, var ignoredBits) ? scale : 0;
    }

    /** Returns whether the values are decimals that do not all fit one long. */
    default boolean isWide() {
        return this instanceof Decimal(var ignoredScale, int bits) && bits > Decimal.LONG_BITS;
    }
}
