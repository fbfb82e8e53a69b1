package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Writers;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Migration;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compact records with columns next to them in a real Geode. */
class CompactColumnRegionTest {

    private static final int RECORDS = 3000;
    private static final Schema SCHEMA = CompactOrders.SCHEMA;
    private static final List<byte[]> ORDERS = CompactOrders.records(SCHEMA, CompactOrders.json(39, 0, RECORDS));
    private static final Query SELECTIVE = new Query(
            "currency == 'GBP' and limit > 100 and legs.size() > 1", List.of(), List.of("limit desc", "id"), 50);

    private static void open(GeodeStore store, BlockEncoding encoding, boolean persistent, Schema schema) {
        store.open(new RegionDefinition(
                "orders", Layout.BLOCKS, 0, persistent, schema, List.of("id"), null, 700, encoding));
    }

    private static void write(GeodeStore store, Schema rows, int partition, int first, int end) {
        RegionWriter writer = Writers.open(store, "orders", "p", partition, rows, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        RecordBatch batch = CompactBatches.batch(rows, ORDERS.subList(first, end));
        writer.append(batch);
        writer.flush();
    }

    @Test
    void shouldAnswerTheSameAndReturnTheVeryRecords() {
        QueryResult rows;
        double rowBytes;
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            open(store, BlockEncoding.ROWS, false, SCHEMA);
            write(store, SCHEMA, 0, 0, RECORDS);
            rows = store.query("orders", SELECTIVE);
            rowBytes = store.info("orders").bytesPerRecord();
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inMemory())) {
            open(store, BlockEncoding.COLUMNS, false, SCHEMA);
            // The rows of the pipeline contain few of the fields that columns have.
            write(store, SCHEMA.project(Set.of("open")), 0, 0, RECORDS);

            assertThat(store.query("orders", SELECTIVE).records()).hasSize(50).isEqualTo(rows.records());
            assertThat(store.info("orders").records()).isEqualTo(RECORDS);
            assertThat(store.info("orders").bytesPerRecord()).isBetween(rowBytes, rowBytes + 30);
            assertThat(store.get("orders", "1234")).isEqualTo(ORDERS.get(1234));
            assertThat(store.get("orders", "3000")).isNull();
            QueryResult late = store.query("orders", Query.where("made > '2026-10-20'"));
            assertThat(late.records()).isNotEmpty();
            assertThat(late.counts().skippedBlocks()).isEqualTo(4);
            assertThat(store.aggregate(
                                    "orders", new AggregateQuery("open", List.of("currency"), List.of("count()"), 10))
                            .groups())
                    .hasSize(4);
        }
    }

    /** Neither the encoding nor an appended field is in the fingerprint: stored blocks stay readable. */
    @Test
    void shouldReadWhatWasStoredUnderAnotherEncodingAndSchema(@TempDir Path folder) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, BlockEncoding.ROWS, true, SCHEMA);
            write(store, SCHEMA, 0, 0, 1000);
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, BlockEncoding.COLUMNS, true, SCHEMA);
            write(store, SCHEMA, 1, 1000, 2000);

            assertThat(ids(store, "id == 17 or id == 1017")).containsExactlyInAnyOrder(17L, 1017L);
        }
        Schema later =
                CompactOrders.schema(CompactOrders.FIELDS + "  - { name: priority, type: i32, optional: true }\n");
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, BlockEncoding.COLUMNS, true, later);
            write(store, later, 2, 2000, RECORDS);

            assertThat(ids(store, "{17L, 1017L, 2017L}.contains(id) and priority == null"))
                    .containsExactlyInAnyOrder(17L, 1017L, 2017L);
            assertThat(store.get("orders", "1017")).isEqualTo(ORDERS.get(1017));
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, BlockEncoding.ROWS, true, later);

            assertThat(store.query("orders", Query.where("id * 2 < 0")).counts().scanned())
                    .isEqualTo(RECORDS);
            assertThat(ids(store, "id == 1017")).containsExactly(1017L);
        }
    }

    /** Members are removed, renamed and made optional at all depths, and the values of all others stay. */
    @ParameterizedTest
    @EnumSource
    void shouldReadRecordsOfAnEarlierSchema(BlockEncoding encoding, @TempDir Path folder) {
        List<Map<String, @Nullable Object>> before;
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, encoding, true, SCHEMA);
            write(store, SCHEMA, 0, 0, RECORDS);
            before = store.query("orders", new Query(null, List.of(), List.of("id"), RECORDS))
                    .records();
        }
        Schema later = CompactOrders.schema(CompactOrders.FIELDS
                .replace("{ name: currency, type", "{ name: unit, was: currency, type")
                .replace("USD]", "USD, CHF]")
                .replace("  - { name: desk, type: string, length: 4, optional: true }\n", "")
                .replace("name: quantity, type: u64", "name: quantity, type: u64, optional: true")
                .replace("name: party\n", "name: owner\n    was: party\n")
                .replace(
                        "- { name: country, type: string, length: 2, optional: true }",
                        "- { name: town, type: string, length: 9, optional: true }")
                .replace("- { name: notional,", "- { name: amount, was: notional,"));
        assertThat(later.field("desk")).isNull();
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, encoding, true, later);
            List<Map<String, @Nullable Object>> expected =
                    before.stream().map(CompactColumnRegionTest::asLater).toList();
            assertThat(store.query("orders", new Query(null, List.of(), List.of("id"), RECORDS))
                            .records())
                    .isEqualTo(expected);
            assertThat(ids(store, "unit == 'GBP' and legs.?[amount > 100].size() > 1 and id < 600"))
                    .containsExactlyInAnyOrderElementsOf(expected.stream()
                            .filter(order -> "GBP".equals(order.get("unit"))
                                    && legsAbove100(order) > 1
                                    && (long) Objects.requireNonNull(order.get("id")) < 600)
                            .map(order -> order.get("id"))
                            .toList())
                    .isNotEmpty();
            assertThat(store.record("orders", "1234")).isEqualTo(expected.get(1234));
        }
    }

    /** A field of the new version has the name of another one of the old: its columns are not those of that field. */
    @ParameterizedTest
    @EnumSource
    void shouldMigrateRecordsByteForByte(BlockEncoding encoding, @TempDir Path folder) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, encoding, true, SCHEMA);
            write(store, SCHEMA, 0, 0, RECORDS);
        }
        String fields = CompactOrders.FIELDS
                .replace("USD]", "USD, CHF]")
                .replace("{ name: quantity, type", "{ name: number, was: quantity, type");
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            Schema renamed = CompactOrders.schema(fields);
            open(store, encoding, true, renamed);
            write(store, renamed, 1, 0, 0); // so that this version is stored
        }
        Schema later = CompactOrders.schema(
                fields.replace("was: quantity, ", "") + "  - { name: quantity, type: u64, optional: true }\n");
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            open(store, encoding, true, later);
            requireSameBytes(store);
            assertThat(store.migrate("orders", Duration.ofMinutes(5))).isEqualTo(new Migration(5, 5, 0, true));
            requireSameBytes(store);
            assertThat(store.migrate("orders", Duration.ofMinutes(5))).isEqualTo(new Migration(5, 0, 0, true));
        }
    }

    private static void requireSameBytes(GeodeStore store) {
        assertThat(store.info("orders").records()).isEqualTo(RECORDS);
        assertThat(store.aggregate(
                                "orders",
                                new AggregateQuery(null, List.of(), List.of("count(number)", "count(quantity)"), 1))
                        .groups())
                .hasToString("[{count(number)=" + RECORDS + ", count(quantity)=0}]");
        for (int id = 0; id < RECORDS; id += 100) {
            assertThat(store.get("orders", String.valueOf(id))).isEqualTo(ORDERS.get(id));
        }
    }

    @SuppressWarnings("unchecked")
    private static long legsAbove100(Map<String, @Nullable Object> order) {
        List<Map<String, Object>> legs = (List<Map<String, Object>>) order.get("legs");
        return legs == null
                ? 0
                : legs.stream()
                        .filter(leg -> ((BigDecimal) Objects.requireNonNull(leg.get("amount")))
                                        .compareTo(BigDecimal.valueOf(100))
                                > 0)
                        .count();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> asLater(Map<String, @Nullable Object> order) {
        Map<String, @Nullable Object> later = new LinkedHashMap<>();
        order.forEach((name, value) -> {
            switch (name) {
                case "desk" -> {}
                case "currency" -> later.put("unit", value);
                case "party" -> later.put("owner", value == null ? null : owner((Map<String, Object>) value));
                case "legs" ->
                    later.put(
                            "legs",
                            value == null
                                    ? null
                                    : ((List<Map<String, Object>>) value)
                                            .stream()
                                                    .map(leg -> Map.of(
                                                            "amount", leg.get("notional"), "open", leg.get("open")))
                                                    .toList());
                default -> later.put(name, value);
            }
        });
        return later;
    }

    private static Map<String, @Nullable Object> owner(Map<String, Object> party) {
        Map<String, @Nullable Object> owner = new LinkedHashMap<>();
        owner.put("rank", party.get("rank"));
        owner.put("town", null);
        owner.put("name", party.get("name"));
        return owner;
    }

    private static List<Object> ids(GeodeStore store, String where) {
        return Arrays.asList(store.query("orders", Query.where(where)).records().stream()
                .map(record -> record.get("id"))
                .toArray());
    }
}
