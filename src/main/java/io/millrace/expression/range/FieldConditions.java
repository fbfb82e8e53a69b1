package io.millrace.expression.range;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds {@linkplain FieldCondition conditions on a single field}. */
public final class FieldConditions {

    private static final long NEGATIVE_ZERO = FieldCondition.orderOf(Double.doubleToRawLongBits(-0.0));
    private static final long ZERO = FieldCondition.orderOf(Double.doubleToRawLongBits(0.0));
    private static final long LOWEST = FieldCondition.orderOf(Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));
    private static final long HIGHEST = FieldCondition.orderOf(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));

    private FieldConditions() {}

    /** Returns the test that is equivalent to a condition, or null if there is none. */
    public static @Nullable FieldCondition of(Ir condition) {
        return switch (condition) {
            case Ir.Comparison(var relation, var left, Ir.Load(var field), boolean total)
            when !(left instanceof Ir.Load) -> comparison(relation.flipped(), field, left, total);
            case Ir.Comparison(var relation, Ir.Load(var field), var right, boolean total) ->
                comparison(relation, field, right, total);
            case Ir.Membership(Ir.Load(var field), var members, boolean ifAbsent)
            when isNumber(field) -> numbers(field, LongRanges.ofMembers(members), ifAbsent);
            case TextNode.SameText(Ir.Load(var field), Ir.Text(var text)) -> text(field, text);
            case Ir.IsAbsent(Ir.Load(var field))
            when field.optional() && (isNumber(field) || (field.nullFlag() && FieldCondition.able(field))) ->
                numbers(field, LongRanges.NONE, true);
            case Ir.Load(var field)
            when field.type() instanceof FieldType.BooleanType && !field.optional() ->
                numbers(field, LongRanges.of(1, 1), false);
            case Ir.Not(var value) -> {
                FieldCondition test = of(value);
                yield test == null ? null : test.not();
            }
            case Ir.Or(var operands) -> anyOf(operands);
            default -> null;
        };
    }

    private static boolean isNumber(Field field) {
        return field.type() instanceof FieldType.Numbered && FieldCondition.able(field);
    }

    private static @Nullable FieldCondition comparison(Relation relation, Field field, Ir constant, boolean total) {
        if (constant instanceof Ir.Constant(var ignoredType, long raw) && isNumber(field)) {
            return numbers(field, ordered(relation, raw), relation.holds(-1));
        }
        if (constant instanceof Ir.Real(double value, var ignoredDecimal)
                && constant.type() == Basic.DOUBLE
                && field.type() instanceof FieldType.FloatType
                && FieldCondition.able(field)) {
            return numbers(field, doubles(relation, value, total), relation.holds(-1));
        }
        return null;
    }

    private static FieldCondition numbers(Field field, LongRanges accepted, boolean ifAbsent) {
        if (field.nullFlag()) {
            return new FieldCondition(field, accepted, ifAbsent);
        }
        LongRanges numbers = field.optional() ? accepted.with(FieldCondition.absentNumber(field), ifAbsent) : accepted;
        return new FieldCondition(field, numbers, false);
    }

    /** Returns the numbers that have a relation to another number. */
    private static LongRanges ordered(Relation relation, long number) {
        LongRanges below = LongRanges.of(number, Long.MAX_VALUE).complement();
        LongRanges above = LongRanges.of(Long.MIN_VALUE, number).complement();
        return switch (relation) {
            case EQ -> LongRanges.of(number, number);
            case NE -> below.union(above);
            case LT -> below;
            case LE -> above.complement();
            case GT -> above;
            case GE -> below.complement();
        };
    }

    /** Returns the orders of the doubles that have a relation to another double. */
    private static LongRanges doubles(Relation relation, double value, boolean total) {
        LongRanges numbers = LongRanges.of(LOWEST, HIGHEST);
        LongRanges notNumbers = numbers.complement();
        if (Double.isNaN(value)) {
            return switch (relation) {
                case EQ, GE -> total ? notNumbers : LongRanges.NONE;
                case NE -> total ? numbers : LongRanges.ALL;
                case LT -> total ? numbers : LongRanges.NONE;
                case LE -> total ? LongRanges.ALL : LongRanges.NONE;
                case GT -> LongRanges.NONE;
            };
        }
        long order = FieldCondition.orderOf(Double.doubleToRawLongBits(value));
        boolean zero = !total && value == 0;
        LongRanges same = zero ? LongRanges.of(NEGATIVE_ZERO, ZERO) : LongRanges.of(order, order);
        LongRanges below = LongRanges.of(LOWEST, (zero ? NEGATIVE_ZERO : order) - 1);
        LongRanges above = LongRanges.of((zero ? ZERO : order) + 1, HIGHEST);
        if (total) {
            above = above.union(notNumbers);
        }
        return switch (relation) {
            case EQ -> same;
            case NE -> same.complement();
            case LT -> below;
            case LE -> below.union(same);
            case GT -> above;
            case GE -> above.union(same);
        };
    }

    private static @Nullable FieldCondition text(Field field, String text) {
        if (field.type() instanceof FieldType.Numbered || !FieldCondition.able(field)) {
            return null;
        }
        long number = 0;
        for (byte part : TextEncoding.encode(field.type(), text)) {
            number = (number << Byte.SIZE) | (part & 0xFF);
        }
        return new FieldCondition(field, LongRanges.of(number, number), false);
    }

    private static @Nullable FieldCondition anyOf(List<Ir> conditions) {
        FieldCondition any = null;
        for (Ir condition : conditions) {
            FieldCondition test = of(condition);
            if (test == null || (any != null && !test.field().equals(any.field()))) {
                return null;
            }
            any = any == null ? test : any.or(test);
        }
        return any;
    }
}
