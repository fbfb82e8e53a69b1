package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.geode.cache.GeodeMemory;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.write.RegionWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Entries in the order of a field: whichever arrives last, the latest is stored. */
class LatestEntriesTest {

    private static final String REGION = "trades";
    /** More than fit into a limited memory. */
    private static final int MANY = 20_000;

    private static final int FEW = 2_000;
    private static final int BATCH = 100;

    private final List<RejectReason> rejects = new ArrayList<>();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // opened by each test
    private GeodeStore store;

    @AfterEach
    void close() {
        store.close();
    }

    private void open(RegionDefinition region) {
        store = new GeodeStore(GeodeOptions.inFolder(folder).with(new GeodeMemory(0, 32)));
        store.open(region);
    }

    private static RegionDefinition region(Schema schema, String latest, boolean persistent, Memory memory) {
        return new RegionDefinition(
                REGION,
                Layout.ENTRIES,
                0,
                persistent,
                schema,
                List.of("id"),
                null,
                latest,
                1,
                BlockEncoding.ROWS,
                Retention.FOREVER,
                memory,
                List.of());
    }

    private RegionWriter writer(int partition, Schema schema) {
        return Writers.open(store, REGION, "trades", partition, schema, (_, _, reason) -> rejects.add(reason));
    }

    /** Trades, three of each key, no two of which have the same amount. */
    private static byte[] feed(List<Integer> order, Map<Long, BigDecimal> latest) {
        byte[] feed = Trades.feed(order.size());
        for (int i = 0; i < order.size(); i++) {
            int number = order.get(i);
            long id = number % (order.size() / 3);
            RawBytes.putLong(feed, i * Trades.LENGTH, id);
            RawBytes.putLong(feed, i * Trades.LENGTH + 15, number * 7919L % 1_000_003 - 500_000);
            BigDecimal amount = BigDecimal.valueOf(number * 7919L % 1_000_003 - 500_000, 2);
            latest.merge(id, amount, BigDecimal::max);
        }
        return feed;
    }

    private Map<Long, BigDecimal> amounts() {
        Map<Long, BigDecimal> amounts = new HashMap<>();
        store.query(REGION, new Query(null, List.of("id", "amount"), List.of(), 100_000))
                .records()
                .forEach(record -> amounts.put((Long) Objects.requireNonNull(record.get("id")), (BigDecimal)
                        Objects.requireNonNull(record.get("amount"))));
        return amounts;
    }

    @ParameterizedTest
    @CsvSource({"false, , false", "true, , false", "false, 1048576, false", "true, 1048576, false", "false, , true"})
    void shouldStoreTheLatestOfEachKeyInAnyOrder(boolean persistent, @Nullable Long limit, boolean offHeap) {
        RegionDefinition region = region(Trades.SCHEMA, "amount", persistent, new Memory(limit, offHeap));
        open(region);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 3 * (limit == null ? FEW : MANY); i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(42));
        Map<Long, BigDecimal> latest = new HashMap<>();
        byte[] feed = feed(order, latest);
        List<RegionWriter> writers = List.of(writer(0, Trades.SCHEMA), writer(1, Trades.SCHEMA));
        for (int batch = 0; batch < order.size() / BATCH; batch++) {
            writers.get(batch % 2).append(Trades.batch(feed, batch * BATCH, (batch + 1) * BATCH));
        }
        writers.forEach(RegionWriter::flush);
        assertThat(amounts()).isEqualTo(latest);

