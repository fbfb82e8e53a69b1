package io.millrace.aggregate;

import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;

/**
 * The values of an expression as a column of longs: raw numbers, or of doubles numbers in their order. Immutable.
 *
 * @param text the expression
 * @param type of its values
 * @param optional whether a value may be {@link #ABSENT}
 * @param numbers fills the column
 */
public record Column(String text, FieldType type, boolean optional, Compiled<BatchKeys> numbers) {

    /** The number of an absent value in a column that is optional, which in the order comes before all. */
    public static final long ABSENT = Long.MIN_VALUE;

    private static final String VALUE = "value";

    /**
     * A column in which a record without a value has none: it is rejected, unless the values are doubles.
     *
     * @throws io.millrace.expression.ExpressionException where the expression is wrong
     */
    public static Column required(String expression, ExpressionCompiler compiler) {
        Field value = compiler.resultField(VALUE, expression);
        return real(value.type())
                ? new Column(expression, value.type(), true, compiler.orderKeys(expression))
                : new Column(expression, value.type(), false, compiler.keys(expression));
    }

    /**
     * A column in which the value of a record may be absent.
     *
     * @throws io.millrace.expression.ExpressionException where the expression is wrong
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

    /** Whether the values are doubles. */
    public boolean real() {
        return real(type);
    }

    /** Digits behind the point of its values. */
    public int scale() {
        return type instanceof FieldType.DecimalType(var ignoredStorage, int scale) ? scale : 0;
    }
}
