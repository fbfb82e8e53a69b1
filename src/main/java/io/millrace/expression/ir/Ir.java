package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.invoke.MethodHandle;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;

/**
 * One node of a checked expression. Every node knows its type and whether its value may be absent; operands already
 * have the types that their operator needs, conversions stand as nodes of their own. Immutable; {@link IrText} is its
 * text form.
 */
public sealed interface Ir {

    /** Type of the value. */
    ValueType type();

    /** Whether the value may be absent for some record. */
    boolean optional();

    /** Operands, in the order in which they are computed. */
    List<Ir> operands();

    /** A node without operands whose value is never absent. */
    sealed interface Leaf extends Ir {
        @Override
        default boolean optional() {
            return false;
        }

        @Override
        default List<Ir> operands() {
            return List.of();
        }
    }

    /** A node that is true or false and never absent. */
    sealed interface Condition extends Ir {
        @Override
        default ValueType type() {
            return Basic.BOOLEAN;
        }

        @Override
        default boolean optional() {
            return false;
        }
    }

    /** A node that computes its value of its operands, which must not be absent then. */
    sealed interface Computation extends Ir {
        @Override
        default boolean optional() {
            return false;
        }
    }

    /** A computation of one operand. */
    sealed interface OfOne extends Computation {
        Ir value();

        @Override
        default List<Ir> operands() {
            return List.of(value());
        }
    }

    /** The value of a field. */
    record Load(Field field) implements Ir {
        @Override
        public ValueType type() {
            return switch (field.type()) {
                case FieldType.IntegerType _ -> Basic.WHOLE;
                case FieldType.DecimalType(var ignoredStorage, int scale) -> new ValueType.Decimal(scale);
                case FieldType.DateType _ -> Basic.DATE;
                case FieldType.InstantType(var ignoredStorage2, var unit) -> new ValueType.Moment(unit);
                case FieldType.EnumType(var ignoredStorage, var dictionary) -> new ValueType.Name(dictionary);
                case FieldType.BooleanType _ -> Basic.BOOLEAN;
                case FieldType.FloatType _ -> Basic.DOUBLE;
                case FieldType.StringType _, FieldType.BytesType _, FieldType.IpType _ -> Basic.TEXT;
            };
        }

        @Override
        public boolean optional() {
            return field.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of();
        }
    }

    /** A constant whose value is a long: number, decimal, day, moment, code, or truth value as 0 or 1. */
    record Constant(ValueType type, long raw) implements Leaf {}

    /**
     * A constant double.
     *
     * @param decimal what it means where it meets a decimal
     */
    record Real(double value, BigDecimal decimal) implements Leaf {
        @Override
        public ValueType type() {
            return Basic.DOUBLE;
        }
    }

    /** A constant text, which means what the field that it meets makes of it. */
    record Text(String value) implements Leaf {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /** The absent value. */
    record Absent() implements Leaf {
        @Override
        public ValueType type() {
            return Basic.ABSENT;
        }

        @Override
        public boolean optional() {
            return true;
        }
    }

    /** Operators on two numbers. */
    enum Operator {
        ADD,
        SUB,
        MUL,
        DIV,
        REM
    }

    /**
     * Two numbers of one type computed to a third: longs with overflow detected, doubles as IEEE 754. Decimals are of
     * one scale except for a product, whose scale is the sum.
     */
    record Arithmetic(Operator operator, Ir left, Ir right, ValueType type) implements Computation {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** A quotient of decimals, {@code left * 10^power / right} of the raw values, rounded half to even. */
    record Quotient(Ir left, int power, Ir right, ValueType.Decimal type) implements Computation {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** Zero minus the number. */
    record Negation(Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return value.type();
        }
    }

