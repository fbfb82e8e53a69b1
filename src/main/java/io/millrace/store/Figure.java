package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FieldTest;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a group. Sums of whole numbers and decimals are exact, in 128 bits; sums of doubles are doubles, added in
 * the order in which records are found.
 *
 * @param kind of the figure
 * @param type of the expression's values; of a count a whole number
 * @param numbers gives them as longs: raw numbers, or of doubles numbers in their order; null for a count
 */
record Figure(Kind kind, FieldType type, @Nullable Compiled<BatchKeys> numbers) {

    private static final Pattern FORM = Pattern.compile("(?s)\\s*(count|sum|min|max|avg)\\s*\\((.*)\\)\\s*");
    private static final String VALUE = "value";

    /** The number of an absent double, which in the order comes before all. */
    static final long ABSENT = Long.MIN_VALUE;

    /** What is told of a group. */
    enum Kind {
        COUNT,
        SUM,
        MIN,
        MAX,
        AVG
    }

    /**
     * Compiles a figure.
     *
     * @throws IllegalArgumentException where the text is none
     * @throws io.millrace.expression.ExpressionException where its expression is wrong
     */
    static Figure of(String text, ExpressionCompiler compiler) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "values=" + text + " is none of count(), sum(…), min(…), max(…) and avg(…)");
        }
        Kind kind = Kind.valueOf(form.group(1).toUpperCase(Locale.ROOT));
        String expression = form.group(2);
        if (kind == Kind.COUNT) {
            if (!expression.isBlank()) {
                throw new IllegalArgumentException("values=" + text + ": count() has nothing in its brackets");
            }
            return new Figure(kind, compiler.resultField(VALUE, "1").type(), null);
        }
        FieldType type = compiler.resultField(VALUE, expression).type();
        boolean able = switch (type) {
            case FieldType.IntegerType _, FieldType.DecimalType _, FieldType.FloatType _ -> true;
            case FieldType.DateType _, FieldType.InstantType _ -> kind == Kind.MIN || kind == Kind.MAX;
            default -> false;
        };
        if (!able) {
            throw new IllegalArgumentException("values=" + text + ": there is no " + form.group(1) + " of such values");
        }
        boolean real = type instanceof FieldType.FloatType;
        return new Figure(kind, type, real ? compiler.orderKeys(expression) : compiler.keys(expression));
    }

    /** Whether the values are doubles. */
    boolean real() {
        return type instanceof FieldType.FloatType;
    }

    /**
     * The figure of a group, of its Java type.
     *
     * @param figures of the group, as {@link Groups} keeps them
     * @param at where this figure's lie
     */
    Object value(long[] figures, int at, long count) {
        return switch (kind) {
            case COUNT -> count;
            case MIN -> decoded(figures[at]);
            case MAX -> decoded(figures[at + 1]);
            case SUM -> real() ? (Object) Double.longBitsToDouble(figures[at + 2]) : exactly(sum(figures, at));
            case AVG ->
                real()
                        ? Double.longBitsToDouble(figures[at + 2]) / count
                        : new BigDecimal(sum(figures, at), scale())
                                .divide(BigDecimal.valueOf(count), MathContext.DECIMAL64);
        };
    }

    private static BigInteger sum(long[] figures, int at) {
        BigInteger low = new BigInteger(Long.toUnsignedString(figures[at + 2]));
        return BigInteger.valueOf(figures[at + 3]).shiftLeft(Long.SIZE).add(low);
    }

    private Object exactly(BigInteger sum) {
        return type instanceof FieldType.DecimalType ? new BigDecimal(sum, scale()) : sum;
    }

    private int scale() {
        return type instanceof FieldType.DecimalType(var ignoredStorage, int scale) ? scale : 0;
    }

    private Object decoded(long number) {
        if (real()) {
            return Double.longBitsToDouble(FieldTest.orderOf(number));
        }
        Object value = decoded(type, number);
        return value == null ? number : value;
    }

    /** The value of a raw number of a type. */
    static @Nullable Object decoded(FieldType type, long number) {
        FieldType.Numbered numbered = (FieldType.Numbered) type;
        Schema schema = new Schema(VALUE, 0, List.of(), List.of()).extend(Field.of(VALUE, type, 0));
        byte[] bytes = new byte[type.bytes()];
        RawBytes.put(bytes, 0, numbered.storage(), number);
        return RecordCodec.of(schema).codec(VALUE).value(bytes, 0);
    }
}
