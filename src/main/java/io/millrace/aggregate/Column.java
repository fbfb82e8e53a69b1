package io.millrace.aggregate;

import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;

/**
 * The values of an expression as a column of longs: raw numbers, or for doubles numbers in their order. Immutable.
 *
 * @param text the expression
 * @param type of its values
 * @param optional whether a value may be {@link #ABSENT}
 * @param numbers fills the column
 */
public record Column(String text, FieldType type, boolean optional, Compiled<BatchKeys> numbers) {

    /** The number of an absent value in an optional column, which is first in the order. */
    public static final long ABSENT = Long.MIN_VALUE;

    private static final String VALUE = "value";

    /**
     * Returns a column in which a record without a value is rejected, unless the values are doubles.
     *
     * @throws io.millrace.expression.error.ExpressionException if the expression is invalid
     */
    public static Column required(String expression, ExpressionCompiler compiler) {
        Field value = compiler.resultField(VALUE, expression);
        return real(value.type())
                ? new Column(expression, value.type(), true, compiler.orderKeys(expression))
                : new Column(expression, value.type(), false, compiler.keys(expression));
    }

    /**
     * Returns a column in which the value of a record may be absent.
     *
     * @throws io.millrace.expression.error.ExpressionException if the expression is invalid
     */
    public static Column optional(String expression, ExpressionCompiler compiler) {
        Field value = compiler.resultField(VALUE, expression);
        boolean optional = value.optional() || real(value.type());
        return new Column(
                expression,
                value.type(),
                optional,
                optional ? compiler.orderKeys(expression) : compiler.keys(expression));
    }

    private static boolean real(FieldType type) {
        return type instanceof FieldType.FloatType;
    }

    /** Returns whether the values are doubles. */
    public boolean real() {
        return real(type);
    }

    /** Returns the digits after the decimal point of its values. */
    public int scale() {
        return type instanceof FieldType.DecimalType(var ignoredStorage, int scale) ? scale : 0;
    }
}
