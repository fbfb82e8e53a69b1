package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Writers;
import io.millrace.store.error.DefinitionChangedException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.store.query.Migration;
import io.millrace.store.query.NoResultException;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions on disk whose schema has several versions: every record is read as one of the newest. */
class EvolvedRegionTest {

    private static final int RECORDS = 60;

    private static final String FIRST = """
            schema: reading
            fields:
              - { name: id,     type: u32 }
              - { name: kind,   type: enum, values: [Power, Gas, Water] }
              - { name: value,  type: u16 }
              - { name: note,   type: string, length: 6 }
              - { name: amount, type: decimal, scale: 2, as: i32 }
              - { name: day,    type: date, as: u16 }
              - { name: low,    type: u8 }
            """;

    /** A version of the schema, and what a record of the version before becomes. */
    private record Version(Schema schema, UnaryOperator<Map<String, @Nullable Object>> next) {}

    private static final List<Version> VERSIONS = versions();

    private static List<Version> versions() {
        String second =
                FIRST.replace("Water]", "Water, Heat]").replace("name: value,  type: u16", "name: value,  type: u32");
        String third = second.replace("length: 6", "length: 9").replace("scale: 2, as: i32", "scale: 2, as: i64")
                + "  - { name: zone, type: u8, optional: true, absent: flag }\n";
        String fourth = third.replace("name: value, ", "name: reading, was: value, ")
                .replace("Gas", "NaturalGas")
                .replace("name: low,    type: u8", "name: low,    type: u8, optional: true, absent: flag");
        String fifth = fourth.lines()
                .filter(line -> !line.contains("name: note"))
                .reduce("", (text, line) -> text + line + "\n");
        return List.of(
                new Version(schema(FIRST), UnaryOperator.identity()),
                new Version(schema(second), UnaryOperator.identity()),
                new Version(schema(third), record -> {
                    record.put("zone", null);
                    return record;
                }),
                new Version(schema(fourth), record -> {
                    record.put("reading", record.remove("value"));
                    record.replace("kind", "Gas", "NaturalGas");
                    return record;
                }),
                new Version(schema(fifth), record -> {
                    record.remove("note");
                    return record;
                }));
    }

    private static Schema schema(String yaml) {
        return SchemaReader.read("reading.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** How a region stores records. */
    enum Form {
        ROWS,
        COLUMNS,
        ENTRIES
    }

    private static RegionDefinition region(Form form, Schema schema) {
        return region(form, schema, "id");
    }

    private static RegionDefinition region(Form form, Schema schema, String key) {
        return new RegionDefinition(
                "readings",
                form == Form.ENTRIES ? Layout.ENTRIES : Layout.BLOCKS,
                0,
                true,
                schema,
                List.of(key),
                null,
                16,
                form == Form.COLUMNS ? BlockEncoding.COLUMNS : BlockEncoding.ROWS);
    }

    private static Map<String, @Nullable Object> random(Random random, Schema schema, long id) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("id", id);
        boolean wide = schema.recordLength() > 26;
        boolean renamed = schema.field("reading") != null;
        List<String> kinds = List.of("Power", renamed ? "NaturalGas" : "Gas", "Water", "Heat");
        record.put("kind", kinds.get(random.nextInt(wide ? 4 : 3)));
        long[] values = {0, 1, 65535, wide ? 65536 : 65534, wide ? 4294967295L : 7};
        record.put(renamed ? "reading" : "value", values[random.nextInt(values.length)]);
        if (schema.field("note") != null) {
            record.put("note", List.of("", "a", "abcdef").get(random.nextInt(3)));
        }
        long[] amounts = {Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1234};
        record.put("amount", BigDecimal.valueOf(amounts[random.nextInt(amounts.length)], 2));
        record.put("day", LocalDate.ofEpochDay(new int[] {0, 65535, 20000}[random.nextInt(3)]));
        boolean optional = schema.field("low") != null
                && Objects.requireNonNull(schema.field("low")).optional();
        record.put(
                "low", optional && random.nextInt(3) == 0 ? null : (Object) new long[] {0, 255, 5}[random.nextInt(3)]);
        if (schema.field("zone") != null) {
            record.put("zone", random.nextBoolean() ? null : (Object) 255L);
        }
        return record;
    }

    private static void write(
            GeodeStore store, Schema schema, int partition, List<Map<String, @Nullable Object>> records) {
        byte[] bytes = encoded(schema, records);
        RegionWriter writer = Writers.open(store, "readings", "p", partition, schema, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(new RecordBatch(schema).fill(bytes, 0, records.size(), 0, bytes.length));
        writer.flush();
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadRecordsOfAllVersionsAsTheNewest(Form form, @TempDir Path folder) {
        Random random = new Random(38);
        List<Map<String, @Nullable Object>> expected = new ArrayList<>();
        for (int version = 0; version < VERSIONS.size(); version++) {
            Schema schema = VERSIONS.get(version).schema();
            expected.replaceAll(VERSIONS.get(version).next());
            try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
                store.open(region(form, schema));
                requireAll(store, schema, expected);

                List<Map<String, @Nullable Object>> more = new ArrayList<>();
                for (int i = 0; i < RECORDS; i++) {
                    more.add(random(random, schema, version * RECORDS + i));
                }
                write(store, schema, version, more);
                expected.addAll(more);
                requireAll(store, schema, expected);
            }
            // What the first version reads is not what the newest reads.
            if (version > 0) {
                requireRefused(folder, form, VERSIONS.getFirst().schema(), version + 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMigrateToTheNewestVersionWhileRecordsAreWritten(Form form, @TempDir Path folder) {
        Random random = new Random(39);
        List<Map<String, @Nullable Object>> expected = new ArrayList<>();
        for (int version = 0; version < VERSIONS.size(); version++) {
            Schema schema = VERSIONS.get(version).schema();
            expected.replaceAll(VERSIONS.get(version).next());
            try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
                store.open(region(form, schema));
                List<Map<String, @Nullable Object>> more = new ArrayList<>();
                for (int i = 0; i < RECORDS; i++) {
                    more.add(random(random, schema, version * RECORDS + i));
                }
                write(store, schema, version, more);
                expected.addAll(more);
            }
        }
        Schema newest = VERSIONS.getLast().schema();
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, newest));
            Migration first = store.migrate("readings", Duration.ofMinutes(5));
            assertThat(first.unreadable()).isZero();
            assertThat(first.rewritten()).isEqualTo(form == Form.ENTRIES ? 4 * RECORDS : 4 * 4);
            assertThat(first.done()).isTrue();
            assertThat(store.migrate("readings", Duration.ofMinutes(5)))
                    .isEqualTo(new Migration(first.values(), 0, 0, true));
            requireAll(store, newest, expected);
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, newest));
            write(store, newest, 0, List.of());
            requireAll(store, newest, expected);
        }
    }

