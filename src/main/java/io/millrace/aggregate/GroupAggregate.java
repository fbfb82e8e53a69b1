package io.millrace.aggregate;

import io.millrace.aggregate.Slot.Operation;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FieldCondition;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a group, such as {@code sum(amount)}. Sums of whole numbers and decimals are exact, in 128 bits; sums of
 * doubles are doubles, added in the order in which records are found. Immutable.
 *
 * @param kind of the figure
 * @param column that it is told of; null for a count
 * @param at where in a group's longs it lies; an average's sum
 * @param countAt where the number of records with a value lies
 */
public record GroupAggregate(Kind kind, @Nullable Column column, int at, int countAt) {

    private static final Pattern FORM = Pattern.compile("(?s)\\s*(count|sum|min|max|avg)\\s*\\((.*)\\)\\s*");

    /** What is told of a group. */
    public enum Kind {
        COUNT,
        SUM,
        MIN,
        MAX,
        AVG;

        /** As expressions write it. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Compiles a figure of which a record without a value is no part, nor of any other of the same layout.
     *
     * @throws IllegalArgumentException where the text is none
     * @throws io.millrace.expression.ExpressionException where its expression is wrong
     */
    public static GroupAggregate of(String text, ExpressionCompiler compiler, AggregateLayout layout) {
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
            return count(layout);
        }
        requireAble(kind, compiler.resultType(expression), text);
        Column column = Column.required(expression, compiler);
        return of(kind, column, layout.at(Operation.COUNT), layout);
    }

    /** How many records there are. */
    public static GroupAggregate count(AggregateLayout layout) {
        int at = layout.at(Operation.COUNT);
        return new GroupAggregate(Kind.COUNT, null, at, at);
    }

    /**
     * Compiles a figure of the records that have a value.
     *
     * @param kind any but a count
     * @param text the whole figure, for messages
     * @throws IllegalArgumentException where there is none of such values
     * @throws io.millrace.expression.ExpressionException where the expression is wrong
     */
    public static GroupAggregate ofPresent(
            Kind kind, String expression, String text, ExpressionCompiler compiler, AggregateLayout layout) {
        requireAble(kind, compiler.resultType(expression), text);
        Column column = Column.optional(expression, compiler);
        int countAt =
                column.optional() ? layout.at(Operation.PRESENT, layout.column(column)) : layout.at(Operation.COUNT);
        return of(kind, column, countAt, layout);
    }

    private static GroupAggregate of(Kind kind, Column column, int countAt, AggregateLayout layout) {
        Operation operation = switch (kind) {
            case COUNT -> Operation.COUNT;
            case MIN -> Operation.MIN;
            case MAX -> Operation.MAX;
            case SUM, AVG -> column.real() ? Operation.SUM_REAL : Operation.SUM;
        };
        return new GroupAggregate(kind, column, layout.at(operation, layout.column(column)), countAt);
    }

    private static void requireAble(Kind kind, FieldType type, String text) {
        boolean able = switch (type) {
            case FieldType.IntegerType _, FieldType.DecimalType _, FieldType.FloatType _ -> true;
            case FieldType.DateType _, FieldType.InstantType _ -> kind == Kind.MIN || kind == Kind.MAX;
            default -> false;
        };
        if (!able) {
            throw new IllegalArgumentException("values=" + text + ": there is no " + kind.tag() + " of such values");
        }
    }

    /** Whether no record had a value, so that there is no smallest, largest or average. */
    public boolean none(long[] figures, int from) {
        return figures[from + countAt] == 0;
    }

    /**
     * The figure of a group, of its Java type.
     *
     * @param figures of groups, as {@link Groups} keeps them
     * @param from where the group's begin; it must have one
     */
    public Object value(long[] figures, int from) {
        Column of = column;
        if (of == null) {
            return figures[from + at];
        }
        return switch (kind) {
            case COUNT, MIN, MAX -> decoded(of, figures[from + at]);
            case SUM ->
                of.real()
                        ? (Object) Double.longBitsToDouble(figures[from + at])
                        : of.type() instanceof FieldType.DecimalType
                                ? new BigDecimal(exactSum(figures, from), of.scale())
                                : exactSum(figures, from);
            case AVG ->
                of.real()
                        ? Double.longBitsToDouble(figures[from + at]) / figures[from + countAt]
                        : new BigDecimal(exactSum(figures, from), of.scale())
                                .divide(BigDecimal.valueOf(figures[from + countAt]), MathContext.DECIMAL64);
        };
    }

    /** The sum of the raw numbers. */
    public BigInteger exactSum(long[] figures, int from) {
        BigInteger low = new BigInteger(Long.toUnsignedString(figures[from + at]));
        return BigInteger.valueOf(figures[from + at + 1]).shiftLeft(Long.SIZE).add(low);
    }

    private static Object decoded(Column column, long number) {
        if (column.real()) {
            return Double.longBitsToDouble(FieldCondition.orderOf(number));
        }
        Object value = new NumberDecoder(column.type()).value(number);
        return value == null ? number : value;
    }
}
