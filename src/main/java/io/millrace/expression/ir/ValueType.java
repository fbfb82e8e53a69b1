package io.millrace.expression.ir;

import io.millrace.schema.Dictionary;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The type of a value of an expression. All values but texts and doubles are one {@code long} in generated code. */
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

    /** An exact decimal: a whole number of units of {@code 10^-scale}. */
    record Decimal(int scale) implements ValueType {
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
        return this instanceof Decimal(int scale) ? scale : 0;
    }
}
