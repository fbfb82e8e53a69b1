package io.millrace.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import io.millrace.expression.CorpusExpression;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.FieldType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Absent values, the zero and the extremes of each type, and the values that stand for absent elsewhere: every place
 * that evaluates expressions answers as stock SpEL does of the records themselves, aggregates them as SQL does, and
 * orders them as Java does.
 *
 * <p>{@code -Dmillrace.rounds=N} repeats each property with other seeds, {@code -Dmillrace.seed=N} begins with another
 * one.
 */
class CorpusTest {

    private static final String SEED = "20261126";
    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 1);
    private static final long SHIFT = Long.getLong("millrace.seed", 0);
    private static final long ROUND_STEP = 0x9E3779B97F4A7C15L;
    private static final int RECORDS = 30;
    private static final int EXPRESSIONS = 4;

    /** What random expressions may be refused for: constants of other types, and computed keys that are doubles. */
    private static final List<String> REFUSALS = Stream.of(
                    ErrorCode.BAD_CONSTANT, ErrorCode.UNKNOWN_NAME, ErrorCode.UNKNOWN_FUNCTION, ErrorCode.NO_KEY)
            .map(ErrorCode::code)
            .toList();

    private static final CaseCounts COUNTS = new CaseCounts();

    @SuppressWarnings("NullAway.Init") // made before all tests
    private static Path folder;

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("corpus");
    }

    @AfterContainer
    static void deleteFolder() {
        FileSystemUtils.deleteRecursively(folder.toFile());
    }

    @AfterContainer
    static void shouldHaveComparedMuch() {
        System.out.println(COUNTS);
        COUNTS.requireAtLeast(TestBudget.of(1000) * ROUNDS);
    }

    private static void rounds(long seed, Consumer<Random> check) {
        for (int round = 0; round < ROUNDS; round++) {
            check.accept(new Random(seed ^ SHIFT ^ round * ROUND_STEP));
        }
    }

    private static List<Place> places(Random random, CorpusRecords records) {
        List<Place> places = new ArrayList<>(StorePlace.all(random, records));
        places.add(TableFiles.place(random, records, folder));
        places.addAll(PipelinePlace.all(random, records));
        places.addAll(ViewPlace.all(records));
        places.addAll(MeasurePlace.all(records));
        return places;
    }

    /** Returns the answers of all places, or nothing if all refuse the expression. */
    private static <T> Map<Place, T> answers(List<Place> places, Function<Place, @Nullable T> query, String what) {
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
        assertThat(refusals.isEmpty() || answers.keySet().stream().allMatch(Place::widens))
                .as("%s is refused by %s, but not by %s", what, refusals, answers.keySet())
                .isTrue();
        return answers;
    }

    @Property(tries = 300, seed = SEED)
    void shouldAnswerAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusRecords records = CorpusRecords.random(random, RECORDS, false);
            List<Place> places = places(random, records);
            for (int i = 0; i < EXPRESSIONS; i++) {
                CorpusExpression condition = CorpusExpression.condition(random, records.schema());
                String what = condition + " of " + records.fixed().text();
                Found expected = Found.expected(condition, records.values(), true);
                answers(places, place -> place.matching(condition.text()), what)
                        .forEach((place, found) -> requireLike(place, found, expected, what));
            }
        });
    }

    @Property(tries = 300, seed = SEED)
    void shouldComputeAsStockSpelDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusRecords records = CorpusRecords.random(random, RECORDS, false);
            List<Place> places = places(random, records);
            for (int i = 0; i < EXPRESSIONS; i++) {
                CorpusExpression expression = CorpusExpression.value(random, records.schema());
                String what = expression + " of " + records.fixed().text();
                Found expected = Found.expected(expression, records.values(), false);
                answers(places, place -> place.values(expression.text()), what)
                        .forEach((place, found) -> requireLike(place, found, expected, what));
            }
        });
    }

    private static void requireLike(Place place, Found found, Found expected, String what) {
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
        COUNTS.add(place, 1, beyond > 0);
    }

    @Property(tries = 300, seed = SEED)
    void shouldAggregateAsSqlDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusRecords records = CorpusRecords.random(random, RECORDS, false);
            List<Place> places = places(random, records);
            for (int i = 0; i < EXPRESSIONS; i++) {
                RandomAggregates aggregates = new RandomAggregates(random, records.schema());
                String what = aggregates + " of " + records.fixed().text();
                Rows expected = aggregates.expected(records.values());
                answers(places, place -> place.rows(aggregates.query()), what).forEach((place, rows) -> {
                    boolean beyond = rows.failed() > expected.failed();
                    if (!beyond) {
                        aggregates.requireLike(rows, expected, place + ": " + what);
                    }
                    // If more records fail than for stock SpEL, the aggregates are of other records.
                    COUNTS.add(place, beyond ? 1 : aggregates.count(), beyond);
                });
            }
        });
    }

    @Property(tries = 300, seed = SEED)
    void shouldOrderAsJavaDoes(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusRecords records = CorpusRecords.random(random, RECORDS, true);
            List<Place> places = places(random, records);
            for (var field : records.schema().fields()) {
                if (field.type() instanceof FieldType.IpType || field.type() instanceof FieldType.BytesType) {
                    continue;
                }
                boolean descending = random.nextBoolean();
                String order = descending ? field.name() + " desc" : field.name();
                Comparator<Map<String, @Nullable Object>> ascending = Comparator.comparing(
                        record -> comparable(record.get(field.name())),
                        Comparator.nullsFirst(Comparator.naturalOrder()));
                answers(places, place -> place.ordered(order), order).forEach((place, numbers) -> {
                    assertThat(numbers.stream().map(n -> records.values().get(n.intValue())))
                            .as("%s: by %s of %s", place, order, field)
                            .hasSize(RECORDS)
                            .isSortedAccordingTo(descending ? ascending.reversed() : ascending);
                    COUNTS.add(place, 1, false);
                });
            }
        });
    }

    @SuppressWarnings("unchecked") // the values of a field are of one type
    private static @Nullable Comparable<Object> comparable(@Nullable Object value) {
        return (Comparable<Object>)
                (value instanceof Number number && !(value instanceof Double || value instanceof Float)
                        ? new BigDecimal(number.toString())
                        : value);
    }

    @Property(tries = 300, seed = SEED)
    void shouldConvertWithoutLoss(@ForAll long seed) {
        rounds(seed, random -> {
            CorpusRecords records = CorpusRecords.random(random, RECORDS, true);
            for (Conversion conversion : Conversion.all(records)) {
                assertThat(conversion.values())
                        .as(conversion + ": " + records.fixed().text())
                        .isEqualTo(conversion.expected(records.values()));
                COUNTS.add(conversion, records.schema().names().size(), false);
            }
        });
    }
}
