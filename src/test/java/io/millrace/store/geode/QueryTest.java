package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.millrace.client.MillraceClient;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.query.RecordListener;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.write.RegionWriter;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.geode.cache.Region;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

    private static final int RECORDS = 3000;
    private static final byte[] FEED = Trades.feed(RECORDS);
    private static GeodeStore store;

    @BeforeAll
    static void open() {
        store = new GeodeStore(GeodeOptions.inMemory());
        for (Layout layout : Layout.values()) {
            RegionWriter writer = openRegion(layout.tag(), layout);
            writer.append(Trades.batch(FEED, 0, RECORDS));
            writer.flush();
        }
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private static RegionWriter openRegion(String name, Layout layout) {
        store.open(new RegionDefinition(name, layout, 0, false, Trades.SCHEMA, List.of("id"), 700));
        return Writers.open(store, name, "trades", 0, Trades.SCHEMA, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static List<Object> values(QueryResult result, String field) {
        return result.records().stream().map(record -> record.get(field)).toList();
    }

    private static long amount(long id) {
        return id * 7919L % 100_003;
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "entries"})
    void shouldFilterOrderSelectAndLimit(String region) {
        QueryResult result = store.query(
                region,
                new Query("side == 'Sell' and amount > 300", List.of("id", "day"), List.of("desk desc", "amount"), 7));

        assertThat(values(result, "id"))
                .isEqualTo(IntStream.range(0, RECORDS)
                        .mapToObj(Long::valueOf)
                        .filter(id -> id % 2 == 1 && amount(id) > 30_000)
                        .sorted(Comparator.<Long>comparingLong(id -> -(id % 10)).thenComparingLong(QueryTest::amount))
                        .limit(7)
                        .toList());
        assertThat(result.records().getFirst()).containsOnlyKeys("id", "day");
        assertThat(result.counts().scanned()).isEqualTo(RECORDS);
        assertThat(result.counts().failed()).isZero();
        assertThat(result.nanos()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFilterOrderAndSelectByVirtualFields(Layout layout) {
        Schema schema = new Schema(
                "computed",
                Trades.LENGTH,
                List.copyOf(Trades.SCHEMA.fields()),
                List.of(new VirtualField("last", "id % 10"), new VirtualField("share", "100 / (id - 17)")));
        String name = "computed-" + layout.tag();
        store.open(new RegionDefinition(name, layout, 0, false, schema, List.of("id"), 700));
        RegionWriter writer = Writers.open(store, name, "trades", 0, schema, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(Trades.batch(new RecordBatch(schema), FEED, 0, RECORDS));
        writer.flush();

        QueryResult result = store.query(
                name, new Query("last > 6 and id < 30", List.of("share", "id"), List.of("last desc", "id"), 7));

        assertThat(values(result, "id")).containsExactly(9L, 19L, 29L, 8L, 18L, 28L, 7L);
        assertThat(values(result, "share")).containsExactly(-12L, 50L, 8L, -11L, 100L, 9L, -10L);
        assertThat(result.records().getFirst()).containsOnlyKeys("share", "id");
        Query withoutResult = new Query("last == 7 and id < 30", List.of("share"), List.of(), 7);
        assertThatExceptionOfType(IncompleteAnswerException.class)
                .isThrownBy(() -> store.query(name, withoutResult))
                .withMessageContaining("100 / (id - 17)");
        result = store.query(name, withoutResult.withOnError(OnError.SKIP));
        assertThat(values(result, "share")).containsExactlyInAnyOrder(-10L, 10L);
        assertThat(result.counts().failed()).isOne();
        assertThat(result.counts().firstFailure()).contains("100 / (id - 17)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"blocks", "entries"})
    void shouldDecideBetweenEqualOnesByKey(String region) {
        QueryResult result = store.query(region, new Query(null, List.of("id"), List.of("side DESC"), 4));

        assertThat(values(result, "id")).containsExactly(1L, 3L, 5L, 7L);
    }

    @Test
    void shouldStopWhereEnoughIsFound() {
        QueryResult result = store.query("blocks", Query.where("id >= 10"));

        assertThat(result.records()).hasSize(100);
        assertThat(result.records().getFirst())
                .isEqualTo(Map.of(
                        "id",
                        10L,
                        "day",
                        java.time.LocalDate.ofEpochDay(20_010),
                        "side",
                        "Buy",
                        "desk",
                        "D0",
                        "amount",
                        BigDecimal.valueOf(amount(10), 2)));
        assertThat(result.counts().scanned()).isEqualTo(700);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFailUnlessItSkipsRecordsWithoutAResult(Layout layout) {
        for (Query query : List.of(
                new Query("100 / (id % 3) > 60", List.of(), List.of(), 10_000),
                new Query("100 / (id % 3) > 60", List.of(), List.of("id"), 10_000))) {
            assertThatExceptionOfType(IncompleteAnswerException.class)
                    .isThrownBy(() -> store.query(layout.tag(), query))
                    .withMessageContainingAll(
                            "has no result for 1000 records", "division by zero", "Exclude such records by 'where'.")
                    .satisfies(e -> assertThat(e.counts().failed()).isEqualTo(1000));
            QueryResult result = store.query(layout.tag(), query.withOnError(OnError.SKIP));

            assertThat(result.counts().failed()).isEqualTo(1000);
            assertThat(result.counts().firstFailure()).isNotBlank();
            assertThat(result.records()).hasSize(1000);
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFailUnlessItSkipsRecordsWithoutAResultInAnAggregate(Layout layout) {
        Map<AggregateQuery, Long> counts = Map.of(
                new AggregateQuery(null, List.of(), List.of("count()", "sum(100 / (id % 3))"), 10), 2000L,
                new AggregateQuery(null, List.of(), List.of("count()", "max(id * 9223372036854775807L)"), 10), 2L,
                new AggregateQuery("100 / (id % 3) > 60", List.of(), List.of("count()"), 10), 1000L,
                new AggregateQuery(null, List.of("desk", "100 / (id % 3)"), List.of("count()"), 10_000), 2000L);
        counts.forEach((query, count) -> {
            long failed = query.where() == null ? RECORDS - count : 1000;
            assertThatExceptionOfType(IncompleteAnswerException.class)
                    .isThrownBy(() -> store.aggregate(layout.tag(), query))
                    .withMessageContaining("has no result for " + failed + " records");
            AggregateResult result = store.aggregate(layout.tag(), query.withOnError(OnError.SKIP));

            assertThat(result.counts().failed()).isEqualTo(failed);
            assertThat(result.groups().stream()
                            .mapToLong(group -> (Long) group.get("count()"))
                            .sum())
                    .isEqualTo(count);
        });
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldReturnOneRowOfNoRecords(Layout layout) {
        Map<String, Object> nothing = new HashMap<>();
        nothing.put("count()", 0L);
        nothing.put("sum(amount)", null);
        nothing.put("avg(id)", null);
        for (String where : List.of("id < 0", "id % 2 == 2")) {
            assertThat(store.aggregate(
                                    layout.tag(),
                                    new AggregateQuery(where, List.of(), List.copyOf(nothing.keySet()), 10))
                            .groups())
                    .containsExactly(nothing);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAQuery() {
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> store.query("blocks", Query.where("colour == 'red'")))
                .withMessageContaining("colour");
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> store.query("blocks", new Query(null, List.of(), List.of("colour desc"), 1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.query("blocks", new Query(null, List.of("colour"), List.of(), 1)))
                .withMessageContaining("colour");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.query("nowhere", Query.all()))
                .withMessageContaining("Region 'nowhere' is not open. Use one of: '");
    }

    @Test
    void shouldReportHowMuchARegionHolds() {
        RegionInfo blocks = store.info("blocks");

        assertThat(blocks.entries()).isEqualTo(5);
        assertThat(blocks.records()).isEqualTo(RECORDS);
        assertThat(blocks.valueBytes()).isEqualTo(RECORDS * Trades.LENGTH + 5 * 88);
        assertThat(blocks.bytesPerRecord()).isBetween(23.1, 23.4);
        assertThat(store.regions()).contains("blocks", "entries");
    }

    @Test
    void shouldNameADamagedBlock() {
        openRegion("damaged", Layout.BLOCKS).append(Trades.batch(FEED, 0, 1400));
        long key = Writers.firstKey("damaged", "trades", 0) + 1;
        byte[] damaged = StoredBlocks.of("damaged", "trades", 0).get(1).bytes().clone();
        damaged[500] ^= 1;
        StoredBlocks.region("damaged").put(key, damaged);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.query("damaged", new Query(null, List.of(), List.of(), 1000)))
                .withMessageContaining("in region 'damaged'")
                .withMessageContaining(BlockKey.format(key))
                .withMessageContaining("Invalid checksum of the block");
    }

    @Test
    void shouldNameADamagedEntry() {
        RegionWriter writer = openRegion("damaged-entries", Layout.ENTRIES);
        writer.append(Trades.batch(FEED, 0, 1400));
        writer.flush();
        Region<Object, byte[]> region = StoredBlocks.region("damaged-entries");
        byte[] entry = Objects.requireNonNull(region.get(1234L));
        byte[] damaged = entry.clone();
        damaged[20] ^= 1;
        List<ThrowingCallable> reads = List.of(
                () -> store.query("damaged-entries", new Query(null, List.of(), List.of(), 10_000)),
                () -> store.query("damaged-entries", new Query(null, List.of(), List.of("amount desc"), 10)),
                () -> store.query("damaged-entries", new Query("id == 1234", List.of("side"), List.of(), 10)),
                () -> store.aggregate(
                        "damaged-entries", new AggregateQuery(null, List.of(), List.of("sum(amount)"), 10)),
                () -> store.get("damaged-entries", "1234"),
                () -> store.record("damaged-entries", "1234"),
                () -> MillraceClient.of(store)
                        .region("damaged-entries", TradeView.class)
                        .get("1234"),
                () -> MillraceClient.of(store)
                        .region("damaged-entries")
                        .where("id > 1000")
                        .list(),
                () -> store.follow("damaged-entries", new Ignored()));
        for (ThrowingCallable read : reads) {
            region.put(1234L, damaged);
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(read)
                    .withMessageContaining("Corrupt entry in region 'damaged-entries', key '1234': invalid checksum.")
                    .withMessageContaining("Restore the data folder from a copy")
                    .withMessageContaining("millrace regions remove damaged-entries");
            region.put(1234L, entry);
            assertThatNoException().isThrownBy(read);
        }
    }

    /** Getters of a trade. */
    interface TradeView {
        long id();
    }

    @Test
    void shouldRemoveTheRowOfAnEntryThatBecomesCorrupt() {
        RegionWriter writer = openRegion("followed-entries", Layout.ENTRIES);
        writer.append(Trades.batch(FEED, 0, 2));
        writer.flush();
        Map<Object, byte[]> rows = new HashMap<>();
        store.follow("followed-entries", new RecordListener() {
            @Override
            public void put(byte[] stored) {
                rows.put(Trades.id(stored, 0), stored);
            }

            @Override
            public void removed(Object key) {
                rows.remove(key);
            }
        });
        assertThat(rows)
                .containsOnlyKeys(0L, 1L)
                .allSatisfy((_, row) -> assertThat(row).hasSize(Trades.LENGTH));
        Region<Object, byte[]> region = StoredBlocks.region("followed-entries");
        byte[] entry = Objects.requireNonNull(region.get(1L));
        byte[] damaged = entry.clone();
        damaged[12] ^= 4;
        region.put(1L, damaged);
        assertThat(rows).containsOnlyKeys(0L);
        region.put(1L, entry);
        assertThat(rows).containsOnlyKeys(0L, 1L);
    }

    private record Ignored() implements RecordListener {

        @Override
        public void put(byte[] stored) {}

        @Override
        public void removed(Object key) {}
    }

    @Test
    void shouldAnswerWhileOthersWrite() throws InterruptedException {
        RegionWriter writer = openRegion("busy", Layout.BLOCKS);
        Thread writing = Thread.ofPlatform().start(() -> {
            for (int first = 0; first < RECORDS; first += 5) {
                writer.append(Trades.batch(FEED, first, first + 5));
                writer.flush();
            }
        });
        boolean wasWriting;
        List<Object> ids;
        do {
            wasWriting = writing.isAlive();
            long keptBefore = writer.counters().kept().get();
            ids = values(store.query("busy", new Query(null, List.of("id"), List.of("id"), 10_000)), "id");
            List<Object> missing = LongStream.range(0, keptBefore)
                    .boxed()
                    .map(Object.class::cast)
                    .filter(Predicate.not(new HashSet<>(ids)::contains))
                    .toList();
            assertThat(missing).isEmpty();
            assertThat(ids).doesNotHaveDuplicates();
        } while (wasWriting);
        writing.join();

        assertThat(ids).hasSize(RECORDS);
    }
}
