package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.error.ExpressionException;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.Entries;
import io.millrace.store.Packets;
import io.millrace.store.Trades;
import io.millrace.store.Writers;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionInfo;
import io.millrace.store.write.RegionWriter;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that vary in length and say themselves what they hold, in both kinds of regions of a real Geode. */
class TaggedRegionTest {

    private static final int RECORDS = 2500;

    /** The rows of a pipeline that uses few fields and adds one. */
    private static final Schema ROWS = Packets.SCHEMA
            .project(Set.of("nasIp", "imsi"))
            .extend(Field.of("place", new FieldType.IntegerType(IntStorage.of(4, true, ByteOrder.BIG_ENDIAN)), 0));

    @TempDir
    static Path folder;

    private static GeodeStore store;

    @BeforeAll
    static void open() {
        store = new GeodeStore(GeodeOptions.inFolder(folder));
    }

    @AfterAll
    static void close() {
        store.close();
    }

    private static RegionDefinition definition(String name, Layout layout, boolean persistent, Schema schema) {
        List<String> key = layout == Layout.ENTRIES ? List.of("nasIp", "sessionId") : List.of();
        return new RegionDefinition(name, layout, 0, persistent, schema, key, 700);
    }

    private static RegionWriter writer(String name, String pipeline) {
        return Writers.open(store, name, pipeline, 0, ROWS, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
    }

    private static byte[] packet(int number) {
        Packets packet = Packets.of(number % 5 == 0 ? Packets.STOP : Packets.INTERIM, "s" + number)
                .imsi(String.valueOf(286_010_000_000_000L + number))
                .number(42, number * 1000)
                .number(52, number % 3);
        if (number % 2 == 0) {
            packet.nas(number % 100);
        }
        return packet.text(1, "u".repeat(1 + number % 40)).bytes();
    }

    /** Packets with numbers from one to another (exclusive), each with its number as place. */
    private static RecordBatch batch(int first, int end) {
        RecordBatch batch = Packets.batch(
                ROWS,
                first,
                IntStream.range(first, end).mapToObj(TaggedRegionTest::packet).toArray(byte[][]::new));
        for (int i = 0; i < batch.count(); i++) {
            RecordCodec.of(ROWS).codec("place").setText(batch.added(), batch.addedOffset(i), "" + (first + i));
        }
        return batch;
    }

    private static List<Object> values(QueryResult result, String field) {
        return result.records().stream().map(record -> record.get(field)).toList();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldFindWhatItKeepsByAnyField(Layout layout) {
        String name = "asked-" + layout.tag();
        store.open(definition(name, layout, false, ROWS));
        RegionWriter writer = writer(name, "calls");
        for (int first = 0; first < RECORDS; first += 500) {
            writer.append(batch(first, first + 500));
        }
        writer.flush();
        assertThat(writer.counters().kept().get()).isEqualTo(RECORDS);

        QueryResult result = store.query(
                name,
                new Query(
                        "status == 'Stop' and inputTotal > 4294967296L and nasIp != null",
                        List.of("sessionId", "place", "inputOctets"),
                        List.of("inputGigawords desc", "place desc"),
                        7));

        List<Integer> expected = IntStream.range(0, RECORDS)
                .map(i -> RECORDS - 1 - i)
                .filter(i -> i % 10 == 0 && i % 3 == 2)
                .limit(7)
                .boxed()
                .toList();
        assertThat(values(result, "sessionId"))
                .isEqualTo(expected.stream().map(i -> "s" + i).toList());
        assertThat(values(result, "place"))
                .isEqualTo(expected.stream().map(Integer::longValue).toList());
        assertThat(result.records().getFirst()).containsOnlyKeys("sessionId", "place", "inputOctets");
        assertThat(result.counts().scanned()).isEqualTo(RECORDS);
        assertThat(result.counts().failed()).isZero();
    }

    /** Only fields that steps added have versions: each version reads the same bytes of the packets. */
    @ParameterizedTest
    @EnumSource
    void shouldReadAddedFieldsOfAnEarlierSchema(BlockEncoding encoding) {
        Schema base = Packets.SCHEMA.project(Set.of("nasIp", "imsi"));
        Field wider = Field.of("place", new FieldType.IntegerType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN)), 0);
        Field extra = Field.of("extra", new FieldType.IntegerType(IntStorage.of(2, true, ByteOrder.BIG_ENDIAN)), 0)
                .withNullFlag();
        Schema later = base.extend(wider).extend(extra);
        Path data = folder.resolve("evolved-" + encoding.tag());
        store.close();
        try {
            try (GeodeStore first = new GeodeStore(GeodeOptions.inFolder(data))) {
                first.open(evolving(ROWS, encoding));
                RegionWriter writer = Writers.open(first, "evolving", "calls", ROWS);
                writer.append(batch(0, 1000));
                writer.flush();
            }
            try (GeodeStore second = new GeodeStore(GeodeOptions.inFolder(data))) {
                second.open(evolving(later, encoding));
                requirePlaces(second);
                assertThat(second.migrate("evolving", Duration.ofMinutes(5)).rewritten())
                        .isEqualTo(2);
                requirePlaces(second);
            }
        } finally {
            store = new GeodeStore(GeodeOptions.inFolder(folder));
        }
    }