        if (persistent) {
            store.close();
            open(region);
        }
        RegionWriter again = writer(2, Trades.SCHEMA);
        again.append(Trades.batch(feed, 0, order.size()));
        again.flush();
        assertThat(amounts()).isEqualTo(latest);
        assertThat(rejects).isEmpty();
    }

    /** As without the field, the later of two records of a feed replaces the other. */
    @Test
    void shouldReplaceAnEntryOfTheSameTime() {
        open(region(Trades.SCHEMA, "day", false, Memory.HEAP));
        byte[] feed = Trades.feed(3);
        for (int i = 0; i < 3; i++) {
            RawBytes.putLong(feed, i * Trades.LENGTH, 7);
            RawBytes.putShort(feed, i * Trades.LENGTH + 8, (short) (i == 0 ? 20_001 : 20_000));
        }
        RegionWriter writer = writer(0, Trades.SCHEMA);
        writer.append(Trades.batch(feed, 1, 2));
        writer.append(Trades.batch(feed, 2, 3)); // in the same chunk
        writer.flush();
        assertThat(amounts()).containsValue(amount(feed, 2));
        writer.append(Trades.batch(feed, 1, 2)); // in the region
        writer.flush();
        assertThat(amounts()).containsValue(amount(feed, 1));
        writer.append(Trades.batch(feed, 0, 1));
        writer.append(Trades.batch(feed, 2, 3));
        writer.flush();
        assertThat(amounts()).containsValue(amount(feed, 0));
        assertThat(writer.counters().kept().get()).isEqualTo(5);
    }

    private static BigDecimal amount(byte[] feed, int index) {
        return BigDecimal.valueOf(RawBytes.getLong(feed, index * Trades.LENGTH + 15), 2);
    }

    @Test
    void shouldCompareRecordsThatVaryInLength() {
        open(region(CompactOrders.SCHEMA, "made", false, Memory.HEAP));
        String order = CompactOrders.json(1, 5, 1).getFirst();
        List<byte[]> records = CompactOrders.records(
                CompactOrders.SCHEMA,
                Stream.of("2026-03-01", "2026-01-31", "2026-03-02", "2026-02-28")
                        .map(made -> order.replaceFirst("\"made\":\"[^\"]*", "\"made\":\"" + made))
                        .toList());
        Schema rows = CompactOrders.SCHEMA.project(Set.of("id"));
        for (int i = 0; i < records.size(); i++) {
            RegionWriter writer = writer(i, rows);
            writer.append(CompactBatches.batch(rows, List.of(records.get(i))));
            writer.flush();
            assertThat(made()).isEqualTo(i < 2 ? "2026-03-01" : "2026-03-02");
        }
        RegionWriter writer = writer(9, rows);
        writer.append(CompactBatches.batch(rows, records));
        writer.flush();
        assertThat(made()).isEqualTo("2026-03-02");
    }

    private String made() {
        return String.valueOf(Objects.requireNonNull(store.record(REGION, "5")).get("made"));
    }

    private static final String READING = """
            schema: reading
            fields:
              - { name: id,   type: u32 }
              - { name: at,   type: instant, unit: s }
              - { name: note, type: string, length: 6 }
            """;

    private static Schema schema(String text) {
        return SchemaReader.read("reading.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    private static RecordBatch reading(Schema schema, String field, long second, String note) {
        byte[] record = new byte[schema.recordLength()];
        RecordCodec codec = RecordCodec.of(schema);
        codec.codec("id").setText(record, 0, "1");
        RawBytes.putLong(record, codec.codec(field).field().offset(), second);
        codec.codec("note").setText(record, 0, note);
        return new RecordBatch(schema).fill(record, 0, 1, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    private void write(Schema schema, String field, long second, String note) {
        RegionWriter writer = writer(0, schema);
        writer.append(reading(schema, field, second, note));
        writer.flush();
    }

    private Object note() {
        return Objects.requireNonNull(
                Objects.requireNonNull(store.record(REGION, "1")).get("note"));
    }

    @Test
    void shouldRejectARecordWithoutAValidTime() {
        Schema schema = schema(READING);
        open(region(schema, "at", false, Memory.HEAP));
        write(schema, "at", 5, "first");
        write(schema, "at", Long.MAX_VALUE, "never");
        assertThat(note()).isEqualTo("first");
        assertThat(rejects).hasSize(1).allMatch(reject -> reject.kind() == RejectReason.Kind.INVALID_VALUE);
    }

    /** The name of the field, its place and the length of records change. */
    @Test
    void shouldCompareRecordsOfEarlierVersions() {
        Schema first = schema(READING);
        Schema second = schema(READING.replace("length: 6", "length: 9")
                .replace("name: at,  ", "name: time, was: at,")
                .replace("fields:\n", "fields:\n  - { name: zone, type: u8, optional: true, absent: flag }\n"));
        open(region(first, "at", true, Memory.HEAP));
        write(first, "at", 100, "first");
        store.close();
        open(region(second, "time", true, Memory.HEAP));
        write(second, "time", 99, "older");
        assertThat(note()).isEqualTo("first");
        write(second, "time", 101, "newer");
        assertThat(note()).isEqualTo("newer");
    }

    /** They are decoded as numbers of two types. */
    @Test
    void shouldCompareUnsignedNumbers() {
        Schema schema = schema(READING.replace("type: instant, unit: s", "type: u64"));
        open(region(schema, "at", false, Memory.HEAP));
        write(schema, "at", 7, "small");
        write(schema, "at", -1, "large"); // 2^64 - 1
        write(schema, "at", Long.MAX_VALUE, "middle");
        assertThat(note()).isEqualTo("large");
        RegionWriter writer = writer(0, schema);
        writer.append(reading(schema, "at", -1, "again"));
        writer.append(reading(schema, "at", Long.MAX_VALUE, "older")); // in the same chunk
        writer.flush();
        assertThat(note()).isEqualTo("again");
        assertThat(rejects).isEmpty();
    }

    /** The field is set for a region that has entries already, and removed again. */
    @Test
    void shouldCompareWithEntriesThatWereStoredWithoutTheField() {
        Schema schema = schema(READING);
        RegionDefinition without = new RegionDefinition(REGION, Layout.ENTRIES, 0, true, schema, List.of("id"), 1);
        open(without);
        write(schema, "at", Long.MAX_VALUE, "bad"); // stored, since nothing reads the field
        store.close();
        open(region(schema, "at", true, Memory.HEAP));
        write(schema, "at", 1, "valid");
        assertThat(note()).isEqualTo("valid");
        write(schema, "at", 0, "older");
        assertThat(note()).isEqualTo("valid");
        assertThat(rejects).isEmpty();
        store.close();
        open(without);
        write(schema, "at", 0, "any");
        assertThat(note()).isEqualTo("any");
    }

    @Test
    void shouldReplaceWhatIsCorrupt() {
        Schema schema = schema(READING);
        open(region(schema, "at", false, Memory.HEAP));
        Region<Object, byte[]> geode = CacheFactory.getAnyInstance().getRegion(REGION);
        byte[] corrupt = new byte[schema.recordLength() + 4];
        geode.put(1L, corrupt);
        write(schema, "at", -5, "valid");
        assertThat(note()).isEqualTo("valid");
    }
}
