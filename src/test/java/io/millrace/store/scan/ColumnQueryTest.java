package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.RandomConditions;
import io.millrace.expression.RandomSchemas;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.block.RandomRows;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of columns has the same answer as what is asked of rows. */
class ColumnQueryTest {

    private static final String SEED = "20261121";
    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int TRADES = 5000;
    private static final int BLOCK = 1000;
    private static int found;
    private static int compared;
    private static int inColumns;

    @AfterContainer
    static void shouldHaveComparedMuch() {
        assertThat(compared).isGreaterThan(TestBudget.of(800));
        assertThat(inColumns).isGreaterThan(TestBudget.of(500));
        assertThat(found).isGreaterThan(TestBudget.of(10_000));
    }

    private static RegionDefinition region(Schema schema, List<String> key, int blockRecords, BlockEncoding encoding) {
        return new RegionDefinition("r", Layout.BLOCKS, 0, false, schema, key, null, blockRecords, encoding);
    }

    private static List<byte[]> blocks(RegionDefinition region, byte[] rows) {
        List<byte[]> blocks = new ArrayList<>();
        BlockWriter writer = BlockWriter.of(region, region.schema());
        int length = region.schema().recordLength();
        RecordBatch batch = new RecordBatch(region.schema()).fill(rows, 0, rows.length / length, 0, rows.length);
        int index = 0;
        while (index < batch.selected()) {
            index = writer.append(batch, index);
            blocks.add(writer.seal(0, index));
            writer.clear();
        }
        return blocks;
    }

    /** Arrays are equal by content in texts only. */
    private static List<String> texts(QueryResult result) {
        return result.records().stream()
                .map(record -> record.entrySet().stream()
                        .map(field -> field.getKey() + "="
                                + (field.getValue() instanceof byte[] bytes
                                        ? Arrays.toString(bytes)
                                        : field.getValue()))
                        .toList()
                        .toString())
                .toList();
    }

    private static QueryResult query(RegionDefinition region, List<byte[]> blocks, Query query) {
        QueryScan scan = QueryScan.of(region, query, FunctionRegistry.empty());
        scan.begin(query.limit(), Integer.MAX_VALUE);
        BlockChecks checks = new BlockChecks();
        blocks.forEach(block -> scan.block(blocks.indexOf(block), block, checks));
        return Answers.of(scan, query.withOnError(OnError.SKIP), scan.part());
    }

    private static byte[] trades() {
        byte[] trades = new byte[TRADES * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 39).fill(trades, 0, TRADES);
        return trades;
    }

    private static QueryResult askTrades(BlockEncoding encoding, Query query) {
        RegionDefinition region = region(TRADE, List.of("id"), BLOCK, encoding);
        return query(region, blocks(region, trades()), query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'",
                "currency1 != 'GBP' and exchangeRate < 1.2",
                "exchangeRate between {0.9, 1.1}",
                "exchangeRate >= 100 or exchangeRate < 0.1",
                "{'USD', 'EUR', 'JPY'}.contains(currency2) and amount1 > 100000000",
                "id between {1500, 1600} and amount2 > amount1",
                "amount2 < 5000000 and settlementDate > '2015-01-01'",
                "settlementDate == '2014-12-24' or settlementDate == '2014-12-25'",
                "not(tradeDate < '2015-01-01') and amount1 * exchangeRate > 10000000",
                "id % 7 == 3",
                "currency1 < 'CHF'",
                "id == 0",
            })
    void shouldAnswerAsRowsDo(String where) {
        Query query = new Query(where, List.of(), List.of("exchangeRate", "id desc"), 100);
        QueryResult rows = askTrades(BlockEncoding.ROWS, query);
        QueryResult columns = askTrades(BlockEncoding.COLUMNS, query);

        assertThat(columns.records()).isEqualTo(rows.records());
        assertThat(columns.records().isEmpty()).isEqualTo(where.equals("id == 0"));
        assertThat(columns.counts().failed()).isZero();
        assertThat(columns.counts().scannedBlocks() + columns.counts().skippedBlocks())
                .isEqualTo(TRADES / BLOCK);
        assertThat(columns.counts().scanned()).isEqualTo(columns.counts().scannedBlocks() * BLOCK);
    }