    private static RegionDefinition evolving(Schema schema, BlockEncoding encoding) {
        return new RegionDefinition("evolving", Layout.BLOCKS, 0, true, schema, List.of(), null, 700, encoding);
    }

    private static void requirePlaces(GeodeStore evolved) {
        QueryResult result = evolved.query(
                "evolving",
                new Query(
                        "place >= 900 and extra == null and nasIp != null",
                        List.of("place", "extra", "sessionId"),
                        List.of("place"),
                        100));
        List<Integer> expected =
                IntStream.range(900, 1000).filter(i -> i % 2 == 0).boxed().toList();
        assertThat(values(result, "place"))
                .isEqualTo(expected.stream().map(Integer::longValue).toList());
        assertThat(values(result, "sessionId"))
                .isEqualTo(expected.stream().map(i -> "s" + i).toList());
        assertThat(values(result, "extra")).hasSize(50).containsOnlyNulls();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldSelectAndOrderByWhatIsComputed(Layout layout) {
        String name = "computed-" + layout.tag();
        store.open(definition(name, layout, false, ROWS));
        RegionWriter writer = writer(name, "calls");
        writer.append(batch(0, 500));
        writer.append(batch(500, 1000));
        writer.flush();

        QueryResult result = store.query(
                name,
                new Query(
                        "inputTotal < 4294967296L and place > 10",
                        List.of("inputTotal", "place", "cell"),
                        List.of("outputTotal", "inputTotal desc"),
                        5));

        List<Integer> expected = IntStream.range(0, 1000)
                .map(i -> 999 - i)
                .filter(i -> i % 3 == 0)
                .limit(5)
                .boxed()
                .toList();
        assertThat(values(result, "place"))
                .isEqualTo(expected.stream().map(Integer::longValue).toList());
        assertThat(values(result, "inputTotal"))
                .isEqualTo(expected.stream().map(i -> i * 1000L).toList());
        assertThat(result.records().getFirst()).containsOnlyKeys("inputTotal", "place", "cell");
        assertThat(result.counts().failed()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldDecodeAllFieldsOfARecord(Layout layout) {
        String name = "decoded-" + layout.tag();
        store.open(definition(name, layout, false, ROWS));
        RegionWriter writer = writer(name, "calls");
        writer.append(batch(7, 9));
        writer.flush();

        QueryResult result = store.query(name, new Query("place == 8", List.of(), List.of(), 10));
        assertThat(result.records())
                .singleElement()
                .satisfies(record -> assertThat(record)
                        .containsEntry("sessionId", "s8")
                        .containsEntry("nasIp", "10.0.0.8")
                        .containsEntry("userName", "uuuuuuuuu")
                        .containsEntry("imsi", "286010000000008")
                        .containsEntry("inputOctets", 8000L)
                        .containsEntry("rat", null)
                        .containsEntry("place", 8L));
        // A name that is never read, because what stands before it is never absent, is known all the same.
        assertThat(store.query(name, Query.where("(identifier ?: nasPort) == 7"))
                        .records())
                .hasSize(2);
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> store.query(name, Query.where("sesionId == 's8'")))
                .withMessageContaining("did you mean 'sessionId'?");
    }

    @Test
    void shouldKeepNothingThatWasAddedWhereARegionSaysSo() {
        store.open(definition("plain", Layout.BLOCKS, false, Packets.SCHEMA));
        RegionWriter writer = writer("plain", "calls");
        writer.append(batch(0, 3));
        writer.flush();

        assertThat(store.query("plain", Query.all()).records())
                .hasSize(3)
                .noneMatch(record -> record.containsKey("place"));
        assertThat(store.info("plain").valueBytes())
                .isEqualTo(88 + 3 + packet(0).length + packet(1).length + packet(2).length);
    }

    @Test
    void shouldGiveAnEntryByItsWholeKey() {
        store.open(definition("sessions", Layout.ENTRIES, false, ROWS));
        RegionWriter writer = writer("sessions", "calls");
        writer.append(batch(0, 50));
        writer.flush();

        byte[] stored = Objects.requireNonNull(store.get("sessions", "10.0.0.8|s8"));
        assertThat(Arrays.copyOfRange(stored, 4, stored.length)).isEqualTo(packet(8));
        assertThat(StoredRecords.of(store.definition("sessions").schema()).decode(stored, 0))
                .containsEntry("place", 8L);
        assertThat(store.get("sessions", "|s7")).isNotNull();
        assertThat(store.get("sessions", "10.0.0.9|s8")).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> store.get("sessions", "s8"));
        RegionInfo info = store.info("sessions");
        assertThat(info.records()).isEqualTo(50);
        assertThat(info.valueBytes())
                .isEqualTo(IntStream.range(0, 50)
                        .map(i -> 4 + packet(i).length + EntryVersions.CHECKSUM_LENGTH)
                        .sum())
                .isEqualTo(writer.counters().bytes().get());
    }

    @Test
    void shouldNeitherLoseNorDoubleBlocksWhereAPutFails() {
        store.open(new RegionDefinition("failing", Layout.BLOCKS, 0, false, ROWS, List.of(), 8));
        RegionWriter writer = writer("failing", "calls");
        RecordBatch batch = batch(0, 50);
        int[] attempts = {0};
        StoredBlocks.region("failing").getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
            @Override
            public void beforeCreate(EntryEvent<Object, byte[]> event) {
                if (attempts[0]++ % 3 != 2) {
                    throw new CacheWriterException("not now");
                }
            }
        });
        untilItWorks(() -> writer.append(batch));
        untilItWorks(writer::flush);

