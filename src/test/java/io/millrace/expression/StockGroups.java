package io.millrace.expression;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.MapAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Spring's own interpreter over maps and lists: what an expression over groups means. */
final class StockGroups {

    private final Expression expression;
    private final StandardEvaluationContext context = new StandardEvaluationContext();

    StockGroups(String text) {
        expression = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseRaw(text);
        context.addPropertyAccessor(new MapAccessor());
        SampleFunctions.register(context);
        Arrays.stream(Aggregates.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .forEach(method -> context.registerFunction(method.getName(), method));
    }

    /** The answer for a record, or null where there is none. */
    @Nullable
    Boolean answer(Map<String, @Nullable Object> record) {
        record.put("total", Aggregates.sum(amounts(record)));
        try {
            return (Boolean) expression.getValue((EvaluationContext) context, record);
        } catch (RuntimeException e) {
            return null;
        } finally {
            record.remove("total");
        }
    }

    private static List<?> amounts(Map<String, @Nullable Object> record) {
        return ((List<?>) Objects.requireNonNull(record.get("legs")))
                .stream().map(leg -> ((Map<?, ?>) leg).get("amount")).toList();
    }

    /** What our aggregates mean. */
    public static final class Aggregates {
        private Aggregates() {}

        /** A list that is null has no values. */
        public static long count(@Nullable List<?> values) {
            return flat(values).count();
        }

        public static Object sum(@Nullable List<?> values) {
            return numbers(values).reduce(Aggregates::add).orElse(0L);
        }

        @Nullable
        public static Object min(@Nullable List<?> values) {
            return comparable(values)
                    .reduce((a, b) -> a.compareTo(b) <= 0 ? a : b)
                    .orElse(null);
        }

        @Nullable
        public static Object max(@Nullable List<?> values) {
            return comparable(values)
                    .reduce((a, b) -> a.compareTo(b) >= 0 ? a : b)
                    .orElse(null);
        }

        @Nullable
        public static Object avg(@Nullable List<?> values) {
            long count = count(values);
            Object sum = sum(values);
            return count == 0
                    ? null
                    : sum instanceof BigDecimal decimal
                            ? decimal.divide(BigDecimal.valueOf(count), decimal.scale(), RoundingMode.HALF_EVEN)
                            : ((Number) sum).doubleValue() / count;
        }

        private static Stream<Object> numbers(@Nullable List<?> values) {
            return flat(values);
        }

        /** The values that are not absent, also those of lists in the list. */
        private static Stream<Object> flat(@Nullable List<?> values) {
            return values == null
                    ? Stream.of()
                    : values.stream()
                            .filter(Objects::nonNull)
                            .flatMap(value -> value instanceof List<?> inner ? flat(inner) : Stream.of((Object) value));
        }

        @SuppressWarnings("unchecked") // the values of a list are of one type
        private static Stream<Comparable<Object>> comparable(@Nullable List<?> values) {
            return flat(values).map(value -> (Comparable<Object>) value);
        }

        private static Object add(Object a, Object b) {
            if (a instanceof BigDecimal || b instanceof BigDecimal) {
                return new BigDecimal(a.toString()).add(new BigDecimal(b.toString()));
            }
            return switch (a) {
                case Double real -> real + (Double) b;
                default -> Math.addExact(((Number) a).longValue(), ((Number) b).longValue());
            };
        }
    }
}
