package io.millrace.expression.operand;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Magnitude;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.PowersOfTen;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import java.math.BigInteger;

/** The types of arithmetic: the results of each operator for whole numbers, decimals and doubles. */
public final class Numbers {

    private Numbers() {}

    /** Applies an operator to two numbers. */
    public static Ir arithmetic(NumberNode.Operator operator, Ir left, Ir right, Place place) {
        if (!left.type().isNumber() || !right.type().isNumber()) {
            boolean text = TextOperands.isText(left) || TextOperands.isText(right);
            String hint = operator == NumberNode.Operator.ADD
                    ? "+ joins texts and names with each other, and adds numbers"
                    : "texts can't be computed with";
            throw place.mismatch(symbol(operator), left, right, text ? hint : "");
        }
        requireDivisor(operator, left, right, place);
        if (left.type() instanceof ValueType.Decimal && right instanceof Ir.Real real) {
            return exact(operator, left, Constants.decimal(real, place), place);
        }
        if (left instanceof Ir.Real real && right.type() instanceof ValueType.Decimal) {
            return exact(operator, Constants.decimal(real, place), right, place);
        }
        if (left.type() == Basic.DOUBLE || right.type() == Basic.DOUBLE) {
            return real(operator, toDouble(left), toDouble(right));
        }
        return exact(operator, left, right, place);
    }

    /** Refuses a constant divisor of zero, with which no record has a value. */
    private static void requireDivisor(NumberNode.Operator operator, Ir left, Ir right, Place place) {
        boolean zero = (right instanceof Ir.Constant(var ignoredType, long value) && value == 0)
                || (right instanceof Ir.Real(double real, var ignoredDecimal) && real == 0);
        boolean infinity = left instanceof Ir.Real; // 1.0 / 0 names it
        if ((operator == NumberNode.Operator.DIV || operator == NumberNode.Operator.REM) && zero && !infinity) {
            throw place.error(ErrorCode.BAD_CONSTANT, "division by zero: no record has a value", "use another divisor");
        }
    }

    private static String symbol(NumberNode.Operator operator) {
        return switch (operator) {
            case ADD -> "+";
            case SUB -> "-";
            case MUL -> "*";
            case DIV -> "/";
            case REM -> "%";
        };
    }

    /** Applies the sign {@code +} to a number. */
    public static Ir plus(Ir value, Place place) {
        if (!value.type().isNumber()) {
            throw place.error(ErrorCode.TYPE_MISMATCH, "operator '+' can't be applied to " + Place.describe(value), "");
        }
        return Ir.Present.of(value);
    }

    private static Ir real(NumberNode.Operator operator, Ir left, Ir right) {
        if (left instanceof Ir.Real(double a, var ignoredDecimal)
                && right instanceof Ir.Real(double b, var ignoredDecimal2)) {
            return Constants.real(
                    switch (operator) {
                        case ADD -> a + b;
                        case SUB -> a - b;
                        case MUL -> a * b;
                        case DIV -> a / b;
                        case REM -> a % b;
                    });
        }
        return new NumberNode.Arithmetic(operator, left, right, Basic.DOUBLE);
    }

