package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;

/** A position in an expression, for errors. */
record Place(String expression, int position) {

    ExpressionException error(ErrorCode code, String problem, String hint) {
        return new ExpressionException(code, expression, position, problem, hint);
    }

    ExpressionException mismatch(String operator, Ir left, Ir right) {
        return mismatch(operator, left, right, "");
    }

    ExpressionException mismatch(String operator, Ir left, Ir right, String hint) {
        return error(
                ErrorCode.TYPE_MISMATCH,
                "'" + operator + "' does not go with " + describe(left) + " and " + describe(right),
                hint);
    }

    /** Describes a value for messages: its type, and its name or text if it has one. */
    static String describe(Ir node) {
        return switch (node) {
            case Ir.Load(var field) -> field.name() + ", " + describe(node.type());
            case Ir.Text(String value) -> "the text '" + value + "'";
            case Ir.Constant(var type, long raw) when type == Basic.WHOLE -> "the whole number " + raw;
            case Ir.Real(double value, var ignoredDecimal) -> "the number " + value;
            case Ir.Absent _ -> "null";
            default -> describe(node.type());
        };
    }

    static String describe(ValueType type) {
        return switch (type) {
            case Basic.BOOLEAN -> "a truth value";
            case Basic.WHOLE -> "a whole number";
            case Basic.DOUBLE -> "a double";
            case Basic.DATE -> "a date";
            case Basic.TEXT -> "a text";
            case Basic.ABSENT -> "null";
            case ValueType.Decimal(int scale) -> "a decimal of scale " + scale;
            case ValueType.Moment _ -> "an instant";
            case ValueType.Name _ -> "a name of a dictionary";
        };
    }
}
