package io.millrace.measure.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Windows;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Absent values and the smallest and largest numbers in each aggregate of a measure, against plain lists. */
class AbsentMeasureTest {

    private static final long[] EXTREMES = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE};
    private static final double[] DOUBLES = {
        0.0, -0.0, 1.5, Double.longBitsToDouble(0x7FF8_0000_0000_0001L), Double.longBitsToDouble(-1L)
    };

    private static final Schema SCHEMA = SchemaReader.read("extreme.yml", """
            schema: extreme
            fields:
              - { name: id, type: i64 }
              - { name: part, type: i64, optional: true, absent: flag }
              - { name: kind, type: enum, values: [A, B], optional: true }
              - { name: price, type: f64 }
            """.getBytes(StandardCharsets.UTF_8));

    /** A smallest or largest f32 is one of the records' values, so it is shown as they are. */
    @Test
    void shouldShowTheExtremesOfFloatsAsFloats() {
        Schema schema = SchemaReader.read("event.yml", """
                schema: event
                fields:
                  - { name: f, type: f32, order: little }
                  - { name: g, type: f32, optional: true }
                  - { name: n, type: f32, optional: true }
                """.getBytes(StandardCharsets.UTF_8));
        RecordCodec codec = RecordCodec.of(schema);
        int length = schema.recordLength();
        byte[] bytes = new byte[3 * length];
        for (int i = 0; i < 3; i++) {
            codec.codec("f").setValue(bytes, i * length, new float[] {26.3f, -0.1f, 7}[i]);
            codec.codec("g").setValue(bytes, i * length, i == 1 ? 26.3f : null);
            codec.codec("n").setValue(bytes, i * length, null);
        }
        Map<String, String> values = Plans.values(
                "least", "min(f)",
                "most", "max(f)",
                "only", "max(g)",
                "none", "min(n)",
                "computed", "max(f + 0)",
                "total", "sum(g)",
                "ratio", "max(f) / 1",
                "over", "max(f) > 26.25 ? 1 : 0");
        MeasurePlan plan = Plans.plan(
                Plans.definition(List.of(), values, new Windows.Sliding(Duration.ofHours(1), 1), null, 0, 10), schema);

        Measured measured = Measured.of(plan, new RecordBatch(schema).fill(bytes, 0, 3, 0, bytes.length));

        assertThat(measured.rows().getFirst())
                .containsEntry("least", -0.1f)
                .containsEntry("most", 26.3f)
                .containsEntry("only", 26.3f)
                .containsEntry("none", null)
                .containsEntry("computed", (double) 26.3f)
                .containsEntry("total", (double) 26.3f)
                .containsEntry("ratio", (double) 26.3f)
                .containsEntry("over", 1.0);
    }

    private static final Map<String, String> VALUES = Plans.values(
            "n", "count()",
            "with", "count(part)",
            "a", "count(kind == 'A')",
            "total", "sum(part)",
            "least", "min(part)",
            "most", "max(part)",
            "leastId", "min(id)",
            "totalId", "sum(id)",
            "mean", "avg(part)",
            "parts", "distinct(part)",
            "ids", "distinct(id)",
            "prices", "distinct(price)",
            "low", "quantile(id, 0)",
            "lowPart", "quantile(part, 0)",
            "ratio", "sum(part) / count()",
            "priceSum", "sum(price)",
            "priceMean", "avg(price)",
            "priceMost", "max(price)",
            "dear", "sum(kind == 'A' ? price : null)");

    private static List<Map<String, @Nullable Object>> rows(
            List<String> by, List<Map<String, @Nullable Object>> records) {
        byte[] bytes = new byte[SCHEMA.recordLength() * Math.max(1, records.size())];
        for (int i = 0; i < records.size(); i++) {
            int at = i * SCHEMA.recordLength();
            records.get(i)
                    .forEach((name, value) -> RecordCodec.of(SCHEMA).codec(name).setValue(bytes, at, value));
        }
        MeasurePlan plan = Plans.plan(
                Plans.definition(by, VALUES, new Windows.Sliding(Duration.ofHours(1), 1), null, 0, 1000), SCHEMA);
        Measured measured = Measured.of(plan, new RecordBatch(SCHEMA).fill(bytes, 0, records.size(), 0, bytes.length));
        assertThat(measured.failed()).isZero();
        return measured.rows();
    }

    private static Map<String, @Nullable Object> record(
            long id, @Nullable Long part, @Nullable String kind, double price) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("id", id);
        record.put("part", part);
        record.put("kind", kind);
        record.put("price", price);
        return record;
    }

    private static List<Map<String, @Nullable Object>> records(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(_ -> record(
                        EXTREMES[random.nextInt(EXTREMES.length)],
                        random.nextBoolean() ? null : (Long) EXTREMES[random.nextInt(EXTREMES.length)],
                        random.nextInt(3) == 0 ? null : random.nextBoolean() ? "A" : "B",
                        DOUBLES[random.nextInt(DOUBLES.length)]))
                .toList();
    }

    @Property(tries = 300)
    void shouldAggregateLikePlainLists(@ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int count) {
        Random random = new Random(seed);
        List<Map<String, @Nullable Object>> records = records(random, count);
        List<String> by = List.of("part", "kind", "price", "id").subList(0, random.nextInt(4));
        Map<List<@Nullable Object>, List<Map<String, @Nullable Object>>> groups = new HashMap<>();
        records.forEach(record -> groups.computeIfAbsent(
                        by.stream().map(key -> plainKey(record.get(key))).toList(), _ -> new ArrayList<>())
                .add(record));

        List<Map<String, @Nullable Object>> rows = rows(by, records);

        assertThat(rows).hasSameSizeAs(groups.keySet());
        for (Map<String, @Nullable Object> row : rows) {
            requireLike(
                    row,
                    Objects.requireNonNull(groups.get(
                            by.stream().map(key -> plainKey(row.get(key))).toList())));
        }
    }

    /** All NaNs are one key, and so are both zeros. */
    private static Object plainKey(@Nullable Object key) {
        return switch (key) {
            case null -> "null";
            case Double real -> real == 0 ? "0" : real.toString();
            default -> key.toString();
        };
    }

    private static void requireLike(Map<String, @Nullable Object> row, List<Map<String, @Nullable Object>> group) {
        List<Long> parts = longs(group, "part");
        List<Long> ids = longs(group, "id");
        assertThat(row)
                .containsEntry("n", (long) group.size())
                .containsEntry("with", (long) parts.size())
                .containsEntry(
                        "a",
                        group.stream()
                                .filter(record -> "A".equals(record.get("kind")))
                                .count())
                .containsEntry("least", reduce(parts, Math::min))
                .containsEntry("most", reduce(parts, Math::max))
                .containsEntry("leastId", reduce(ids, Math::min))
                .containsEntry("parts", parts.stream().distinct().count())
                .containsEntry("ids", ids.stream().distinct().count())
                .containsEntry(
                        "prices",
                        group.stream()
                                .map(record -> plainKey(record.get("price")))
                                .distinct()
                                .count())
                .containsEntry("low", (double) Objects.requireNonNull(reduce(ids, Math::min)))
                .containsEntry(
                        "lowPart",
                        parts.isEmpty() ? null : (Double) (double) Objects.requireNonNull(reduce(parts, Math::min)));
        requireSum(row.get("totalId"), ids);
        requireSum(row.get("total"), parts);
        if (parts.isEmpty()) {
            assertThat(row).containsEntry("mean", null).containsEntry("ratio", null);
        } else {
            double sum = sum(parts).doubleValue();
            assertThat((Double) row.get("mean")).isEqualTo(sum / parts.size());
            assertThat((Double) row.get("ratio")).isEqualTo(sum / group.size());
        }
    }

    private static void requireSum(@Nullable Object sum, List<Long> numbers) {
        if (numbers.isEmpty()) {
            assertThat(sum).isNull();
        } else {
            assertThat(new BigDecimal(String.valueOf(sum))).isEqualByComparingTo(new BigDecimal(sum(numbers)));
        }
    }

    private static BigInteger sum(List<Long> numbers) {
        return numbers.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static List<Long> longs(List<Map<String, @Nullable Object>> group, String field) {
        return group.stream()
                .map(record -> (Long) record.get(field))
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable Long reduce(List<Long> numbers, BinaryOperator<Long> operator) {
        return numbers.stream().reduce(operator).orElse(null);
    }

    @Test
    void shouldHaveAGroupWhoseAggregatesAreAbsent() {
        List<Map<String, @Nullable Object>> rows =
                rows(List.of("kind"), Arrays.asList(record(1, null, "A", 1), record(2, 7L, null, 1)));

        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst())
                .containsEntry("kind", "A")
                .containsEntry("n", 1L)
                .containsEntry("with", 0L)
                .containsEntry("total", null)
                .containsEntry("least", null);
        assertThat(rows.getLast()).containsEntry("kind", null).containsEntry("total", 7L);
    }

    @Test
    void shouldDistinguishNanAndInfinitiesFromAbsent() {
        for (double price : new double[] {Double.NaN, Double.longBitsToDouble(-1L), Double.POSITIVE_INFINITY}) {
            assertThat(rows(List.of(), List.of(record(1, null, "B", price), record(2, null, "B", 1)))
                            .getFirst())
                    .containsEntry("priceSum", price)
                    .containsEntry("priceMean", price)
                    .containsEntry("priceMost", price)
                    .containsEntry("dear", null);
        }
    }
}
