package io.millrace.expression.ir;

import io.millrace.schema.Dictionary;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** What a value of an expression is. All but text and double are one {@code long} while a record is worked. */
public sealed interface ValueType {

    /** Types that need no more than their name. */
    enum Basic implements ValueType {
        /** A truth value: 0 or 1. */
        BOOLEAN,
        /** A whole number. */
        WHOLE,
        /** An IEEE 754 double. */
        DOUBLE,
        /** A day, counted from 1970-01-01. */
        DATE,
        /** Characters, bytes or an address: never a value on the stack, only a place in the bytes or a constant. */
        TEXT,
        /** Nothing but the absent value. */
        ABSENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** An exact decimal: a whole number of {@code 10^-scale}. */
    record Decimal(int scale) implements ValueType {
        @Override
        public String toString() {
            return "decimal" + scale;
        }
    }

    /** A moment: a whole number of units since 1970-01-01T00:00Z. */
    record Moment(TimeUnit unit) implements ValueType {
        @Override
        public String toString() {
            return "instant_" + unit.name().toLowerCase(Locale.ROOT);
        }
    }

    /** A name out of a dictionary, as its code. */
    record Name(Dictionary dictionary) implements ValueType {
        @Override
        public String toString() {
            return "code";
        }
    }

    /** Whether this is a whole number, a decimal or a double. */
    default boolean isNumber() {
        return this == Basic.WHOLE || this == Basic.DOUBLE || this instanceof Decimal;
    }

    /** Digits after the point of a whole number (none) or a decimal. */
    default int scaleOfExact() {
        return this instanceof Decimal(int scale) ? scale : 0;
    }
}
