package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.invoke.MethodHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;

/**
 * One node of a checked expression. Every node has a type, and a flag whether its value may be absent. The operands
 * already have the types that their operator needs; conversions are nodes of their own. Immutable. {@link IrText}
 * writes the text form.
 */
public sealed interface Ir
        permits Ir.Leaf,
                Ir.Unary,
                Ir.Binary,
                Ir.Condition,
                Ir.Computation,
                Ir.Load,
                Ir.Call,
                Ir.Choice,
                Ir.Fallback,
                Fold,
                NumberNode,
                TextNode {

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

    /** A node of one operand. */
    sealed interface Unary extends Ir
            permits Conversion,
                    NumberNode.Negation,
                    NumberNode.Absolute,
                    NumberNode.Rounded,
                    Retyped,
                    Membership,
                    Present,
                    IsAbsent,
                    Not,
                    TextNode.Mapped,
                    TextNode.Replaced,
                    TextNode.TextLength,
                    TextNode.TextMatch,
                    TextNode.TextMembership,
                    TextNode.EmptyText {
        Ir value();

        @Override
        default List<Ir> operands() {
            return List.of(value());
        }
    }

    /** A node of two operands. */
    sealed interface Binary extends Ir
            permits NumberNode.Arithmetic,
                    NumberNode.Quotient,
                    Comparison,
                    ScaledComparison,
                    TextNode.Joined,
                    TextNode.SameText,
                    TextNode.TextOrder {
        Ir left();

        Ir right();

        @Override
        default List<Ir> operands() {
            return List.of(left(), right());
        }
    }

    /** A node that is absent if its operand is. */
    sealed interface Conversion extends Unary
            permits NumberNode.Scaled, NumberNode.ToDouble, NumberNode.Unsigned, ByCode, TextNode.NameText {
        @Override
        default boolean optional() {
            return value().optional();
        }
    }

    /** A node that is true or false and never absent. */
    sealed interface Condition extends Ir
            permits Comparison,
                    ScaledComparison,
                    MixedComparison,
                    Membership,
                    IsAbsent,
                    And,
                    Or,
                    Not,
                    TextNode.Condition {
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
    sealed interface Computation extends Ir
            permits NumberNode.Arithmetic,
                    NumberNode.Quotient,
                    NumberNode.Negation,
                    NumberNode.Absolute,
                    NumberNode.Rounded,
                    Retyped,
                    Calendar,
                    Present,
                    TextNode.Substring,
                    TextNode.Mapped,
                    TextNode.Joined,
                    TextNode.Replaced,
                    TextNode.TextLength,
                    TextNode.TextIndex {
        @Override
        default boolean optional() {
            return false;
        }
    }

    /** The value of a field. */
    record Load(Field field) implements Ir {
        @Override
        public ValueType type() {
            return switch (field.type()) {
                case FieldType.IntegerType _ -> Basic.WHOLE;
                case FieldType.DecimalType(var ignoredStorage, int scale) ->
                    new ValueType.Decimal(scale, ValueType.Decimal.bitsOf((FieldType.Numbered) field.type()));
                case FieldType.DateType _ -> Basic.DATE;
                case FieldType.InstantType(var ignoredStorage2, var unit) -> new ValueType.Moment(unit);
                case FieldType.EnumType(var ignoredStorage, var dictionary) -> new ValueType.Name(dictionary);
                case FieldType.BooleanType _ -> Basic.BOOLEAN;
                case FieldType.FloatType _ -> Basic.DOUBLE;
                case FieldType.StringType _, FieldType.BytesType _, FieldType.IpType _ -> Basic.TEXT;
            };
        }

        /** Returns whether the field has numbers from 2^63, which expressions can order but not compute with. */
        public boolean isUnsignedLong() {
            return switch (field.type()) {
                case FieldType.IntegerType(var storage) -> storage.unsignedLong();
                case FieldType.DecimalType(var storage, int _) -> storage.unsignedLong();
                default -> false;
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
    record Constant(ValueType type, long raw) implements Leaf {
        public Constant {
            if (type.isWide()) {
                type = new ValueType.Decimal(type.scaleOfExact());
            }
        }
    }

    /**
     * A constant decimal past the range of long.
     *
     * @param raw in units of the type, of at most {@link ValueType.Decimal#BITS_MAX} bits
     */
    record WideConstant(ValueType.Decimal type, BigInteger raw) implements Leaf {}

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

    /** A value that must not be absent, as a value of another type with the same raw form. */
    record Retyped(Ir value, ValueType type) implements Computation, Unary {}

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
    record ByCode(Ir value, List<Integer> table, ValueType type) implements Conversion {
        /** The entry of a name without a result. */
        public static final int NO_RESULT = Integer.MIN_VALUE;
    }

    /**
     * A comparison of two longs or two doubles. An absent value equals another absent value and precedes all others.
     *
     * @param total for doubles, whether NaN and -0.0 are ordered as by {@link Double#compare}
     */
    record Comparison(Relation relation, Ir left, Ir right, boolean total) implements Condition, Binary {}

    /** An exact comparison of two longs; one unit of the first is {@code factor} units of the second. */
    record ScaledComparison(Relation relation, Ir left, long factor, Ir right) implements Condition, Binary {}

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
    record Membership(Ir value, List<Long> members, boolean ifAbsent) implements Condition, Unary {}

    /** A value that rejects the record if it is absent. */
    record Present(Ir value) implements Computation, Unary {

        /** Returns the value itself if it is never absent. */
        public static Ir of(Ir value) {
            return value.optional() ? new Present(value) : value;
        }

        @Override
        public ValueType type() {
            return value.type();
        }
    }

    /** Whether a value is absent. */
    record IsAbsent(Ir value) implements Condition, Unary {}

    /** Whether all operands hold; evaluated in order up to the first that does not. */
    record And(List<Ir> operands) implements Condition {}

    /** Whether any operand holds; evaluated in order up to the first that does. */
    record Or(List<Ir> operands) implements Condition {}

    /** Whether a condition does not hold. */
    record Not(Ir value) implements Condition, Unary {}

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
}
