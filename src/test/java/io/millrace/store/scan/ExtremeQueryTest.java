package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import io.millrace.expression.ExtremeCondition;
import io.millrace.expression.ExtremeRecords;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;

/**
 * Absent values, the zero and the extremes of each type, and the values that stand for absent elsewhere: every store
 * answers as stock SpEL does of the records themselves, and orders them as Java does.
 */
class ExtremeQueryTest {

    private static final String SEED = "20261126";
    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 1);
    private static final long SHIFT = Long.getLong("millrace.seed", 0);
    private static final long ROUND_STEP = 0x9E3779B97F4A7C15L;
    private static final int RECORDS = 60;
    private static int compared;
    private static int beyond;
    private static int found;
    private static int ordered;

    @AfterContainer
    static void shouldHaveComparedMuch() {
        assertThat(compared).isGreaterThan(TestBudget.of(4000));
        assertThat(beyond).isLessThan(compared / 20);
        assertThat(found).isGreaterThan(TestBudget.of(8000));
        assertThat(ordered).isGreaterThan(TestBudget.of(250));
    }

    private static List<Map<String, @Nullable Object>> sample(Random random, Schema schema) {
        ExtremeRecords values = new ExtremeRecords(random);
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        for (long n = 0; n < RECORDS; n++) {
            Map<String, @Nullable Object> record = values.record(schema);
            record.put("n", n);
            records.add(record);
        }
        return records;
    }

    @Property(tries = 600, seed = SEED)
    void shouldAnswerAsStockSpelDoes(@ForAll long seed) {
        for (int round = 0; round < ROUNDS; round++) {
            answersAgree(new Random(seed ^ SHIFT ^ round * ROUND_STEP));
        }
    }

    private static void answersAgree(Random random) {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        ExtremeStores stores = new ExtremeStores(random, schema -> {
            records.addAll(sample(random, schema));
            return records;
        });
        ExtremeCondition condition = ExtremeCondition.next(random, stores.schema);
        TreeSet<Long> right = new TreeSet<>();
        long without = 0;
        for (Map<String, @Nullable Object> record : records) {
            Boolean holds = condition.holds(record);
            if (holds == null) {
                without++;
            } else if (holds) {
                right.add((Long) record.get("n"));
            }
        }
        Map<String, QueryResult> answers;
        try {
            answers = stores.answers(new Query(condition.text(), List.of("n"), List.of(), 2 * RECORDS));
        } catch (ExpressionException impossible) {
            assertThat(impossible.code())
                    .as(impossible.getMessage())
                    .isIn(ErrorCode.BAD_CONSTANT, ErrorCode.UNKNOWN_NAME, ErrorCode.UNKNOWN_FUNCTION);
            return;
        }
        long rejected = without;
        answers.forEach((store, answer) -> {
            String place = store + ": " + condition + " of " + stores.schema.fields();
            long beyondUs = answer.counts().failed() - rejected;
            if (beyondUs > 0) {
                // Documented: 64 bits, where stock SpEL goes on without limit.
                assertThat(right).as(place).containsAll(numbers(answer));
                assertThat(numbers(answer)).as(place).hasSizeGreaterThanOrEqualTo(right.size() - (int) beyondUs);
                beyond++;
            } else {
                assertThat(numbers(answer)).as(place).isEqualTo(right);
                compared++;
            }
        });
        found += right.size();
    }

    private static Set<Long> numbers(QueryResult answer) {
        Set<Long> numbers = new TreeSet<>();
        answer.records().forEach(record -> numbers.add((Long) record.get("n")));
        return numbers;
    }

    @Property(tries = 400, seed = SEED)
    void shouldOrderAsJavaDoes(@ForAll long seed) {
        for (int round = 0; round < ROUNDS; round++) {
            orderAgrees(new Random(seed ^ SHIFT ^ round * ROUND_STEP));
        }
    }

    private static void orderAgrees(Random random) {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        ExtremeStores stores = new ExtremeStores(random, schema -> {
            records.addAll(sample(random, schema));
            schema.fields().forEach(field -> putLargest(field, records, random));
            return records;
        });
        List<Field> fields = List.copyOf(stores.schema.fields());
        Field field = fields.get(random.nextInt(fields.size()));
        if (field.type().bytes() > Long.BYTES
                || field.type() instanceof FieldType.IpType
                || field.type() instanceof FieldType.BytesType) {
            return;
        }
        boolean descending = random.nextBoolean();
        Comparator<Map<String, @Nullable Object>> order = Comparator.comparing(
                record -> comparable(record.get(field.name())), Comparator.nullsFirst(Comparator.naturalOrder()));
        Comparator<Map<String, @Nullable Object>> directed = descending ? order.reversed() : order;
        List<String> orderBy = List.of(descending ? field.name() + " desc" : field.name());
        stores.answers(new Query(null, List.of("n"), orderBy, 2 * RECORDS)).forEach((store, answer) -> {
            List<Map<String, @Nullable Object>> found = answer.records().stream()
                    .map(record -> records.get(((Long) Objects.requireNonNull(record.get("n"))).intValue()))
                    .toList();
            assertThat(found)
                    .as("%s: by %s of %s", store, orderBy, field)
                    .hasSize(RECORDS)
                    .isSortedAccordingTo(directed);
        });
        ordered++;
    }

    /** Numbers that no long holds. */
    private static void putLargest(Field field, List<Map<String, @Nullable Object>> records, Random random) {
        if (field.type() instanceof FieldType.IntegerType(var storage) && storage.unsignedLong()) {
            for (int i = 0; i < RECORDS; i += 1 + random.nextInt(4)) {
                records.get(i).put(field.name(), BigInteger.TWO.pow(63).add(BigInteger.valueOf(random.nextInt(3))));
            }
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