    private static Ir exact(NumberNode.Operator operator, Ir left, Ir right, Place place) {
        boolean whole = left.type() == Basic.WHOLE && right.type() == Basic.WHOLE;
        int leftScale = left.type().scaleOfExact();
        int rightScale = right.type().scaleOfExact();
        int scale = Math.max(leftScale, rightScale);
        return switch (operator) {
            case MUL -> {
                int product = leftScale + rightScale;
                if (product > ValueType.Decimal.SCALE_MAX) {
                    throw place.error(
                            ErrorCode.TYPE_MISMATCH,
                            "the product has " + product + " decimals, at most " + ValueType.Decimal.SCALE_MAX
                                    + " are possible",
                            "round a factor, as in #round(rate, 6)");
                }
                yield fold(
                        operator,
                        left,
                        right,
                        whole ? Basic.WHOLE : new ValueType.Decimal(product, Magnitude.ofProduct(left, right)),
                        place);
            }
            case DIV -> {
                int power = scale - leftScale + rightScale;
                int bits = Magnitude.ofNegation(Magnitude.ofScaled(Magnitude.of(left), power));
                yield whole
                        ? fold(operator, left, right, Basic.WHOLE, place)
                        : new NumberNode.Quotient(left, power, right, new ValueType.Decimal(scale, bits));
            }
            case ADD, SUB, REM -> {
                Ir first = rescale(left, scale, place);
                Ir second = rescale(right, scale, place);
                int bits = operator == NumberNode.Operator.REM
                        ? Math.min(Magnitude.of(first), Magnitude.of(second))
                        : Magnitude.ofSum(Magnitude.of(first), Magnitude.of(second));
                yield fold(operator, first, second, whole ? Basic.WHOLE : new ValueType.Decimal(scale, bits), place);
            }
        };
    }

    /** Computes operations on constants, so that {@code 24 * 3600} is a constant too. */
    private static Ir fold(NumberNode.Operator operator, Ir left, Ir right, ValueType type, Place place) {
        BigInteger a = Exact.constant(left);
        BigInteger b = Exact.constant(right);
        if (a == null || b == null) {
            return new NumberNode.Arithmetic(operator, left, right, type);
        }
        return switch (operator) {
            case ADD -> Exact.constant(type, a.add(b), place);
            case SUB -> Exact.constant(type, a.subtract(b), place);
            case MUL -> Exact.constant(type, a.multiply(b), place);
            case DIV -> Exact.constant(type, a.divide(b), place); // of whole numbers only
            case REM -> Exact.constant(type, a.remainder(b), place);
        };
    }

    /** Returns the negated number. */
    public static Ir negate(Ir value, Place place) {
        return switch (value) {
            case Ir.Constant(var type, long raw)
            when type.isNumber() -> Exact.constant(type, BigInteger.valueOf(raw).negate(), place);
            case Ir.WideConstant(var type, var raw) -> Exact.constant(type, raw.negate(), place);
            case Ir.Real(double real, var decimal) -> new Ir.Real(0 - real, decimal.negate());
            default -> {
                if (!value.type().isNumber()) {
                    throw place.error(
                            ErrorCode.TYPE_MISMATCH, "operator '-' can't be applied to " + Place.describe(value), "");
                }
                yield new NumberNode.Negation(value);
            }
        };
    }

    /** Returns a whole number or decimal with a scale that is at least its own. */
    public static Ir rescale(Ir value, int scale, Place place) {
        int power = scale - value.type().scaleOfExact();
        if (power == 0) {
            return value;
        }
        BigInteger constant = Exact.constant(value);
        if (constant != null) {
            return Exact.constant(new ValueType.Decimal(scale), constant.multiply(BigInteger.TEN.pow(power)), place);
        }
        if (power > PowersOfTen.LARGEST) {
            return rescale(rescale(value, scale - PowersOfTen.LARGEST, place), scale, place);
        }
        int bits = Magnitude.ofScaled(Magnitude.of(value), power);
        return new NumberNode.Scaled(value, PowersOfTen.of(power), new ValueType.Decimal(scale, bits));
    }

    /** Returns the same quantity in finer units. */
    public static Ir inUnits(Ir value, long factor, ValueType type, Place place) {
        if (!(value instanceof Ir.Constant(var ignoredType, long raw))) {
            return factor == 1 ? value : new NumberNode.Scaled(value, factor, type);
        }
        return Exact.constant(type, BigInteger.valueOf(raw).multiply(BigInteger.valueOf(factor)), place);
    }

    public static Ir toDouble(Ir value) {
        if (value.type() == Basic.DOUBLE) {
            return value;
        }
        return value instanceof Ir.Constant(var type, long raw) && type == Basic.WHOLE
                ? Constants.real((double) raw)
                : new NumberNode.ToDouble(value);
    }
}