    private static void requireAll(GeodeStore store, Schema schema, List<Map<String, @Nullable Object>> expected) {
        assertThat(store.query("readings", new Query(null, List.of(), List.of("id"), 1000))
                        .records())
                .isEqualTo(expected);
        String value = schema.field("reading") == null ? "value" : "reading";
        assertThat(ids(store, value + " >= 65535"))
                .isEqualTo(expected.stream()
                        .filter(record -> (long) Objects.requireNonNull(record.get(value)) >= 65535)
                        .map(record -> record.get("id"))
                        .toList());
        String gas = schema.field("reading") == null ? "Gas" : "NaturalGas";
        assertThat(ids(store, "kind == '" + gas + "' and day > '2000-01-01'"))
                .isEqualTo(expected.stream()
                        .filter(record -> gas.equals(record.get("kind")))
                        .filter(record -> ((LocalDate) Objects.requireNonNull(record.get("day"))).getYear() >= 2000)
                        .map(record -> record.get("id"))
                        .toList());
        if (schema.field("zone") != null) {
            assertThat(ids(store, "zone == null"))
                    .isEqualTo(expected.stream()
                            .filter(record -> record.get("zone") == null)
                            .map(record -> record.get("id"))
                            .toList());
        }
        if (!expected.isEmpty()) {
            Map<String, @Nullable Object> all = store.aggregate(
                            "readings",
                            new AggregateQuery(null, List.of(), List.of("count()", "sum(" + value + ")"), 1))
                    .groups()
                    .getFirst();
            long sum = expected.stream()
                    .mapToLong(record -> (long) Objects.requireNonNull(record.get(value)))
                    .sum();
            assertThat(all).hasToString("{count()=" + expected.size() + ", sum(" + value + ")=" + sum + "}");
            Map<String, @Nullable Object> last = expected.getLast();
            assertThat(store.record("readings", String.valueOf(last.get("id")))).isEqualTo(last);
            assertThat(store.record("readings", "0")).isEqualTo(expected.getFirst());
        }
    }

    private static List<@Nullable Object> ids(GeodeStore store, String where) {
        List<@Nullable Object> ids = new ArrayList<>();
        store.query("readings", new Query(where, List.of("id"), List.of("id"), 1000))
                .records()
                .forEach(record -> ids.add(record.get("id")));
        return ids;
    }