        assertThat(attempts[0]).isEqualTo(3 * 7);
        assertThat(writer.counters().kept().get()).isEqualTo(50);
        assertThat(writer.covered()).isEqualTo(50);
        assertThat(values(store.query("failing", Query.all()), "place"))
                .isEqualTo(IntStream.range(0, 50).mapToObj(Long::valueOf).toList());
    }

    private static void untilItWorks(Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("not now");
            }
        }
    }

    /**
     * Records so long that their bytes fill blocks: the first of a batch may have no room in the block begun before.
     */
    @Test
    void shouldCoverTheFeedWhereBytesFillBlocks() {
        store.open(new RegionDefinition("long", Layout.BLOCKS, 0, false, Packets.SCHEMA, List.of(), 4096));
        Schema rows = Packets.SCHEMA.project(Set.of());
        RegionWriter writer = Writers.open(store, "long", "calls", 0, rows, (_, _, _) -> {});
        byte[] longest = longPacket();
        for (int i = 0; i < 40; i++) {
            writer.append(Packets.batch(rows, i, longest));
            writer.advance(i + 1);
        }
        writer.flush();

        long first = Writers.firstKey("long", "calls", 0);
        List<Block> blocks = IntStream.range(0, 3)
                .mapToObj(i -> Block.open(
                        Objects.requireNonNull(StoredBlocks.region("long").get(first + i)), Packets.SCHEMA))
                .toList();
        assertThat(blocks).extracting(Block::count).containsExactly(16, 16, 8);
        assertThat(blocks).extracting(Block::from).containsExactly(0L, 16L, 32L);
        assertThat(blocks).extracting(Block::to).containsExactly(16L, 32L, 40L);
    }

    private static byte[] longPacket() {
        Packets packet = Packets.of(Packets.START, "long");
        for (int i = 0; i < 250; i++) {
            packet.attribute(200, new byte[253]);
        }
        return packet.bytes();
    }

    @Test
    void shouldReportWhichRecordsCannotBeRead() {
        RegionDefinition region = definition("unreadable", Layout.ENTRIES, false, Packets.SCHEMA);
        store.open(region);
        StoredBlocks.region("unreadable")
                .put(
                        "|a",
                        Entries.of(region, "|a", Packets.of(Packets.START, "a").bytes()));
        StoredBlocks.region("unreadable").put("|b", Entries.of(region, "|b", new byte[20]));

        Query query = new Query(null, List.of("sessionId"), List.of(), 10);
        assertThatExceptionOfType(IncompleteAnswerException.class)
                .isThrownBy(() -> store.query("unreadable", query))
                .withMessageContaining("Missing or invalid value");
        QueryResult result = store.query("unreadable", query.withOnError(OnError.SKIP));
        assertThat(values(result, "sessionId")).containsExactly("a");
        assertThat(result.counts().scanned()).isEqualTo(2);
        assertThat(result.counts().failed()).isOne();
        assertThat(result.counts().firstFailure()).contains("Missing or invalid value");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void shouldHoldAfterReopeningWhatItHeldBefore(Layout layout) {
        String name = "kept-" + layout.tag();
        store.open(definition(name, layout, true, ROWS));
        RegionWriter writer = writer(name, "calls");
        writer.append(batch(0, 1000));
        writer.advance(1000);
        writer.flush();
        List<Map<String, @Nullable Object>> before = all(name);
        store.close();
        store = new GeodeStore(GeodeOptions.inFolder(folder));
        // What a pipeline looks for may change: the records say themselves what they hold.
        store.open(definition(name, layout, true, ROWS.project(Set.of("apn", "userName"))));

        assertThat(all(name)).isEqualTo(before).hasSize(1000);
        RegionWriter again = writer(name, "calls");
        assertThat(again.covered()).isEqualTo(1000);
        again.append(batch(990, 1010));
        again.flush();
        assertThat(again.counters().alreadyStored().get()).isEqualTo(10);
        assertThat(store.info(name).records()).isEqualTo(1010);
    }

    private static List<Map<String, @Nullable Object>> all(String region) {
        return store.query(region, new Query(null, List.of(), List.of("place"), 10_000))
                .records();
    }

    @Test
    void shouldRefuseBatchesThatLackWhatARegionKeeps() {
        store.open(definition("refusing", Layout.BLOCKS, false, ROWS));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Writers.open(store, "refusing", "calls", 0, Packets.SCHEMA, (_, _, _) -> {}))
                .withMessageContaining("can't store records of schema");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Writers.open(store, "refusing", "trades", 0, Trades.SCHEMA, (_, _, _) -> {}))
                .withMessageContaining("can't store records of schema");
        RegionWriter writer = writer("refusing", "calls");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer.append(Packets.batch(Packets.SCHEMA, 0, packet(1))))
                .withMessageContaining("This writer stores batches of schema");
    }
}
