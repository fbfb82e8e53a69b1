package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.expression.RandomConditions;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.CompactPart;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Packets;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.block.BlockFormatException;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of records that vary in length have the same answers with columns next to the records and without. */
class RecordColumnQueryTest {

    private static final String SEED = "20261125";
    private static final int ORDERS = 1000;
    private static final int BLOCK = 200;
    private static final FunctionRegistry FUNCTIONS = FunctionRegistry.empty();
    private static final RecordBatch BATCH = CompactBatches.batch(
            CompactOrders.SCHEMA, CompactOrders.records(CompactOrders.SCHEMA, CompactOrders.json(39, 0, ORDERS)));
    private static final Map<BlockEncoding, List<byte[]>> BLOCKS = Map.of(
            BlockEncoding.ROWS,
            CompactBatches.blocks(orders(BlockEncoding.ROWS), BATCH),
            BlockEncoding.COLUMNS,
            CompactBatches.blocks(orders(BlockEncoding.COLUMNS), BATCH));
    private static int compared;
    private static int found;
    private static int groups;

    @AfterContainer
    static void shouldHaveComparedMuch() {
        assertThat(compared).isGreaterThan(TestBudget.of(300));
        assertThat(found).isGreaterThan(TestBudget.of(3_000));
        assertThat(groups).isGreaterThan(TestBudget.of(1_000));
    }

    private static QueryResult query(RegionDefinition region, List<byte[]> blocks, Query query) {
        QueryScan scan = QueryScan.of(region, query, FUNCTIONS);
        scan.begin(query.limit(), Integer.MAX_VALUE);
        BlockChecks checks = new BlockChecks();
        for (int i = 0; i < blocks.size(); i++) {
            scan.block(i, blocks.get(i), checks);
        }
        return Answers.of(scan, query.withOnError(OnError.SKIP), scan.part());
    }

    private static AggregateResult query(RegionDefinition region, List<byte[]> blocks, AggregateQuery query) {
        AggregateScan scan = AggregateScan.of(region, query.withOnError(OnError.SKIP), FUNCTIONS);
        scan.reset();
        BlockChecks checks = new BlockChecks();
        for (int i = 0; i < blocks.size(); i++) {
            scan.block(i, blocks.get(i), checks);
        }
        return Answers.of(scan, List.of(scan.part()));
    }

