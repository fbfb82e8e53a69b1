package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Entries;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Codes without a name that a schema keeps have the same answers as in plain lists of maps, in each layout and form of
 * storage.
 */
class UnknownCodesTest {

    private static final Map<Integer, String> NAMES = Map.of(0, "Off", 1, "On", 5, "Heat", 6, "");
    private static final String SCHEMA = """
        schema: reading
        layout: LAYOUT
        fields:
          - { name: id,     type: u32 }
          - { name: status, type: enum, values: { 0: Off, 1: On, 5: Heat, 6: "" }, unknown: keep }
          - { name: other,  type: enum, values: [ On, Off ], unknown: keep }
          - { name: last,   type: enum, values: [ On, Off ], unknown: keep, optional: true }
        """;

    private record Condition(String text, Predicate<Map<String, Object>> matches) {}

    private static final List<Condition> CONDITIONS = List.of(
            condition("status == 'On'", row -> text(row, "status").equals("On")),
            condition("status != 'On'", row -> !text(row, "status").equals("On")),
            condition("status == '#7'", row -> text(row, "status").equals("#7")),
            condition("status != '#255'", row -> !text(row, "status").equals("#255")),
            condition("status < 'Off'", row -> text(row, "status").compareTo("Off") < 0),
            condition("status >= '#2'", row -> text(row, "status").compareTo("#2") >= 0),
            condition("status.startsWith('#')", row -> text(row, "status").startsWith("#")),
            condition("status.length() == 2", row -> text(row, "status").length() == 2),
            condition("status.toLowerCase() == 'on'", row -> text(row, "status").equals("On")),
            condition(
                    "{'#3', 'Off', '#200'}.contains(status)",
                    row -> List.of("#3", "Off", "#200").contains(text(row, "status"))),
            condition("status == other", row -> text(row, "status").equals(text(row, "other"))),
            condition("status < other", row -> text(row, "status").compareTo(text(row, "other")) < 0),
            condition("last == '#9'", row -> "#9".equals(row.get("last"))),
            condition("last == null", row -> row.get("last") == null),
            condition(
                    "status == 'Heat' or other == '#254' and id > 100",
                    row -> text(row, "status").equals("Heat")
                            || (text(row, "other").equals("#254")
                                    && (long) Objects.requireNonNull(row.get("id")) > 100)));

    private static Condition condition(String text, Predicate<Map<String, Object>> matches) {
        return new Condition(text, matches);
    }

    private static String text(Map<String, Object> row, String field) {
        return (String) Objects.requireNonNull(row.get(field));
    }

    private static Schema schema(String layout) {
        String text = SCHEMA.replace("LAYOUT", layout);
        return SchemaReader.read("reading.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String named(Map<Integer, String> names, int code) {
        return names.getOrDefault(code, "#" + code);
    }

    private static List<Map<String, Object>> rows(long seed, int count) {
        Random random = new Random(seed);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int status = random.nextInt(3) == 0 ? random.nextInt(256) : random.nextInt(10);
            int other = random.nextInt(3) == 0 ? 254 : random.nextInt(4);
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("id", (long) i);
            row.put("status", named(NAMES, status));
            row.put("other", named(Map.of(0, "On", 1, "Off"), other));
            if (random.nextBoolean()) {
                row.put("last", named(Map.of(0, "On", 1, "Off"), random.nextInt(12)));
            }
            rows.add(row);
        }
        return rows;
    }

    private static String json(Map<String, Object> row) {
        StringBuilder json = new StringBuilder();
        row.forEach((name, value) -> json.append(json.isEmpty() ? "{" : ",")
                .append('"')
                .append(name)
                .append("\":")
                .append(value instanceof String ? "\"" + value + "\"" : value));
        return json.append('}').toString();
    }

