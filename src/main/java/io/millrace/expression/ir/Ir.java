package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.invoke.MethodHandle;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * One node of a checked expression. Every node has a type, and a flag whether its value may be absent. The operands
 * already have the types that their operator needs; conversions are nodes of their own. Immutable. {@link IrText}
 * writes the text form.
 */
public sealed interface Ir {

    /** Returns the type of the value. */
    ValueType type();

    /** Returns whether the value may be absent for some record. */
    boolean optional();

    /** Returns the operands, in the order in which they are computed. */
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

    /** A node that computes its value from its operands. If an operand is absent, the record has no result. */
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

    /** A constant whose value is a long: number, decimal, date, instant, code, or boolean as 0 or 1. */
    record Constant(ValueType type, long raw) implements Leaf {}

    /**
     * A constant double.
     *
     * @param decimal the value to use with decimals
     */
    record Real(double value, BigDecimal decimal) implements Leaf {
        @Override
        public ValueType type() {
            return Basic.DOUBLE;
        }
    }

    /** A constant text, which the field that it is used with interprets. */
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
     * An operation on two numbers of one type: longs with overflow checks, doubles as in IEEE 754. Decimals have the
     * same scale, except in a product, whose scale is the sum of the scales.
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

    /** The number subtracted from zero. */
    record Negation(Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return value.type();
        }
    }

    /** The same quantity in finer units: the raw value times a factor, with an overflow check. */
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

    /** A value that must not be absent, as a value of another type with the same raw form. */
    record Retyped(Ir value, ValueType type) implements Computation {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** A function of dates and instants; operands and result are longs. */
    record Calendar(CalendarFunction function, List<Ir> operands, ValueType type) implements Computation {}

    /**
     * A call of a Java method; absent if the method returns null.
     *
     * @param handle has parameter and result types that {@link JavaType} supports
     * @param width the maximum number of bytes of UTF-8 of a text result; 0 for other results
     */
    record Call(String name, MethodHandle handle, List<Ir> operands, ValueType type, int width) implements Ir {
        @Override
        public boolean optional() {
            return !handle.type().returnType().isPrimitive();
        }
    }

    /**
     * The entry of a table for the code of a name: its rank in an order, its length, or the code of another name.
     *
     * @param table indexed by code; {@link #NO_RESULT} rejects the record
     */
    record ByCode(Ir value, List<Integer> table, ValueType type) implements Ir {
        /** The entry of a name without a result. */
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
     * A comparison of two longs or two doubles. An absent value equals another absent value and precedes all others.
     *
     * @param total for doubles, whether NaN and -0.0 are ordered as by {@link Double#compare}
     */
    record Comparison(Relation relation, Ir left, Ir right, boolean total) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** An exact comparison of two longs; one unit of the first is {@code factor} units of the second. */
    record ScaledComparison(Relation relation, Ir left, long factor, Ir right) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** An exact comparison of a decimal with the shortest decimal that represents a double. */
    record MixedComparison(Relation relation, Ir decimal, Ir real) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(decimal, real);
        }
    }

    /**
     * Whether a long is a member of a set.
     *
     * @param members ascending
     * @param ifAbsent the result for an absent value
     */
    record Membership(Ir value, List<Long> members, boolean ifAbsent) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** A value that rejects the record if it is absent. */
    record Present(Ir value) implements OfOne {

        /** Returns the value itself if it is never absent. */
        public static Ir of(Ir value) {
            return value.optional() ? new Present(value) : value;
        }

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
     * A part of a text, between two indexes in UTF-16 units.
     *
     * @param end exclusive; {@link Absent} for the end of the text
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

    /** A text that is mapped to another. */
    record Mapped(TextMapping mapping, Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return Basic.TEXT;
        }
    }

    /** The number of UTF-16 units of a text. */
    record TextLength(Ir value) implements OfOne {
        @Override
        public ValueType type() {
            return Basic.WHOLE;
        }
    }

    /** The number of UTF-16 units before the first occurrence of another text, or -1. */
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

    /** Whether two texts are equal; an absent text equals another absent text. */
    record SameText(Ir left, Ir right) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** A comparison of two texts by UTF-16 units; an absent text equals another absent text and precedes all others. */
    record TextOrder(Relation relation, Ir left, Ir right) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(left, right);
        }
    }

    /** A test of a text, which must not be absent, against another. */
    record TextAnswer(TextTest test, Ir value, Ir other) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value, other);
        }
    }

    /**
     * Whether a regular expression matches the whole text, which must not be absent.
     *
     * @param regex in the syntax of {@link java.util.regex.Pattern}
     */
    record TextMatch(Ir value, String regex) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** Whether a text is one of several; an absent text is not. */
    record TextMembership(Ir value, List<String> members) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** Whether a text is empty or absent. */
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

    /** Whether all operands hold; evaluated in order up to the first that does not. */
    record And(List<Ir> operands) implements Condition {}

    /** Whether any operand holds; evaluated in order up to the first that does. */
    record Or(List<Ir> operands) implements Condition {}

    /** Whether a condition does not hold. */
    record Not(Ir value) implements Condition {
        @Override
        public List<Ir> operands() {
            return List.of(value);
        }
    }

    /** One of two values, selected by a condition. */
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
     * A value, or another if the first is absent.
     *
     * @param empty a raw value that is treated as absent: the code of the empty name
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

    /**
     * The elements of a repeating part, folded to one value. The filter and the value are computed for each element in
     * turn, up to the element that decides the result.
     *
     * @param path path of the part, such as {@code legs[]}. The fields of its elements have their full paths as names
     * @param index the number of elements that pass the filter before the element of {@link FoldKind#AT}; else 0
     * @param filter which elements count; {@link #ALL} for each
     * @param value the value of an element; {@link #ALL} if it is not used
     */
    record Fold(FoldKind kind, String path, int index, Ir filter, Ir value, ValueType type) implements Ir {

        /** The filter that all elements pass. */
        public static final Ir ALL = new Constant(Basic.BOOLEAN, 1);

        /** Returns whether any element passes a filter. */
        public static Fold any(String path, Ir filter) {
            return new Fold(FoldKind.ANY, path, 0, filter, ALL, Basic.BOOLEAN);
        }

        /** Returns the number of elements that pass a filter. */
        public static Fold count(String path, Ir filter) {
            return new Fold(FoldKind.COUNT, path, 0, filter, ALL, Basic.WHOLE);
        }

        /** Returns whether all elements pass the filter. */
        public boolean isOfAll() {
            return filter.equals(ALL);
        }

        @Override
        public boolean optional() {
            return !kind.hasAlwaysResult();
        }

        @Override
        public List<Ir> operands() {
            return Stream.of(filter, value)
                    .filter(operand -> !operand.equals(ALL))
                    .toList();
        }
    }
}