    /**
     * Records that the schema rejects now have no result, whether they are read as they are or as of a later version.
     */
    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldHaveNoResultForCodesThatAreNoLongerKept(Form form, @TempDir Path folder) {
        String kept = """
                schema: reading
                fields:
                  - { name: id,   type: u32 }
                  - { name: kind, type: enum, values: [Power, Gas], unknown: keep }
                  - { name: size, type: u16 }
                """;
        String rejected = kept.replace("keep", "reject");
        String later = rejected.replace("u16", "u32");
        List<Map<String, @Nullable Object>> records = List.of(
                Map.of("id", 1L, "kind", "Gas", "size", 10L),
                Map.of("id", 2L, "kind", "#7", "size", 20L),
                Map.of("id", 3L, "kind", "Power", "size", 30L));
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, schema(kept)));
            write(store, schema(kept), 0, records);
            assertThat(store.record("readings", "2")).isEqualTo(records.get(1));
        }
        for (String schema : List.of(rejected, later)) {
            try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
                store.open(region(form, schema(schema)));
                assertThat(store.record("readings", "1")).isEqualTo(records.get(0));
                assertThatExceptionOfType(NoResultException.class)
                        .isThrownBy(() -> store.record("readings", "2"))
                        .withMessageContaining("Invalid value '7' of 'kind'. No name of the dictionary has this code.");
                assertThat(ids(store, "size >= 20")).containsExactly(2L, 3L);
                Query all = new Query(null, List.of(), List.of("id"), 9);
                assertThatExceptionOfType(IncompleteAnswerException.class)
                        .isThrownBy(() -> store.query("readings", all))
                        .withMessageContaining("Invalid value '7' of 'kind'.");
                QueryResult skipped = store.query("readings", all.withOnError(OnError.SKIP));
                assertThat(skipped.records()).containsExactly(records.get(0), records.get(2));
                assertThat(skipped.counts().failed()).isOne();
            }
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, schema(later)));
            store.migrate("readings", Duration.ofMinutes(5));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, schema(later.replace("reject", "keep"))));
            assertThat(store.query("readings", new Query(null, List.of(), List.of("id"), 9))
                            .records())
                    .isEqualTo(records);
        }
    }

    private static void requireRefused(Path folder, Form form, Schema schema, int versions) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            assertThatExceptionOfType(DefinitionChangedException.class)
                    .isThrownBy(() -> store.open(region(form, schema)))
                    .withMessageContaining("version 1 of " + versions + " is configured");
        }
    }

    /** So that a process can return to its configuration if the next one does not work. */
    @ParameterizedTest
    @EnumSource
    void shouldOpenWithTheEarlierVersionWhileNothingIsWrittenWithTheNext(Form form, @TempDir Path folder) {
        Random random = new Random(40);
        Schema first = VERSIONS.get(0).schema();
        Schema second = VERSIONS.get(1).schema();
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            records.add(random(random, first, i));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, first));
            write(store, first, 0, records);
        }
        for (Schema schema : List.of(second, first, second)) {
            try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
                store.open(region(form, schema));
                requireAll(store, schema, records);
            }
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, second));
            store.migrate("readings", Duration.ofMinutes(5));
        }
        requireRefused(folder, form, first, 2);
    }

    /** The next version takes records again that the earlier one stored behind its commit. */
    @ParameterizedTest
    @EnumSource(names = {"ROWS", "COLUMNS"}) // entries of the same key replace each other
    void shouldDiscardRecordsBehindACommit(Form form, @TempDir Path folder) {
        Schema first = VERSIONS.get(0).schema();
        Schema second = VERSIONS.get(1).schema();
        Random random = new Random(41);
        List<Map<String, @Nullable Object>> before = new ArrayList<>();
        List<Map<String, @Nullable Object>> behind = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            before.add(random(random, first, i));
            behind.add(random(random, first, RECORDS + i));
        }
        WriterName name = WriterName.of("p", 0);
        RejectSink none = (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        };
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, first));
            RegionWriter writer = store.writer("readings", name, first, none);
            writer.open(Objects.requireNonNull(store.claim(name, true).term()), 0);
            append(writer, first, before, 0);
            writer.advance(1000);
            writer.endBlock();
            append(writer, first, behind, 1500); // its first block begins at the position of the commit or before
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, second));
            RegionWriter writer = store.writer("readings", name, second, none);
            writer.discardFrom(1000);
            writer.open(Objects.requireNonNull(store.claim(name, true).term()), 1000);
            assertThat(writer.covered()).isEqualTo(1000);
            requireAll(store, second, before);
            append(writer, second, behind, 1500);
            List<Map<String, @Nullable Object>> all = new ArrayList<>(before);
            all.addAll(behind);
            requireAll(store, second, all);
            writer.discardFrom(Long.MAX_VALUE);
            writer.open(Objects.requireNonNull(store.claim(name, true).term()), 1000);
            assertThat(writer.covered()).isEqualTo(1500 + RECORDS);
            requireAll(store, second, all);
        }
    }

    /** Appends records of one position each, and flushes. */
    private static void append(
            RegionWriter writer, Schema schema, List<Map<String, @Nullable Object>> records, long from) {
        byte[] bytes = encoded(schema, records);
        long[] positions = LongStream.rangeClosed(from, from + records.size()).toArray();
        writer.append(new RecordBatch(schema).fill(bytes, records.size(), positions));
        writer.advance(from + records.size());
        writer.flush();
    }

    private static byte[] encoded(Schema schema, List<Map<String, @Nullable Object>> records) {
        byte[] bytes = new byte[records.size() * schema.recordLength()];
        RecordCodec codec = RecordCodec.of(schema);
        for (int i = 0; i < records.size(); i++) {
            int at = i * schema.recordLength();
            records.get(i).forEach((field, value) -> codec.codec(field).setValue(bytes, at, value));
        }
        return bytes;
    }

    /** The range in a header names the field that it is of; that name is another field's now. */
    @ParameterizedTest
    @EnumSource(names = {"ROWS", "COLUMNS"}) // a key of entries can't be renamed
    void shouldNotTakeAFieldForAnotherOfTheSameName(Form form, @TempDir Path folder) {
        Schema first = schema("""
                schema: reading
                fields:
                  - { name: id,    type: u32 }
                  - { name: other, type: u32 }
                """);
        Schema second = schema("""
                schema: reading
                fields:
                  - { name: number, type: u32, was: id }
                  - { name: other,  type: u32 }
                """);
        Schema third = schema("""
                schema: reading
                fields:
                  - { name: number, type: u32 }
                  - { name: id,     type: u32, was: other }
                """);
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, first));
            write(store, first, 0, List.of(Map.of("id", 1L, "other", 500L)));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, second, "number"));
            write(store, second, 1, List.of()); // so that this version is stored
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, third));
            Map<String, Object> expected = Map.of("number", 1L, "id", 500L);
            assertThat(store.query("readings", Query.where("id == 500")).records())
                    .isEqualTo(List.of(expected));
            assertThat(store.migrate("readings", Duration.ofMinutes(5)).rewritten())
                    .isEqualTo(1);
            assertThat(store.query("readings", Query.where("id == 500")).records())
                    .isEqualTo(List.of(expected));
            assertThat(store.query("readings", Query.where("id == 1")).records())
                    .isEmpty();
            assertThat(store.record("readings", "500")).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadTheSameNumberAsAbsentInAWiderField(Form form, @TempDir Path folder) {
        String fields = """
                schema: reading
                fields:
                  - { name: id,   type: u32 }
                  - { name: note, type: string, length: 4, optional: true }
                  - { name: low,  type: u8, optional: true }
                """;
        Schema first = schema(fields);
        Schema second = schema(fields.replace("length: 4", "length: 6")
                .replace("u8, optional: true", "u16, optional: true, absent: 255"));
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, first));
            write(store, first, 0, List.of(record(1, null, null), record(2, "abcd", 254L)));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(form, second));
            write(store, second, 1, List.of(record(3, "abcdef", 256L), record(4, null, null)));
            for (int i = 0; i < 2; i++) {
                assertThat(store.query("readings", new Query(null, List.of(), List.of("id"), 9))
                                .records())
                        .isEqualTo(List.of(
                                record(1, null, null),
                                record(2, "abcd", 254L),
                                record(3, "abcdef", 256L),
                                record(4, null, null)));
                assertThat(ids(store, "low == null and note == null")).isEqualTo(List.of(1L, 4L));
                store.migrate("readings", Duration.ofMinutes(5));
            }
        }
    }

    private static Map<String, @Nullable Object> record(long id, @Nullable String note, @Nullable Long low) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("id", id);
        record.put("note", note);
        record.put("low", low);
        return record;
    }

    /** A record of the second version would have the length of one of the first. */
    @Test
    void shouldDistinguishEntriesOfTheSameLength(@TempDir Path folder) {
        Schema first = schema("""
                schema: reading
                fields:
                  - { name: id,   type: u32 }
                  - { name: old,  type: u8 }
                """);
        Schema second = schema("""
                schema: reading
                fields:
                  - { name: old,  type: u8 }
                  - { name: id,   type: u32 }
                """);
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(Form.ENTRIES, first));
            write(store, first, 0, List.of(Map.of("id", 1L, "old", 2L)));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(Form.ENTRIES, second));
            write(store, second, 1, List.of(Map.of("id", 3L, "old", 4L)));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            store.open(region(Form.ENTRIES, second));
            assertThat(store.query("readings", new Query(null, List.of(), List.of("id"), 9))
                            .records())
                    .containsExactly(Map.of("id", 1L, "old", 2L), Map.of("id", 3L, "old", 4L));
            assertThat(store.record("readings", "3")).isEqualTo(Map.of("id", 3L, "old", 4L));
        }
    }
}