    private static byte[] convert(RecordFormat from, RecordFormat to, Schema schema, byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        from.convert(to, schema, new ByteArrayInputStream(bytes), out, bad -> {
            throw new AssertionError(bad.reasons().toString());
        });
        return out.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String lines(List<Map<String, Object>> rows) {
        StringBuilder lines = new StringBuilder();
        rows.forEach(row -> lines.append(json(row)).append('\n'));
        return lines.toString();
    }

    @Test
    void shouldReadWhatIsWrittenAsText() throws IOException {
        for (String layout : List.of("fixed", "compact")) {
            Schema schema = schema(layout);
            String json = lines(rows(1, 300));
            byte[] binary = convert(RecordFormat.JSON, RecordFormat.BINARY, schema, utf8(json));
            byte[] written = convert(RecordFormat.BINARY, RecordFormat.JSON, schema, binary);
            assertThat(new String(written, StandardCharsets.UTF_8).replace(",\"last\":null", ""))
                    .isEqualTo(json);
            byte[] csv = convert(RecordFormat.BINARY, RecordFormat.CSV, schema, binary);
            assertThat(csv).asString(StandardCharsets.UTF_8).contains(",#254,");
            assertThat(convert(RecordFormat.CSV, RecordFormat.BINARY, schema, csv))
                    .isEqualTo(binary);
        }
    }

    @Test
    void shouldAnswerAsPlainListsDo() throws IOException {
        for (int seed = 0; seed < TestBudget.of(40); seed++) {
            List<Map<String, Object>> rows = rows(seed, 200);
            fixed(rows);
            compact(rows);
        }
    }

    private static void fixed(List<Map<String, Object>> rows) throws IOException {
        Schema schema = schema("fixed");
        byte[] bytes = convert(RecordFormat.JSON, RecordFormat.BINARY, schema, utf8(lines(rows)));
        int length = schema.recordLength();
        RecordBatch batch = new RecordBatch(schema).fill(bytes, 0, rows.size(), 0, bytes.length);
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region = CompactBatches.region(schema, 64, encoding, "id");
            List<byte[]> blocks = CompactBatches.blocks(region, batch);
            check("fixed " + encoding, rows, region, scan -> {
                BlockChecks checks = new BlockChecks();
                for (int i = 0; i < blocks.size(); i++) {
                    scan.block(i, blocks.get(i), checks);
                }
            });
        }
        RegionDefinition entries = new RegionDefinition(
                "r", Layout.ENTRIES, 0, false, schema, List.of("id"), null, 64, BlockEncoding.ROWS);
        check("entries", rows, entries, scan -> {
            for (int i = 0; i < rows.size(); i++) {
                byte[] record = Arrays.copyOfRange(bytes, i * length, (i + 1) * length);
                scan.entry(i, Entries.of(entries, i, record));
            }
        });
    }

