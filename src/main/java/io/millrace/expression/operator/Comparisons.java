package io.millrace.expression.operator;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Magnitude;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.PowersOfTen;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.operand.ConstantComparisons;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Exact;
import io.millrace.expression.operand.Numbers;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/** The types of comparisons. Constants are converted to the raw form of the value that they are compared with. */
public final class Comparisons {

    private Comparisons() {}

    /** Compares two values as {@code ==}, {@code <} and the other operators do. */
    public static Ir compare(Relation relation, Ir left, Ir right, Place place) {
        return compare(relation, left, right, false, place);
    }

    /**
     * Compares two values.
     *
     * @param total whether doubles are compared by {@link Double#compare}, as {@code between} does
     */
    public static Ir compare(Relation relation, Ir left, Ir right, boolean total, Place place) {
        if (left instanceof Ir.Choice choice && choice.type() == Basic.TEXT) {
            // Texts and names of several dictionaries have no common form: compare each alternative by itself.
            return new Ir.Choice(
                    choice.condition(),
                    compare(relation, choice.ifTrue(), right, total, place),
                    compare(relation, choice.ifFalse(), right, total, place),
                    Basic.BOOLEAN);
        }
        if (right instanceof Ir.Choice choice && choice.type() == Basic.TEXT) {
            return compare(relation.flipped(), right, left, total, place);
        }
        if (right instanceof Ir.Absent) {
            return compareAbsent(relation, left);
        }
        if (left instanceof Ir.Absent) {
            return compareAbsent(relation.flipped(), right);
        }
        if (left.type().isNumber() && right.type().isNumber()) {
            if (relation == Relation.EQ || relation == Relation.NE) {
                requirePossible(left, right, place);
                requirePossible(right, left, place);
                requireFloat(left, right, place);
                requireFloat(right, left, place);
            }
            return numbers(relation, left, right, total, place);
        }
        if (left instanceof Ir.Text && !(right instanceof Ir.Text)) {
            return withText(relation.flipped(), right, left, place);
        }
        if (right instanceof Ir.Text) {
            return withText(relation, left, right, place);
        }
        return likes(relation, left, right, place);
    }

    /** Compares a value with a whole number that does not fit 64 bits with a sign. */
    public static Ir compareHuge(Relation relation, Ir value, BigInteger number, Place place) {
        if (value.type() == Basic.WHOLE || value.type() instanceof ValueType.Decimal) {
            return withConstant(relation, value, new BigDecimal(number));
        }
        return compare(relation, value, Constants.real(number.doubleValue()), place);
    }

    /** A field never equals a constant with more decimals than it holds. */
    private static void requirePossible(Ir value, Ir constant, Place place) {
        if (value instanceof Ir.Load(var field) && value.type() != Basic.DOUBLE) {
            BigDecimal number = switch (constant) {
                case Ir.Real(double real, var decimal) when Double.isFinite(real) -> decimal;
                case Ir.Constant(var type, long raw) -> BigDecimal.valueOf(raw, type.scaleOfExact());
                case Ir.WideConstant(var type, var raw) -> new BigDecimal(raw, type.scale());
                default -> BigDecimal.ZERO;
            };
            int scale = value.type().scaleOfExact();
            if (number.stripTrailingZeros().scale() > scale) {
                throw Constants.invalid(
                        field,
                        number.toPlainString(),
                        Constants.decimals(scale),
                        "write fewer decimals, or compare with < or >",
                        place);
            }
        }
    }

    /** A field of 4 bytes never equals a constant that is not a float: comparisons use doubles, as those of SpEL. */
    private static void requireFloat(Ir value, Ir constant, Place place) {
        if (value instanceof Ir.Load(var field) && field.type() instanceof FieldType.FloatType(int bytes, var _)) {
            double number = switch (constant) {
                case Ir.Real(double real, var _) -> real;
                case Ir.Constant(var type, long raw) ->
                    BigDecimal.valueOf(raw, type.scaleOfExact()).doubleValue();
                default -> 0;
            };
            float nearest = (float) number;
            if (bytes == Float.BYTES && Double.isFinite(number) && nearest != number) {
                throw Constants.invalid(
                        field,
                        Double.toString(number),
                        "no f32 equals this double",
                        Float.isInfinite(nearest)
                                ? "use a number in the range of f32"
                                : "write " + Double.toString(nearest) + ", which is the f32 " + Float.toString(nearest)
                                        + ", or compare with < or >",
                        place);
            }
        }
    }

    private static Ir compareAbsent(Relation relation, Ir value) {
        if (value instanceof Ir.Absent) {
            return Constants.truth(relation.holds(0));
        }
        Ir absent = value instanceof Ir.Load && !value.optional() ? Constants.truth(false) : new Ir.IsAbsent(value);
        return switch (relation) {
            case EQ, LE -> absent;
            case NE, GT -> new Ir.Not(absent);
            case LT -> new Ir.And(List.of(absent, Constants.truth(false)));
            case GE -> new Ir.Or(List.of(absent, Constants.truth(true)));
        };
    }

    private static Ir numbers(Relation relation, Ir left, Ir right, boolean total, Place place) {
        boolean leftReal = left.type() == Basic.DOUBLE;
        boolean rightReal = right.type() == Basic.DOUBLE;
        if (leftReal && right.type() instanceof ValueType.Decimal) {
            return numbers(relation.flipped(), right, left, total, place);
        }
        if (rightReal && left.type() instanceof ValueType.Decimal(int scale, var ignoredBits)) {
            return right instanceof Ir.Real(double value, var decimal) && Double.isFinite(value)
                    ? withConstant(relation, left, decimal)
                    : new Ir.MixedComparison(relation, left, right);
        }
        if (leftReal || rightReal) {
            return new Ir.Comparison(relation, Numbers.toDouble(left), Numbers.toDouble(right), total);
        }
        return exact(relation, left, right, place);
    }

