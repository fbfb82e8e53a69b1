package io.millrace.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.expression.CorpusExpression;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random expressions, aggregates and orders of the same records in several places, each against its oracle. */
final class CorpusCheck {

    /** What random expressions may be refused for: constants of other types, and computed keys that are doubles. */
    private static final List<String> REFUSALS = Stream.of(
                    ErrorCode.BAD_CONSTANT, ErrorCode.UNKNOWN_NAME, ErrorCode.UNKNOWN_FUNCTION, ErrorCode.NO_KEY)
            .map(ErrorCode::code)
            .toList();

    private final Random random;
    private final CorpusRecords records;
    private final List<Place> places;
    private final CaseCounts counts;

    CorpusCheck(Random random, CorpusRecords records, List<? extends Place> places, CaseCounts counts) {
        this.random = random;
        this.records = records;
        this.places = List.copyOf(places);
        this.counts = counts;
    }

    /** Returns the answers of all places, or nothing if all refuse the expression. */
    private <T> Map<Place, T> answers(Function<Place, @Nullable T> query, String what) {
        Map<Place, T> answers = new LinkedHashMap<>();
        Map<Place, String> refusals = new LinkedHashMap<>();
        for (Place place : places) {
            try {
                T answer = query.apply(place);
                if (answer != null) {
                    answers.put(place, answer);
                }
            } catch (ExpressionException | Refusal refusal) {
                String error = Objects.requireNonNull(refusal.getMessage());
                assertThat(REFUSALS).as("%s: %s", place, error).anyMatch(error::startsWith);
                refusals.put(place, error);
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(place + " fails for " + what, failure);
            }
        }
        assertThat(refusals.isEmpty() || answers.isEmpty())
                .as("%s is refused by %s, but not by %s", what, refusals, answers.keySet())
                .isTrue();
        return answers;
    }

    private String what(Object query) {
        return query + " of " + records.fixed().text();
    }

    /** Compares which records meet a condition. */
    void condition() {
        CorpusExpression condition = CorpusExpression.condition(random, records.schema());
        String what = what(condition);
        Found expected = Found.expected(condition, records.values(), true);
        answers(place -> place.matching(condition.text()), what)
                .forEach((place, found) -> requireLike(place, found, expected, what));
    }

    /** Compares the values of an expression. */
    void value() {
        CorpusExpression expression = CorpusExpression.value(random, records.schema());
        String what = what(expression);
        Found expected = Found.expected(expression, records.values(), false);
        answers(place -> place.values(expression.text()), what)
                .forEach((place, found) -> requireLike(place, found, expected, what));
    }

    private void requireLike(Place place, Found found, Found expected, String what) {
        long beyond = found.failed() - expected.failed();
        if (beyond > 0) {
            // Documented: numbers of 64 bits and their decimals, where stock SpEL continues without limit.
            assertThat(expected.values()).as("%s: %s", place, what).containsAllEntriesOf(found.values());
            assertThat(found.values().size() + beyond)
                    .as("%s: %s", place, what)
                    .isGreaterThanOrEqualTo(expected.values().size());
        } else {
            assertThat(found.values()).as("%s: %s", place, what).isEqualTo(expected.values());
        }
        counts.add(place, 1, beyond > 0);
    }

    /** Compares the groups and aggregates of a query. */
    void aggregates() {
        RandomAggregates aggregates = new RandomAggregates(random, records.schema());
        String what = what(aggregates);
        Rows expected = aggregates.expected(records.values());
        answers(place -> place.rows(aggregates.query()), what).forEach((place, rows) -> {
            // If more records fail than for stock SpEL, the aggregates are of other records.
            boolean beyond = rows.failed() > expected.failed();
            if (!beyond) {
                aggregates.requireLike(rows, expected, place + ": " + what);
            }
            counts.add(place, beyond ? 1 : aggregates.count(), beyond);
        });
    }

    /** Compares the orders by each field. */
    void orders() {
        for (Field field : records.schema().fields()) {
            if (field.type() instanceof FieldType.IpType || field.type() instanceof FieldType.BytesType) {
                continue;
            }
            boolean descending = random.nextBoolean();
            String order = descending ? field.name() + " desc" : field.name();
            Comparator<Map<String, @Nullable Object>> ascending = Comparator.comparing(
                    record -> comparable(record.get(field.name())), Comparator.nullsFirst(Comparator.naturalOrder()));
            answers(place -> place.ordered(order), order).forEach((place, numbers) -> {
                assertThat(numbers.stream().map(n -> records.values().get(n.intValue())))
                        .as("%s: by %s of %s", place, order, field)
                        .hasSameSizeAs(records.values())
                        .isSortedAccordingTo(descending ? ascending.reversed() : ascending);
                counts.add(place, 1, false);
            });
        }
    }

    @SuppressWarnings("unchecked") // the values of a field are of one type
    private static @Nullable Comparable<Object> comparable(@Nullable Object value) {
        return (Comparable<Object>)
                (value instanceof Number number && !(value instanceof Double || value instanceof Float)
                        ? new BigDecimal(number.toString())
                        : value);
    }
}