    private static void compact(List<Map<String, Object>> rows) {
        Schema schema = schema("compact");
        List<byte[]> records = CompactOrders.records(
                schema, rows.stream().map(UnknownCodesTest::json).toList());
        RecordBatch batch = CompactBatches.batch(schema, records);
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region = CompactBatches.region(schema, 64, encoding, "id");
            List<byte[]> blocks = CompactBatches.blocks(region, batch);
            check("compact " + encoding, rows, region, scan -> {
                BlockChecks checks = new BlockChecks();
                for (int i = 0; i < blocks.size(); i++) {
                    scan.block(i, blocks.get(i), checks);
                }
            });
        }
    }

    /** Passes the stored records to a scan. */
    private interface Records {
        void scan(RecordScan scan);
    }

    private static void check(String form, List<Map<String, Object>> rows, RegionDefinition region, Records records) {
        for (Condition condition : CONDITIONS) {
            List<Map<String, Object>> expected =
                    rows.stream().filter(condition.matches()).toList();
            Query query = new Query(condition.text(), List.of(), List.of("status", "id"), rows.size());
            QueryScan scan = QueryScan.of(region, query, FunctionRegistry.empty());
            scan.begin(query.limit(), Integer.MAX_VALUE);
            records.scan(scan);
            QueryResult result = Answers.of(scan, query, scan.part());
            assertThat(result.records().stream().map(UnknownCodesTest::present).toList())
                    .as("%s: %s", form, condition.text())
                    .isEqualTo(expected.stream()
                            .sorted(Comparator.comparing((Map<String, Object> row) -> text(row, "status"))
                                    .thenComparing(row -> (Long) row.get("id")))
                            .toList());
        }
        Map<String, Long> counts = new TreeMap<>();
        rows.forEach(row -> counts.merge(text(row, "status"), 1L, Long::sum));
        AggregateQuery query = new AggregateQuery(null, List.of("status"), List.of("count()"), 1000);
        AggregateScan scan = AggregateScan.of(region, query, FunctionRegistry.empty());
        scan.reset();
        records.scan(scan);
        AggregateResult result = Answers.of(scan, List.of(scan.part()));
        Map<String, Long> found = new TreeMap<>();
        result.groups().forEach(group -> found.put(text(present(group), "status"), (Long) group.get("count()")));
        assertThat(found).as(form).isEqualTo(counts);
    }

    /** The schema keeps no such codes any more, but records with them are stored. */
    @Test
    void shouldHaveNoResultForStoredCodesThatAreRejectedNow() throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(new LinkedHashMap<>(
                    Map.of("id", (long) i, "status", i % 50 == 13 ? "#7" : i % 2 == 0 ? "On" : "Off", "other", "On")));
        }
        Schema kept = schema("fixed");
        byte[] bytes = convert(RecordFormat.JSON, RecordFormat.BINARY, kept, utf8(lines(rows)));
        RecordBatch fixed = new RecordBatch(kept).fill(bytes, 0, rows.size(), 0, bytes.length);
        RecordBatch compact = CompactBatches.batch(
                schema("compact"),
                CompactOrders.records(
                        schema("compact"),
                        rows.stream().map(UnknownCodesTest::json).toList()));
        for (BlockEncoding encoding : BlockEncoding.values()) {
            requireNoResult("fixed", encoding, fixed);
            requireNoResult("compact", encoding, compact);
        }
    }

    private static void requireNoResult(String layout, BlockEncoding encoding, RecordBatch batch) {
        Schema rejecting = SchemaReader.read(
                "reading.yml", utf8(SCHEMA.replace("LAYOUT", layout).replace("unknown: keep", "unknown: reject")));
        List<byte[]> blocks = CompactBatches.blocks(CompactBatches.region(schema(layout), 64, encoding, "id"), batch);
        RegionDefinition region = CompactBatches.region(rejecting, 64, encoding, "id");
        Map<String, Integer> passing = Map.of(
                "status == 'On'", 100,
                "status != 'On'", 96,
                "status >= 'Off'", 196,
                "status == 'Heat'", 0,
                "status.length() > 2", 96,
                "{'On', 'Off'}.contains(status)", 196,
                "status == other", 100);
        passing.forEach((where, count) -> {
            for (List<String> select : List.of(List.of("id"), List.<String>of())) {
                requireCounts(layout + " " + encoding, region, blocks, new Query(where, select, List.of(), 500), count);
            }
        });
        requireCounts(layout, region, blocks, new Query("id >= 0", List.of("id", "status"), List.of(), 500), 196);
        requireCounts(layout, region, blocks, new Query(null, List.of(), List.of("id"), 500), 196);

        Query others = new Query("id >= 0 and other == 'On'", List.of("id", "other"), List.of(), 500);
        QueryResult all = query(region, blocks, others);
        assertThat(all.records()).as(layout).hasSize(200);
        assertThat(all.counts().failed()).as(layout).isZero();
    }

    private static void requireCounts(
            String form, RegionDefinition region, List<byte[]> blocks, Query query, int records) {
        QueryResult result = query(region, blocks, query.withOnError(OnError.SKIP));
        assertThat(result.records()).as("%s: %s", form, query).hasSize(records);
        assertThat(result.counts().failed()).as("%s: %s", form, query).isEqualTo(4);
        assertThat(result.counts().firstFailure()).contains("status", "7");
        assertThatExceptionOfType(IncompleteAnswerException.class)
                .as("%s: %s", form, query)
                .isThrownBy(() -> query(region, blocks, query))
                .withMessageContaining("status");
    }

    private static QueryResult query(RegionDefinition region, List<byte[]> blocks, Query query) {
        QueryScan scan = QueryScan.of(region, query, FunctionRegistry.empty());
        scan.begin(query.limit(), Integer.MAX_VALUE);
        BlockChecks checks = new BlockChecks();
        for (int i = 0; i < blocks.size(); i++) {
            scan.block(i, blocks.get(i), checks);
        }
        return Answers.of(scan, query, scan.part());
    }

    private static Map<String, Object> present(Map<String, ?> row) {
        Map<String, Object> present = new LinkedHashMap<>();
        row.forEach((name, value) -> {
            if (value != null) {
                present.put(name, value);
            }
        });
        return present;
    }
}