    /** The same quantity in finer units: the raw value times a factor, overflow detected. */
    record Scaled(Ir value, long factor, ValueType type) implements Ir {
        @Override
        public boolean optional() {
            return value.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** A whole number or decimal as the nearest double. */
    record ToDouble(Ir value) implements Ir {
        @Override
        public ValueType type() {
            return Basic.DOUBLE;
        }

        @Override
        public boolean optional() {
            return value.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** A value that must not be absent, taken as a value of a type that has the same raw form. */
    record Retyped(Ir value, ValueType type) implements Computation {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** A day, a moment, a part of one or what is between two, all as longs. */
    record Calendar(CalendarFunction function, List<Ir> operands, ValueType type) implements Computation {}

    /**
     * What a function written in Java gives; absent where it gives null.
     *
     * @param handle of the parameter and result types that {@link JavaType} knows
     * @param width how many bytes of UTF-8 a text is at most; 0 for all else
     */
    record Call(String name, MethodHandle handle, List<Ir> operands, ValueType type, int width) implements Ir {
        @Override
        public boolean optional() {
            return !handle.type().returnType().isPrimitive();
        }
    }

    /**
     * What a table says of the code of a name: its rank in an order, its length, another name.
     *
     * @param table by code; {@link #NO_RESULT} rejects the record
     */
    record ByCode(Ir value, List<Integer> table, ValueType type) implements Ir {
        /** The entry of a name for which there is no result. */
        public static final int NO_RESULT = Integer.MIN_VALUE;

        @Override
        public boolean optional() {
            return value.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /**
     * Two longs or two doubles compared; an absent value equals another and comes before all others.
     *
     * @param total for doubles, whether NaN and -0.0 are ordered as {@link Double#compare} does
     */
    record Comparison(Relation relation, Ir left, Ir right, boolean total) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** Two longs compared exactly, the first in units that are {@code factor} units of the second. */
    record ScaledComparison(Relation relation, Ir left, long factor, Ir right) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** A decimal compared exactly with the decimal that a double is written as. */
    record MixedComparison(Relation relation, Ir decimal, Ir real) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(decimal, real);
        }
    }

    /**
     * Whether a long is one of some.
     *
     * @param members ascending
     * @param ifAbsent the answer for an absent value
     */
    record Membership(Ir value, List<Long> members, boolean ifAbsent) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** A value that has no result where it is absent. */
    record Present(Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return value.type();
        }
    }

    /** A name as a text. */
    record NameText(Ir value) implements Ir {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }

        @Override
        public boolean optional() {
            return value.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /**
     * A part of a text, from one UTF-16 unit up to before another.
     *
     * @param end {@link Absent} for all the rest
     */
    record Substring(Ir value, Ir begin, Ir end) implements Computation {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }

        @Override
        public List<Ir> operands() {
            return end instanceof Absent ? List.of(value, begin) : List.of(value, begin, end);
        }
    }

    /** A text made of another. */
    record Mapped(TextMapping mapping, Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /** How many UTF-16 units a text has. */
    record TextLength(Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return Basic.WHOLE;
        }
    }

    /** How many UTF-16 units come before the first occurrence of another text, or -1. */
    record TextIndex(Ir value, Ir sought) implements Computation {
        @Override
        public ValueType type() {
            return Basic.WHOLE;
        }

        @Override
        public List<Ir> operands() {
            return List.of(value, sought);
        }
    }

    /** Whether two texts are the same; an absent one equals another absent one. */
    record SameText(Ir left, Ir right) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** Two texts compared by UTF-16 units; an absent one equals another and comes before all others. */
    record TextOrder(Relation relation, Ir left, Ir right) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** A text, which must not be absent, asked about another. */
    record TextAnswer(TextTest test, Ir value, Ir other) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value, other);
        }
    }

    /**
     * Whether a regular expression matches the whole of a text, which must not be absent.
     *
     * @param regex as {@link java.util.regex.Pattern} has it
     */
    record TextMatch(Ir value, String regex) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** Whether a text is one of many; an absent one is not. */
    record TextMembership(Ir value, List<String> members) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** Whether a text holds no character, or is absent. */
    record EmptyText(Ir value) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** Whether a value is absent. */
    record IsAbsent(Ir value) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** Whether all hold, asked in order up to the first that does not. */
    record And(List<Ir> operands) implements Condition {}

    /** Whether any holds, asked in order up to the first that does. */
    record Or(List<Ir> operands) implements Condition {}

    /** Whether a condition does not hold. */
    record Not(Ir value) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** One of two values, by a condition. */
    record Choice(Ir condition, Ir ifTrue, Ir ifFalse, ValueType type) implements Ir {
        @Override
        public boolean optional() {
            return ifTrue.optional() || ifFalse.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of(condition, ifTrue, ifFalse);
        }
    }

    /**
     * A value, or another where it is absent.
     *
     * @param empty a raw value that counts as absent, the code of the empty name
     */
    record Fallback(Ir value, OptionalLong empty, Ir other, ValueType type) implements Ir {
        @Override
        public boolean optional() {
            return other.optional();
        }

        @Override
        public List<Ir> operands() {
            return List.of(value, other);
        }
    }
}
