package io.millrace.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.CorpusExpression;
import io.millrace.schema.Schema;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.OnError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A random aggregate query, and its result by plain lists: stock SpEL computes the values, Java the aggregates. */
final class RandomAggregates {

    private static final List<String> FUNCTIONS = List.of("count", "sum", "min", "max", "avg");

    /** An average is a double in SQL, and so are sums of doubles, whose order is open. */
    private static final double TOLERANCE = 1e-12;

    private final @Nullable CorpusExpression where;
    private final List<CorpusExpression> keys;
    private final List<Aggregate> aggregates;

    private record Aggregate(String function, @Nullable CorpusExpression of) {

        String text() {
            return function + "(" + (of == null ? "" : of.text()) + ")";
        }
    }

    RandomAggregates(Random random, Schema schema) {
        where = random.nextInt(3) == 0 ? CorpusExpression.condition(random, schema) : null;
        keys = distinct(IntStream.range(0, random.nextInt(3))
                .mapToObj(_ -> CorpusExpression.value(random, schema))
                .toList());
        Map<String, Aggregate> different = new LinkedHashMap<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            Aggregate aggregate = aggregate(random, schema);
            different.put(aggregate.text(), aggregate);
        }
        aggregates = List.copyOf(different.values());
    }

    private static List<CorpusExpression> distinct(List<CorpusExpression> all) {
        Map<String, CorpusExpression> different = new LinkedHashMap<>();
        all.forEach(each -> different.put(each.text(), each));
        return List.copyOf(different.values());
    }

    private static Aggregate aggregate(Random random, Schema schema) {
        String function = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
        if (!function.equals("count")) {
            return new Aggregate(function, CorpusExpression.number(random, schema));
        }
        return new Aggregate(
                function,
                switch (random.nextInt(3)) {
                    case 0 -> null;
                    case 1 -> CorpusExpression.condition(random, schema);
                    default -> CorpusExpression.value(random, schema);
                });
    }

    AggregateQuery query() {
        return new AggregateQuery(
                where == null ? null : where.text(),
                keys.stream().map(CorpusExpression::text).toList(),
                aggregates.stream().map(Aggregate::text).toList(),
                1000,
                OnError.SKIP);
    }

    /** Returns the number of aggregates. */
    int count() {
        return aggregates.size();
    }

    @Override
    public String toString() {
        return query().toString();
    }

    /** The values of the aggregates' expressions for each record of a group. */
    private record Group(List<List<@Nullable Object>> values) {}

    /** A number that need not be found exactly. */
    private record Near(double number, double tolerance) {}

    /** Returns what the query finds in some records. */
    Rows expected(List<Map<String, @Nullable Object>> records) {
        Map<List<@Nullable Object>, Group> groups = new HashMap<>();
        if (keys.isEmpty()) {
            groups.put(List.of(), new Group(new ArrayList<>()));
        }
        long failed = 0;
        for (Map<String, @Nullable Object> record : records) {
            try {
                if (where != null && !(boolean) Objects.requireNonNull(where.value(record))) {
                    continue;
                }
                List<@Nullable Object> key = new ArrayList<>();
                keys.forEach(each -> key.add(Found.plain(each.value(record))));
                List<@Nullable Object> values = new ArrayList<>();
                aggregates.forEach(each -> values.add(each.of == null ? "all" : each.of.value(record)));
                groups.computeIfAbsent(key, _ -> new Group(new ArrayList<>()))
                        .values
                        .add(values);
            } catch (RuntimeException noResult) {
                failed++;
            }
        }
        Map<List<@Nullable Object>, List<@Nullable Object>> rows = new HashMap<>();
        groups.forEach((key, group) -> rows.put(key, aggregates(group)));
        return new Rows(rows, failed);
    }

    private List<@Nullable Object> aggregates(Group group) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            int column = i;
            row.add(aggregate(
                    aggregates.get(i).function,
                    group.values.stream()
                            .map(values -> values.get(column))
                            .filter(Objects::nonNull)
                            .toList()));
        }
        return row;
    }

    private static @Nullable Object aggregate(String function, List<?> values) {
        if (function.equals("count")) {
            return Found.plain(
                    values.stream().filter(value -> !value.equals(false)).count());
        }
        if (values.isEmpty()) {
            return null;
        }
        List<Object> plain = values.stream()
                .map(value -> Objects.requireNonNull(Found.plain(value)))
                .toList();
        return switch (function) {
            case "min" -> plain.stream().min(RandomAggregates::compare).orElseThrow();
            case "max" -> plain.stream().max(RandomAggregates::compare).orElseThrow();
            case "sum" -> values.stream().anyMatch(Double.class::isInstance) ? near(plain, 1) : sum(plain);
            default -> near(plain, plain.size());
        };
    }

    private static Object sum(List<Object> plain) {
        return plain.stream()
                .map(BigDecimal.class::cast)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .stripTrailingZeros();
    }

    private static Object near(List<Object> plain, int divisor) {
        if (plain.stream().allMatch(BigDecimal.class::isInstance)) {
            double magnitude = plain.stream()
                    .mapToDouble(value -> Math.abs(((BigDecimal) value).doubleValue()))
                    .sum();
            return new Near(((BigDecimal) sum(plain)).doubleValue() / divisor, TOLERANCE * magnitude / divisor);
        }
        return plain.stream()
                        .mapToDouble(value -> ((Number) value).doubleValue())
                        .sum()
                / divisor;
    }

    /** NaN comes after all numbers, as in SQL. */
    @SuppressWarnings("unchecked") // values are of one type
    private static int compare(Object a, Object b) {
        return a instanceof Double || b instanceof Double
                ? Double.compare(((Number) a).doubleValue(), ((Number) b).doubleValue())
                : ((Comparable<Object>) a).compareTo(b);
    }

    /** Fails unless a result is the expected one. */
    void requireLike(Rows found, Rows expected, String what) {
        assertThat(found.groups().keySet()).as(what).isEqualTo(expected.groups().keySet());
        found.groups().forEach((key, row) -> {
            List<@Nullable Object> right =
                    Objects.requireNonNull(expected.groups().get(key));
            for (int i = 0; i < right.size(); i++) {
                assertThat(isAlike(row.get(i), right.get(i)))
                        .as("%s%ngroup %s, %s: %s, expected %s", what, key, aggregates.get(i), row.get(i), right.get(i))
                        .isTrue();
            }
        });
    }

    private static boolean isAlike(@Nullable Object value, @Nullable Object right) {
        return right instanceof Near(double number, double tolerance)
                ? value instanceof Number found && Math.abs(found.doubleValue() - number) <= tolerance
                : Objects.equals(value, right);
    }
}