    @Test
    void shouldAnswerWithoutAConditionToo() {
        Query query = new Query(null, List.of("id"), List.of("amount2 desc"), 10);

        assertThat(askTrades(BlockEncoding.COLUMNS, query).records())
                .hasSize(10)
                .isEqualTo(askTrades(BlockEncoding.ROWS, query).records());
        assertThat(askTrades(BlockEncoding.COLUMNS, Query.all()).records())
                .hasSize(100)
                .isEqualTo(askTrades(BlockEncoding.ROWS, Query.all()).records());
    }

    @Test
    void shouldSkipBlocksByTheirKeyInEitherEncoding() {
        Query query = Query.where("id > 1500 and id < 1700 and buySell == 'Buy'");
        for (BlockEncoding encoding : BlockEncoding.values()) {
            QueryResult result = askTrades(encoding, query);

            assertThat(result.counts().skippedBlocks()).isEqualTo(4);
            assertThat(result.counts().scannedBlocks()).isOne();
            assertThat(result.counts().scanned()).isEqualTo(BLOCK);
            assertThat(result.records()).isNotEmpty();
        }
    }

    @Test
    void shouldSkipBlocksByAnyColumn() {
        Query query = Query.where("amount1 > 999999999");

        assertThat(askTrades(BlockEncoding.COLUMNS, query).counts().skippedBlocks())
                .isEqualTo(5);
        assertThat(askTrades(BlockEncoding.ROWS, query).counts().skippedBlocks())
                .isZero();
    }

