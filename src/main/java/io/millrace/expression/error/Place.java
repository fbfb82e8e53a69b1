package io.millrace.expression.error;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;

/** A position in an expression, for errors. */
public record Place(String expression, int position) {

    public ExpressionException error(ErrorCode code, String problem, String hint) {
        return new ExpressionException(code, expression, position, problem, hint);
    }

    public ExpressionException mismatch(String operator, Ir left, Ir right) {
        return mismatch(operator, left, right, hint(left, right));
    }

    public ExpressionException mismatch(String operator, Ir left, Ir right, String hint) {
        return error(
                ErrorCode.TYPE_MISMATCH,
                "operator '" + operator + "' can't be applied to " + describe(left) + " and " + describe(right),
                hint);
    }

    /** What to compare with. */
    private static String hint(Ir left, Ir right) {
        if (left.type() == Basic.BOOLEAN || right.type() == Basic.BOOLEAN) {
            Ir value = left.type() == Basic.BOOLEAN ? left : right;
            String name = value instanceof Ir.Load(var field) ? field.name() : "the condition";
            return "write: " + name + ", or: not " + name;
        }
        if (left.type() instanceof ValueType.Name(var dictionary)) {
            return "compare it with a name, such as '"
                    + dictionary.namesByCode().values().stream()
                            .filter(name -> !name.isEmpty())
                            .findFirst()
                            .orElse("") + "'";
        }
        if (left.type() == Basic.DATE) {
            return "write dates in quotes: '2014-07-21'";
        }
        if (left.type() instanceof ValueType.Moment) {
            return "write instants in quotes: '2014-07-21T10:00:00Z'";
        }
        if (left.type() == Basic.TEXT && right.type().isNumber()) {
            return "write texts in quotes: '5'";
        }
        return left.type().isNumber() && right instanceof Ir.Text ? "write numbers without quotes" : "";
    }

    /** Returns a description of a value for messages: its kind, with its name or text if it has one. */
    public static String describe(Ir node) {
        return switch (node) {
            case Ir.Load(var field) -> field.name() + ", " + describe(node.type());
            case Ir.Text(String value) -> "the text '" + value + "'";
            case Ir.Constant(var type, long raw) when type == Basic.WHOLE -> "the whole number " + raw;
            case Ir.Real(double value, var ignoredDecimal) -> "the number " + value;
            case Ir.Absent _ -> "null";
            default -> describe(node.type());
        };
    }

    public static String describe(ValueType type) {
        return switch (type) {
            case Basic.BOOLEAN -> "a truth value";
            case Basic.WHOLE -> "a whole number";
            case Basic.DOUBLE -> "a double";
            case Basic.DATE -> "a date";
            case Basic.TEXT -> "a text";
            case Basic.ABSENT -> "null";
            case ValueType.Decimal(int scale, var ignoredBits) -> "a decimal of scale " + scale;
            case ValueType.Moment _ -> "an instant";
            case ValueType.Name _ -> "a name of a dictionary";
        };
    }
}