    /** Arrays are equal by content in texts only. */
    private static List<String> texts(List<? extends Map<String, ?>> records) {
        return records.stream()
                .map(record -> record.entrySet().stream()
                        .map(field -> field.getKey() + "=" + text(field.getValue()))
                        .toList()
                        .toString())
                .toList();
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> Arrays.toString(bytes);
            case List<?> list ->
                list.stream().map(RecordColumnQueryTest::text).toList().toString();
            case Map<?, ?> group ->
                group.entrySet().stream()
                        .map(member -> member.getKey() + "=" + text(member.getValue()))
                        .toList()
                        .toString();
            default -> value.toString();
        };
    }

    private static RegionDefinition orders(BlockEncoding encoding, String... key) {
        return CompactBatches.region(CompactOrders.SCHEMA, BLOCK, encoding, key);
    }

    /** Copies of the blocks of all orders. */
    private static List<byte[]> blocks(BlockEncoding encoding) {
        List<byte[]> blocks = Objects.requireNonNull(BLOCKS.get(encoding)).stream()
                .map(byte[]::clone)
                .toList();
        int expected = encoding == BlockEncoding.COLUMNS ? BlockFormat.COLUMNS_AND_RECORDS : BlockFormat.VARIED;
        assertThat(blocks).allMatch(block -> block[BlockFormat.ENCODING_AT] == expected);
        return blocks;
    }

    private static QueryResult requireSame(Query query) {
        QueryResult rows = query(orders(BlockEncoding.ROWS), blocks(BlockEncoding.ROWS), query);
        QueryResult columns = query(orders(BlockEncoding.COLUMNS), blocks(BlockEncoding.COLUMNS), query);
        assertThat(texts(columns.records())).as(query.toString()).isEqualTo(texts(rows.records()));
        // Blocks that were stored before the encoding was changed.
        assertThat(texts(query(orders(BlockEncoding.ROWS), blocks(BlockEncoding.COLUMNS), query)
                        .records()))
                .isEqualTo(texts(rows.records()));
        assertThat(texts(query(orders(BlockEncoding.COLUMNS), blocks(BlockEncoding.ROWS), query)
                        .records()))
                .isEqualTo(texts(rows.records()));
        return columns;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "currency == 'GBP'",
                "currency != 'JPY' and id > 300 and open",
                "limit > 2000",
                "not (limit > 2000)",
                "limit == null",
                "limit != null and limit < 10.5",
                "limit == null or limit > 2900",
                "rate between {0.25, 0.5} and rate != 0.3",
                "due == null and made > '2026-02-01'",
                "due == made",
                "due > made and open == false",
                "kind == 'SWAP'",
                "kind != 'SWAP' and kind != null",
                "{'SPOT', 'OPTION'}.contains(kind)",
                "desk == 'D1'",
                "desk != 'D1'",
                "desk == null",
                "desk == '' and id < 500",
                "quantity > 45",
                "party == null",
                "party != null and currency == 'USD'",
                "party?.rank > 1",
                "party?.country == 'DE' and id % 3 == 0",
                "party?.name == 'party 7'",
                "party?.name == 'party 7' and currency == 'EUR' and limit > 10",
                "note == 'note 3'",
                "note == null and open",
                "id * 2 > limit and rate > 0.5",
                "legs.?[notional > 15000 and open].size() > 0",
                "legs.?[notional > 15000].size() > 1 and id < 400 and currency == 'JPY'",
                "legs.isEmpty() and limit > 100",
                "#sum(legs.![notional]) > limit and open",
            })
    void shouldAnswerAsWithoutColumns(String where) {
        QueryResult result = requireSame(Query.where(where));
        assertThat(result.records()).as(where).isNotEmpty();
        assertThat(result.counts().failed()).isZero();
        requireSame(new Query(where, List.of("id", "note", "legs"), List.of("limit", "id desc"), 7));
        requireSame(new Query(where, List.of(), List.of("made desc", "party?.rank", "kind"), 20));
        requireSame(new Query(where, List.of(), List.of("rate", "due desc"), 1000));
        requireSame(new Query(where, List.of(), List.of("party.rank desc", "id"), 9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "currency | count() | open",
                "currency,open | count(),sum(quantity),min(made) | limit > 100",
                "kind | count(),min(id),max(made) |",
                "desk | count(),avg(id) | desk != null and rate > 0.1",
                "party.country | count() | party != null",
                "party.name,kind | count(),max(id) | currency == 'EUR' and party != null",
                "made.monthValue | count(),max(id) | id > 10",
                "legs.size() | count() | open",
            })
    void shouldAggregateAsWithoutColumns(String by, String values, @Nullable String where) {
        AggregateQuery query = new AggregateQuery(where, List.of(by.split(",")), List.of(values.split(",")), 1000);
        AggregateResult rows = query(orders(BlockEncoding.ROWS), blocks(BlockEncoding.ROWS), query);
        AggregateResult columns = query(orders(BlockEncoding.COLUMNS), blocks(BlockEncoding.COLUMNS), query);

        assertThat(rows.groups()).hasSizeGreaterThan(1);
        assertThat(columns.groups()).isEqualTo(rows.groups());
        assertThat(columns.counts().failed()).isEqualTo(rows.counts().failed());
    }

    /** The records' bytes are damaged, and so are columns that the query does not read. */
    @Test
    void shouldNotReadBytesOfRecordsThatItDoesNotNeed() {
        List<byte[]> blocks = blocks(BlockEncoding.COLUMNS);
        blocks.forEach(block -> block[block.length - 1] ^= 1);
        RegionDefinition region = orders(BlockEncoding.COLUMNS);
        AggregateQuery flat = new AggregateQuery(
                "limit > 100 and kind != null",
                List.of("currency", "party.country"),
                List.of("count()", "max(made)", "sum(quantity)"),
                1000);
        assertThat(query(region, blocks, flat).groups())
                .isEqualTo(query(region, blocks(BlockEncoding.COLUMNS), flat).groups())
                .isNotEmpty();
        assertThat(query(region, blocks, new Query("id == 5000", List.of(), List.of("limit"), 5))
                        .records())
                .isEmpty();
        assertThat(query(region, blocks, Query.where("id > 100 and id * 2 < 0")).records())
                .isEmpty();
        for (String where : List.of("id == 50", "note == 'x'", "legs.isEmpty()")) {
            assertThatExceptionOfType(BlockFormatException.class)
                    .as(where)
                    .isThrownBy(() -> query(region, blocks, Query.where(where)));
        }
    }

    @Test
    void shouldSkipBlocksByAnyColumn() {
        Query query = Query.where("made > '2026-03-31' and legs.size() > 0");
        RegionDefinition rows = orders(BlockEncoding.ROWS);
        RegionDefinition columns = orders(BlockEncoding.COLUMNS);

        assertThat(query(columns, blocks(BlockEncoding.COLUMNS), Query.where("id == 5000"))
                        .counts()
                        .skippedBlocks())
                .isEqualTo(ORDERS / BLOCK);
        assertThat(query(rows, blocks(BlockEncoding.ROWS), Query.where("id == 5000"))
                        .counts()
                        .skippedBlocks())
                .isZero();
        QueryResult late = query(columns, blocks(BlockEncoding.COLUMNS), query);
        assertThat(late.counts().skippedBlocks()).isEqualTo(4);
        assertThat(late.counts().scanned()).isEqualTo(BLOCK);
        assertThat(late.records()).isNotEmpty();
    }

    /** Blocks have no column of a field that was appended to the schema later. */
    @Test
    void shouldReadBlocksFromBeforeAFieldWasAppended() {
        Schema later =
                CompactOrders.schema(CompactOrders.FIELDS + "  - { name: priority, type: i32, optional: true }\n");
        List<byte[]> blocks = new ArrayList<>(blocks(BlockEncoding.COLUMNS));
        List<String> json = CompactOrders.json(40, ORDERS, BLOCK).stream()
                .map(order -> order.replaceFirst("\\{", "{\"priority\":7,"))
                .toList();
        RegionDefinition region = CompactBatches.region(later, BLOCK, BlockEncoding.COLUMNS)
                .withHistory(List.of(SchemaDescription.of(CompactOrders.SCHEMA)));
        blocks.addAll(CompactBatches.blocks(region, CompactBatches.batch(later, CompactOrders.records(later, json))));

        assertThat(query(region, blocks, new Query("priority == 7", List.of(), List.of(), 5000))
                        .records())
                .hasSize(BLOCK);
        assertThat(query(region, blocks, new Query("priority == null", List.of(), List.of(), 5000))
                        .records())
                .hasSize(ORDERS);
        assertThat(query(region, blocks, new Query("id > 990", List.of("id"), List.of("priority desc", "id"), 3))
                        .records())
                .extracting(record -> record.get("id"))
                .containsExactly(1000L, 1001L, 1002L);
        assertThatExceptionOfType(BlockFormatException.class)
                .as("a process that does not know the later version")
                .isThrownBy(() -> query(
                        orders(BlockEncoding.COLUMNS), blocks, new Query("id > 990", List.of(), List.of(), 5000)));
    }

    @Test
    void shouldFindTheLastRecordOfAKey() {
        for (BlockEncoding encoding : BlockEncoding.values()) {
            List<byte[]> blocks = blocks(encoding);
            assertThat(find(orders(encoding, "id"), blocks, "321")).isEqualTo(record(BATCH, 321));
            assertThat(find(orders(encoding, "id"), blocks, "5000")).isNull();
            for (String text : List.of("quantity 17", "note 'note 3'", "desk 'D2'", "due '2026-01-09'")) {
                String[] key = text.replace("'", "").split(" ", 2);
                Query newest = new Query(text.replaceFirst(" ", " == "), List.of("id"), List.of("id desc"), 1);
                Object id = query(orders(encoding), blocks, newest)
                        .records()
                        .getFirst()
                        .get("id");
                int last = Math.toIntExact((Long) Objects.requireNonNull(id));
                assertThat(find(orders(encoding, key[0]), blocks, key[1]))
                        .as(text)
                        .isEqualTo(record(BATCH, last));
            }
        }
    }

    private static byte @Nullable [] find(RegionDefinition region, List<byte[]> blocks, String key) {
        KeyLookup lookup = KeyLookup.of(region, key);
        BlockChecks checks = new BlockChecks();
        for (int i = blocks.size() - 1; i >= 0; i--) {
            byte[] record = lookup.find(i, blocks.get(i), checks);
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    private static byte[] record(RecordBatch batch, int ordinal) {
        int at = batch.offset(ordinal);
        return Arrays.copyOfRange(batch.bytes(), at, at + batch.length(ordinal));
    }

    /** The tagged layout has the same blocks. */
    @Test
    void shouldAnswerForTaggedRecords() {
        byte[][] packets = IntStream.range(0, 600)
                .mapToObj(i -> {
                    Packets packet = Packets.of(i % 5 == 0 ? Packets.STOP : Packets.INTERIM, "s" + i)
                            .imsi(String.valueOf(286_010_000_000_000L + i))
                            .number(42, i * 1000);
                    if (i % 3 > 0) {
                        packet.number(46, i % 100);
                    }
                    return i % 2 == 0 ? packet.nas(i % 100).bytes() : packet.bytes();
                })
                .toArray(byte[][]::new);
        RecordBatch batch = Packets.batch(Packets.SCHEMA, 0, packets);
        RegionDefinition rows = CompactBatches.region(Packets.SCHEMA, 200, BlockEncoding.ROWS);
        RegionDefinition columns = CompactBatches.region(Packets.SCHEMA, 200, BlockEncoding.COLUMNS);
        List<byte[]> inColumns = CompactBatches.blocks(columns, batch);
        assertThat(inColumns).allMatch(block -> block[BlockFormat.ENCODING_AT] == BlockFormat.COLUMNS_AND_RECORDS);
        for (String where : List.of(
                "status == 'Stop'",
                "sessionTime > 50",
                "sessionTime == null and status != 'Stop'",
                "nasIp == '10.0.0.8'",
                "nasIp == null",
                "imsi == '286010000000017'",
                "sessionId == 's17'",
                "sessionTime > 50 and sessionId != 's17'")) {
            Query query = new Query(where, List.of(), List.of("sessionTime desc", "status"), 50);
            QueryResult result = query(columns, inColumns, query);
            assertThat(texts(result.records()))
                    .as(where)
                    .isEqualTo(texts(query(rows, CompactBatches.blocks(rows, batch), query)
                            .records()))
                    .isNotEmpty();
        }
    }

    /** Records that lack a field that became required are unreadable, in columns as in bytes. */
    @Test
    void shouldNotReadColumnsWhereAnotherFieldBecameRequired() {
        String text = """
                schema: calls
                layout: tagged
                elements: { tag: 1, length: 1, counts: all }
                fields:
                  - { name: caller, type: u32, tag: 1, required: true }
                  - { name: seconds, type: u32, tag: 2 }
                """;
        Schema before = CompactOrders.schema(text);
        Schema now = CompactOrders.schema(text.replace("tag: 2", "tag: 2, required: true"));
        assertThat(now.fingerprint()).isEqualTo(before.fingerprint());
        byte[][] packets = IntStream.range(0, 100)
                .mapToObj(i -> {
                    byte[] caller = {1, 6, 0, 0, 0, (byte) i};
                    byte[] both = {1, 6, 0, 0, 0, (byte) i, 2, 6, 0, 0, 0, 9};
                    return i % 4 == 0 ? caller : both;
                })
                .toArray(byte[][]::new);
        RegionDefinition region = CompactBatches.region(before, 100, BlockEncoding.COLUMNS);
        List<byte[]> blocks = CompactBatches.blocks(region, Packets.batch(before, 0, packets));
        AggregateQuery all = new AggregateQuery(null, List.of(), List.of("count()"), 1);
        AggregateQuery some = new AggregateQuery("caller >= 20", List.of(), List.of("count()"), 1);

        assertThat(query(region, blocks, all).groups()).containsExactly(Map.of("count()", 100L));
        assertThat(query(region, blocks, some).groups()).containsExactly(Map.of("count()", 80L));
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition later = CompactBatches.region(now, 100, encoding);
            assertThat(query(later, blocks, all).groups()).containsExactly(Map.of("count()", 75L));
            assertThat(query(later, blocks, some).groups()).containsExactly(Map.of("count()", 60L));
            assertThat(query(later, blocks, all).counts().failed()).isEqualTo(25);
        }
    }

    /** A schema of the single fields, for conditions. */
    private static Schema flat(Schema schema) {
        List<Field> fields = schema.fields().stream()
                .filter(field -> !CompactPart.isPresence(field.name()))
                .toList();
        return new Schema("flat", schema.recordLength(), fields, List.of());
    }

    @Property(tries = 240, seed = SEED)
    void shouldAnswerAsWithoutColumnsWhateverIsAsked(@ForAll long seed) {
        Random random = new Random(seed);
        CompactSamples samples = new CompactSamples(random);
        Schema schema = samples.schema();
        Schema flat = flat(schema);
        if (schema.fields().stream().noneMatch(StoredForms.of(schema)::hasColumn)
                || flat.fields().isEmpty()) {
            return;
        }
        RecordBatch batch =
                CompactBatches.batch(schema, CompactBatches.random(samples, schema, 50 + random.nextInt(150)));
        RegionDefinition rows = CompactBatches.region(schema, 70, BlockEncoding.ROWS);
        RegionDefinition columns = CompactBatches.region(schema, 70, BlockEncoding.COLUMNS);
        List<byte[]> inRows = CompactBatches.blocks(rows, batch);
        List<byte[]> inColumns = CompactBatches.blocks(columns, batch);
        List<Field> fields = List.copyOf(flat.fields());
        for (int i = 0; i < 4; i++) {
            String where = random.nextInt(6) == 0 ? null : RandomConditions.next(random, flat);
            String field = fields.get(random.nextInt(fields.size())).name();
            List<String> orderBy =
                    random.nextBoolean() ? List.of() : List.of(field + (random.nextBoolean() ? " desc" : ""));
            requireSame(
                    new Query(where, List.of(), orderBy, 1 + random.nextInt(200)), rows, inRows, columns, inColumns);
            requireSame(
                    new AggregateQuery(where, List.of(field), List.of("count()"), 1000),
                    rows,
                    inRows,
                    columns,
                    inColumns);
        }
    }

    private static void requireSame(
            Query query, RegionDefinition rows, List<byte[]> inRows, RegionDefinition columns, List<byte[]> inColumns) {
        QueryResult ofRows;
        try {
            ofRows = query(rows, inRows, query);
        } catch (ExpressionException neverMeansAnything) {
            return;
        }
        QueryResult ofColumns = query(columns, inColumns, query);
        assertThat(texts(ofColumns.records())).as(query.toString()).isEqualTo(texts(ofRows.records()));
        compared++;
        found += ofRows.records().size();
    }

    private static void requireSame(
            AggregateQuery query,
            RegionDefinition rows,
            List<byte[]> inRows,
            RegionDefinition columns,
            List<byte[]> inColumns) {
        AggregateResult ofRows;
        try {
            ofRows = query(rows, inRows, query);
        } catch (ExpressionException | IllegalArgumentException neverMeansAnything) {
            return;
        }
        AggregateResult ofColumns = query(columns, inColumns, query);
        assertThat(texts(ofColumns.groups())).as(query.toString()).isEqualTo(texts(ofRows.groups()));
        groups += ofRows.groups().size();
    }
}
