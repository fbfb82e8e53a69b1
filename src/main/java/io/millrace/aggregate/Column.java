package io.millrace.aggregate;

import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of an expression as a column of longs: raw numbers, or for doubles numbers in their order. Immutable;
 * {@link ColumnValues} holds the numbers of a batch.
 *
 * @param text the expression
 * @param type of its values
 * @param optional whether a value may be absent; its number is then {@link #ABSENT}
 * @param numbers fills the column
 * @param presence for each record 1 if it has a value, otherwise 0; null if only absent values have the number
 *     {@link #ABSENT}
 */
public record Column(
        String text,
        FieldType type,
        boolean optional,
        Compiled<BatchKeys> numbers,
        @Nullable Compiled<BatchKeys> presence) {

    /**
     * The number of an absent value. Values of 8 bytes can have the same number: {@link #presence} distinguishes them.
     */
    public static final long ABSENT = Long.MIN_VALUE;

    private static final String VALUE = "value";

    /**
     * Compiles a column.
     *
     * @param schema that the compiler compiles expressions for
     * @throws io.millrace.expression.error.ExpressionException if the expression is invalid
     */
    public static Column of(String expression, Schema schema, ExpressionCompiler compiler) {
        Field value = compiler.resultField(VALUE, expression);
        boolean optional = value.optional();
        return new Column(
                expression,
                type(expression, value.type(), schema),
                optional,
                real(value.type()) ? compiler.orderKeys(expression) : numbers(expression, optional, compiler),
                optional && isAmbiguous(expression, value.type(), schema) ? compiler.keys(presence(expression)) : null);
    }

    /**
     * Returns the type of the values: of a field of 4 bytes they are floats, though expressions compute with doubles.
     */
    private static FieldType type(String expression, FieldType computed, Schema schema) {
        Field field = schema.field(expression.strip());
        return field != null && real(field.type()) ? field.type() : computed;
    }

    private static Compiled<BatchKeys> numbers(String expression, boolean optional, ExpressionCompiler compiler) {
        return optional ? compiler.keysOrAbsent(expression) : compiler.keys(expression);
    }

    /** Returns a condition that holds if an expression has a value. */
    static String presence(String expression) {
        return "(" + expression + ") != null";
    }

    /** Returns whether an optional value can have the number {@link #ABSENT}. */
    static boolean isAmbiguous(String expression, FieldType type, Schema schema) {
        Field field = schema.field(expression.strip());
        FieldType stored = field == null ? type : field.type();
        boolean wide = stored instanceof FieldType.Numbered numbered
                && numbered.storage().bytes() == Long.BYTES;
        boolean excluded = field != null && field.optional() && !field.nullFlag() && field.nullRaw() == ABSENT;
        return wide && !excluded;
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

    /** Returns the names of the fields that it reads. */
    public Set<String> reads() {
        Set<String> reads = new HashSet<>(numbers.reads());
        Compiled<BatchKeys> also = presence;
        if (also != null) {
            reads.addAll(also.reads());
        }
        return reads;
    }
}