    @Test
    void shouldNotSkipByWhatIsAbsent() {
        Schema schema = new Schema(
                "s",
                8,
                List.of(Field.of("n", new FieldType.IntegerType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN)), 0)
                        .asOptional(-1)),
                List.of());
        byte[] rows = new byte[8 * 1000];
        Arrays.fill(rows, 8, 8 * 999, (byte) -1);
        rows[7] = 100;
        rows[8 * 999 + 7] = 101;
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region = region(schema, List.of("n"), 1000, encoding);
            List<byte[]> blocks = blocks(region, rows);

            QueryResult absent = query(region, blocks, Query.where("n < 50"));
            assertThat(absent.counts().skippedBlocks()).isZero();
            assertThat(absent.records()).hasSize(100);
            assertThat(query(region, blocks, Query.where("n > 200")).counts().skippedBlocks())
                    .isOne();
            assertThat(query(region, blocks, Query.where("n == null and n != 100"))
                            .records())
                    .hasSize(100);
            assertThat(query(region, blocks, Query.where("n == 101")).records()).hasSize(1);
        }
    }

    /** A code without a name rejects the record, in whichever way its field is asked. */
    @Test
    void shouldOrderAbsentValuesBeforeTheSmallestNumber() {
        for (String absent : List.of("flag", "7")) {
            Schema schema =
                    SchemaReader.read("ordered.yml", """
                    schema: ordered
                    fields:
                      - { name: id, type: i64 }
                      - { name: number, type: i64, optional: true, absent: %s }
                    """.formatted(absent).getBytes(StandardCharsets.UTF_8));
            List<@Nullable Long> numbers =
                    Arrays.asList(Long.MIN_VALUE, null, Long.MIN_VALUE + 1, null, Long.MIN_VALUE, 0L, Long.MAX_VALUE);
            byte[] rows = new byte[numbers.size() * schema.recordLength()];
            for (int i = 0; i < numbers.size(); i++) {
                RecordCodec.of(schema).codec("id").setValue(rows, i * schema.recordLength(), (long) i);
                RecordCodec.of(schema).codec("number").setValue(rows, i * schema.recordLength(), numbers.get(i));
            }
            for (BlockEncoding encoding : BlockEncoding.values()) {
                RegionDefinition region = region(schema, List.of(), BLOCK, encoding);
                for (String key : List.of("number", "id < 0 ? 5L : number")) {
                    Query ascending = new Query(null, List.of("id"), List.of(key, "id"), 10);
                    Query descending = new Query(null, List.of("id"), List.of(key + " desc", "id"), 10);

                    assertThat(query(region, blocks(region, rows), ascending).records())
                            .extracting(record -> record.get("id"))
                            .as(absent + ", " + encoding + ", " + key)
                            .containsExactly(1L, 3L, 0L, 4L, 2L, 5L, 6L);
                    assertThat(query(region, blocks(region, rows), descending).records())
                            .extracting(record -> record.get("id"))
                            .containsExactly(6L, 5L, 2L, 0L, 4L, 1L, 3L);
                }
            }
        }
    }

    @Test
    void shouldCountWhatHasNoAnswer() {
        byte[] trades = trades();
        for (int i = 0; i < TRADES; i += 10) {
            trades[i * TRADE.recordLength() + 10] = 9;
        }
        Query query = Query.where("buySell == 'Sell' and id > 2000");
        RegionDefinition rows = region(TRADE, List.of(), BLOCK, BlockEncoding.ROWS);
        RegionDefinition columns = region(TRADE, List.of(), BLOCK, BlockEncoding.COLUMNS);
        QueryResult ofRows = query(rows, blocks(rows, trades), query);
        QueryResult ofColumns = query(columns, blocks(columns, trades), query);

        assertThat(ofColumns.records()).isEqualTo(ofRows.records()).isNotEmpty();
        assertThat(ofColumns.counts().failed())
                .as(ofColumns.counts().firstFailure())
                .isEqualTo(300);
        assertThat(ofColumns.counts().firstFailure()).contains("buySell");
    }

    @Test
    void shouldAskFieldsThatShareAWord() {
        IntStorage word = IntStorage.of(2, false, ByteOrder.BIG_ENDIAN);
        Schema schema = new Schema(
                "bits",
                4,
                List.of(
                        Field.of("low", new FieldType.IntegerType(word.slice(0, 5)), 0),
                        Field.of("high", new FieldType.IntegerType(word.slice(5, 11)), 0),
                        Field.of(
                                "side",
                                new FieldType.EnumType(
                                        IntStorage.of(1, false, ByteOrder.BIG_ENDIAN), Dictionary.of("a", "b")),
                                3)),
                List.of());
        byte[] rows = new byte[4 * 2000];
        for (int i = 0; i < 2000; i++) {
            rows[4 * i] = (byte) (i >> 8);
            rows[4 * i + 1] = (byte) i;
            rows[4 * i + 3] = (byte) (i & 1);
        }
        RegionDefinition region = region(schema, List.of("low"), 2000, BlockEncoding.COLUMNS);
        QueryResult result = query(region, blocks(region, rows), Query.where("low == 3 and side == 'b' and high > 20"));

        assertThat(result.records()).hasSize((2000 - 3) / 32 - 20);
        Query byLow = new Query("side == 'b'", List.of("low"), List.of("low desc", "high"), 3);
        assertThat(query(region, blocks(region, rows), byLow).records())
                .extracting(record -> record.get("low"))
                .containsExactly(31L, 31L, 31L);
    }

    @Property(tries = 1500, seed = SEED)
    void shouldAnswerAsRowsDoWhateverIsAsked(@ForAll long seed) {
        Random random = new Random(seed);
        Schema schema = RandomSchemas.next(random).stored();
        int count = 100 + random.nextInt(400);
        byte[] rows = RandomRows.of(schema, count, random);
        RegionDefinition inRows = region(schema, List.of(), 300, BlockEncoding.ROWS);
        RegionDefinition columns = region(schema, List.of(), 300, BlockEncoding.COLUMNS);
        Query query = new Query(RandomConditions.next(random, schema), List.of(), List.of(), 500);
        QueryResult ofRows;
        try {
            ofRows = query(inRows, blocks(inRows, rows), query);
        } catch (ExpressionException neverMeansAnything) {
            return;
        }
        List<byte[]> blocks = blocks(columns, rows);
        QueryResult ofColumns = query(columns, blocks, query);

        assertThat(texts(ofColumns)).as(query.where()).isEqualTo(texts(ofRows));
        compared++;
        found += ofColumns.records().size();
        inColumns += blocks.stream().anyMatch(block -> block[BlockFormat.ENCODING_AT] == BlockFormat.COLUMNS) ? 1 : 0;
    }
}