    private static Ir exact(Relation relation, Ir left, Ir right, Place place) {
        int leftScale = left.type().scaleOfExact();
        int rightScale = right.type().scaleOfExact();
        if (isUnsigned(left) && isUnsigned(right) && leftScale == rightScale) {
            return new Ir.Comparison(
                    relation, new NumberNode.Unsigned((Ir.Load) left), new NumberNode.Unsigned((Ir.Load) right), false);
        }
        boolean unsigned = isUnsigned(left) || isUnsigned(right);
        boolean constants = Exact.constant(left) != null || Exact.constant(right) != null;
        if (leftScale == rightScale && !(unsigned && constants)) {
            return new Ir.Comparison(relation, left, right, false);
        }
        BigInteger constant = Exact.constant(right);
        if (constant != null) {
            return withConstant(relation, left, new BigDecimal(constant, rightScale));
        }
        if (Exact.constant(left) != null) {
            return exact(relation.flipped(), right, left, place);
        }
        if (leftScale > rightScale) {
            return exact(relation.flipped(), right, left, place);
        }
        int power = Math.min(rightScale - leftScale, PowersOfTen.LARGEST);
        int beyond = rightScale - leftScale - power;
        if (beyond > 0 && Magnitude.ofScaled(Magnitude.of(left), beyond) > ValueType.Decimal.BITS_MAX) {
            return farApart(relation, left, right);
        }
        return new Ir.ScaledComparison(
                relation, Numbers.rescale(left, rightScale - power, place), PowersOfTen.of(power), right);
    }

    /**
     * Compares two decimals whose units differ by more than a long, and of which the first may not fit in finer units:
     * instead, the second is rounded to coarser units, to the side on which it does not change the result.
     */
    private static Ir farApart(Relation relation, Ir left, Ir right) {
        if (right.optional()) {
            return new Ir.Choice(
                    new Ir.IsAbsent(right),
                    compareAbsent(relation, left),
                    rounded(relation, left, right),
                    Basic.BOOLEAN);
        }
        return rounded(relation, left, right);
    }

    private static Ir rounded(Relation relation, Ir left, Ir right) {
        int power = right.type().scaleOfExact() - left.type().scaleOfExact() - PowersOfTen.LARGEST;
        return switch (relation) {
            case EQ -> new Ir.And(List.of(rounded(Relation.LE, left, right), rounded(Relation.GE, left, right)));
            case NE -> new Ir.Not(rounded(Relation.EQ, left, right));
            case LE, GT ->
                new Ir.ScaledComparison(
                        relation,
                        left,
                        PowersOfTen.of(PowersOfTen.LARGEST),
                        new NumberNode.Rounded(right, power, RoundingMode.FLOOR));
            case LT, GE ->
                new Ir.ScaledComparison(
                        relation,
                        left,
                        PowersOfTen.of(PowersOfTen.LARGEST),
                        new NumberNode.Rounded(right, power, RoundingMode.CEILING));
        };
    }

    private static boolean isUnsigned(Ir value) {
        return value instanceof Ir.Load load && load.isUnsignedLong();
    }

    /** Compares a whole number or decimal with a constant of any size. */
    private static Ir withConstant(Relation relation, Ir value, BigDecimal constant) {
        BigDecimal units = constant.scaleByPowerOfTen(value.type().scaleOfExact());
        return value instanceof Ir.Load load && load.isUnsignedLong()
                ? ConstantComparisons.of(
                        relation, new NumberNode.Unsigned(load), units.subtract(NumberNode.Unsigned.SHIFT))
                : ConstantComparisons.of(relation, value, units);
    }

    private static Ir withText(Relation relation, Ir value, Ir right, Place place) {
        String text = ((Ir.Text) right).value();
        return switch (value.type()) {
            case Basic.DATE -> ConstantComparisons.of(relation, value, Constants.day(text, place));
            case ValueType.Moment(var unit) ->
                ConstantComparisons.of(relation, value, Constants.moment(text, unit, place));
            case ValueType.Name(var dictionary) -> NameComparisons.withText(relation, value, dictionary, text, place);
            case Basic.TEXT -> TextComparisons.compare(relation, value, right, place);
            default -> throw place.mismatch(relation.symbol(), value, right);
        };
    }

    private static Ir likes(Relation relation, Ir left, Ir right, Place place) {
        if (left.type() instanceof ValueType.Name(var first) && right.type() instanceof ValueType.Name(var second)) {
            return NameComparisons.compare(relation, left, first, right, second);
        }
        if (left.type() instanceof ValueType.Moment(var first)
                && right.type() instanceof ValueType.Moment(var second)) {
            int order = first.compareTo(second);
            return order == 0
                    ? new Ir.Comparison(relation, left, right, false)
                    : order > 0
                            ? new Ir.ScaledComparison(relation, left, second.convert(1, first), right)
                            : new Ir.ScaledComparison(relation.flipped(), right, first.convert(1, second), left);
        }
        if (hasBytes(left) && hasBytes(right)) {
            return TextComparisons.compare(relation, left, right, place);
        }
        if (left.type().equals(right.type()) && (left.type() == Basic.DATE || left.type() == Basic.BOOLEAN)) {
            return new Ir.Comparison(relation, left, right, false);
        }
        throw place.mismatch(relation.symbol(), left, right);
    }

    /** Bytes and addresses too. */
    private static boolean hasBytes(Ir value) {
        return value.type() == Basic.TEXT || value.type() instanceof ValueType.Name;
    }
}
