package io.millrace.aggregate;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of a group, such as {@code sum(amount)}. Sums of whole numbers and decimals are exact, in 128 bits; sums
 * of doubles are doubles, added in the order in which records are found. Immutable.
 *
 * @param kind of the aggregate
 * @param column that it is computed from; null for a count
 * @param at index of its value in a group's longs; of an average, that of the sum
 * @param countAt index of the number of records with a value
 */
public record GroupAggregate(Kind kind, @Nullable Column column, int at, int countAt) {

    private static final Pattern FORM = Pattern.compile("(?s)\\s*(count|sum|min|max|avg)\\s*\\((.*)\\)\\s*");

    /** The kind of an aggregate. */
    public enum Kind {
        COUNT,
        SUM,
        MIN,
        MAX,
        AVG;

        /** Returns the name in expressions. */
        public String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Compiles an aggregate, which ignores records for which its argument is absent.
     *
     * @param schema that the compiler compiles expressions for
     * @throws IllegalArgumentException if the text is not an aggregate
     * @throws io.millrace.expression.error.ExpressionException if its expression is invalid
     */
    public static GroupAggregate of(String text, Schema schema, ExpressionCompiler compiler, AggregateLayout layout) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "Invalid aggregate '" + text + "'. Use one of: count(), sum(…), min(…), max(…), avg(…).");
        }
        Kind kind = Kind.valueOf(form.group(1).toUpperCase(Locale.ROOT));
        return of(kind, form.group(2), text, schema, compiler, layout);
    }

    /** Returns an aggregate that counts records. */
    public static GroupAggregate count(AggregateLayout layout) {
        return counting(layout.at(Operation.COUNT));
    }

    private static GroupAggregate counting(int at) {
        return new GroupAggregate(Kind.COUNT, null, at, at);
    }

    /**
     * Compiles an aggregate of a kind, which ignores records for which its argument is absent.
     *
     * @param expression the argument. {@code count} without one counts all records, of a truth value those for which it
     *     is true, and of any other value those that have it
     * @param text the whole aggregate, for messages
     * @throws IllegalArgumentException if the kind does not support such values
     * @throws io.millrace.expression.error.ExpressionException if the expression is invalid
     */
    public static GroupAggregate of(
            Kind kind,
            String expression,
            String text,
            Schema schema,
            ExpressionCompiler compiler,
            AggregateLayout layout) {
        if (kind == Kind.COUNT) {
            return expression.isBlank() ? count(layout) : count(expression, schema, compiler, layout);
        }
        requireAble(kind, compiler.resultType(expression), text);
        Column column = Column.of(expression, schema, compiler);
        int columnAt = layout.column(column);
        Operation operation = switch (kind) {
            case COUNT -> Operation.COUNT;
            case MIN -> Operation.MIN;
            case MAX -> Operation.MAX;
            case SUM, AVG -> column.real() ? Operation.SUM_REAL : Operation.SUM;
        };
        int countAt = column.optional() ? layout.at(Operation.PRESENT, columnAt) : layout.at(Operation.COUNT);
        return new GroupAggregate(kind, column, layout.at(operation, columnAt), countAt);
    }

    private static GroupAggregate count(
            String expression, Schema schema, ExpressionCompiler compiler, AggregateLayout layout) {
        return switch (compiler.resultType(expression)) {
            case FieldType.BooleanType _ ->
                counting(layout.at(
                        Operation.COUNT_IF,
                        layout.column(Column.of("(" + expression + ") ? 1 : 0", schema, compiler))));
            case FieldType.StringType _, FieldType.BytesType _, FieldType.IpType _ ->
                counting(layout.at(
                        Operation.COUNT_IF, layout.column(Column.of(Column.presence(expression), schema, compiler))));
            case FieldType.Numbered _, FieldType.FloatType _ ->
                counting(layout.at(Operation.PRESENT, layout.column(Column.of(expression, schema, compiler))));
        };
    }

    private static void requireAble(Kind kind, FieldType type, String text) {
        boolean able = switch (type) {
            case FieldType.IntegerType _, FieldType.DecimalType _, FieldType.FloatType _ -> true;
            case FieldType.DateType _, FieldType.InstantType _ -> kind == Kind.MIN || kind == Kind.MAX;
            default -> false;
        };
        if (!able) {
            throw new IllegalArgumentException(
                    "Invalid argument in '" + text + "'. '" + kind.tag() + "' does not support values of this type.");
        }
    }

    /** Returns whether no record had a value, so that there is no sum, minimum, maximum or average. */
    public boolean none(long[] accumulators, int from) {
        return accumulators[from + countAt] == 0;
    }

    /**
     * Returns the aggregate of a group, as its Java type; null if no record had a value and it is not a count.
     *
     * @param accumulators aggregates of groups, in the layout of {@link Groups}
     * @param from index at which the group begins
     */
    public @Nullable Object value(long[] accumulators, int from) {
        Column source = column;
        if (source == null) {
            return accumulators[from + at];
        }
        if (none(accumulators, from)) {
            return null;
        }
        return switch (kind) {
            case COUNT, MIN, MAX -> decoded(source, accumulators[from + at]);
            case SUM ->
                source.real()
                        ? (Object) Double.longBitsToDouble(accumulators[from + at])
                        : source.type() instanceof FieldType.DecimalType
                                ? new BigDecimal(exactSum(accumulators, from), source.scale())
                                : exactSum(accumulators, from);
            case AVG ->
                source.real()
                        ? Double.longBitsToDouble(accumulators[from + at]) / accumulators[from + countAt]
                        : new BigDecimal(exactSum(accumulators, from), source.scale())
                                .divide(BigDecimal.valueOf(accumulators[from + countAt]), MathContext.DECIMAL64);
        };
    }

    /** Returns the sum of the raw numbers. */
    public BigInteger exactSum(long[] accumulators, int from) {
        BigInteger low = new BigInteger(Long.toUnsignedString(accumulators[from + at]));
        return BigInteger.valueOf(accumulators[from + at + 1])
                .shiftLeft(Long.SIZE)
                .add(low);
    }

    private static Object decoded(Column column, long number) {
        if (column.real()) {
            double value = Double.longBitsToDouble(FieldCondition.orderOf(number));
            return column.type().bytes() == Float.BYTES ? (Object) (float) value : (Object) value;
        }
        Object value = new NumberDecoder(column.type()).value(number);
        return value == null ? number : value;
    }
}
