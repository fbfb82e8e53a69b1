package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.TestBudget;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.RandomSchemas;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.region.BlockEncoding;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;

class ColumnBlockTest {

    private static final String SEED = "20261121";
    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final Map<String, Integer> MET = new TreeMap<>();
    private static final Map<BlockEncoding, Integer> BLOCKS = new EnumMap<>(BlockEncoding.class);

    @AfterContainer
    static void shouldHaveMetEachWayOfWriting() {
        assertThat(MET.keySet())
                .contains(
                        "encoding 0",
                        "encoding 1",
                        "encoding 2",
                        "encoding 3",
                        "prediction 1",
                        "bytes in a dictionary",
                        "absent coded");
        assertThat(BLOCKS.get(BlockEncoding.COLUMNS)).isGreaterThan(TestBudget.of(300));
    }

    private static byte[] seal(Schema schema, byte[] rows, int count) {
        ColumnBlockWriter writer = new ColumnBlockWriter(schema, null, count);
        writer.append(new RecordBatch(schema).fill(rows, 0, count, 0, rows.length), 0);
        return writer.seal(0, rows.length);
    }

    private static byte[] rows(Schema schema, byte[] bytes) {
        Block block = Block.open(bytes, schema);
        byte[] rows = new byte[block.count() * schema.recordLength()];
        if (block.encoding() != BlockFormat.COLUMNS) {
            System.arraycopy(bytes, block.recordsAt(), rows, 0, rows.length);
            return rows;
        }
        ColumnLayout layout = ColumnLayout.of(schema);
        ColumnBlock columns = new ColumnBlock(layout).show(block);
        int[] all = IntStream.range(0, block.count()).toArray();
        for (int i = 0; i < layout.columns().size(); i++) {
            columns.write(i, all, all.length, rows);
        }
        return rows;
    }

    private static byte[] trades(int first, int count) {
        byte[] trades = new byte[count * TRADE.recordLength()];
        RecordGenerator generator = RecordGenerator.of(TRADE, 39);
        generator.skipTo(first);
        generator.fill(trades, 0, count);
        return trades;
    }

    @Property(tries = 1000, seed = SEED)
    void shouldGiveBackTheVeryBytes(@ForAll long seed) {
        Random random = new Random(seed);
        Schema schema = RandomSchemas.next(random).stored();
        int count = 1 + random.nextInt(400);
        byte[] rows = RandomRows.of(schema, count, random);
        byte[] block = seal(schema, rows, count);

        assertThat(rows(schema, block)).isEqualTo(rows);
        assertThat(block.length).isLessThanOrEqualTo(BlockFormat.HEADER_LENGTH + rows.length);
        meet(schema, block);
    }

    private static void meet(Schema schema, byte[] block) {
        boolean columns = block[BlockFormat.ENCODING_AT] == BlockFormat.COLUMNS;
        BLOCKS.merge(columns ? BlockEncoding.COLUMNS : BlockEncoding.ROWS, 1, Integer::sum);
        ColumnLayout layout = ColumnLayout.of(schema);
        for (int i = 0; columns && i < layout.columns().size(); i++) {
            ColumnDirectory.Entry entry = new ColumnDirectory.Entry();
            entry.read(block, ColumnDirectory.at(i, BlockFormat.COLUMNS));
            boolean bytes = layout.columns().get(i).kind() == ColumnLayout.Kind.BYTES;
            meet("encoding " + entry.encoding);
            meet("prediction " + entry.prediction);
            if (bytes && entry.encoding == ColumnDirectory.DICTIONARY) {
                meet("bytes in a dictionary");
            }
            if (entry.hasAbsent()) {
                meet("absent coded");
            }
        }
    }

    private static void meet(String what) {
        MET.merge(what, 1, Integer::sum);
    }

    @Test
    void shouldKeepTheSeedsTradesInLessThanFifteenBytes() {
        byte[] trades = trades(0, 4096);
        byte[] block = seal(TRADE, trades, 4096);

        assertThat(block.length / 4096.0).isLessThan(12.5);
        assertThat(rows(TRADE, block)).isEqualTo(trades);
    }

    @Test
    void shouldFollowFieldsThatOthersPredict() {
        byte[] block = seal(TRADE, trades(0, 1000), 1000);

        ColumnDirectory.Entry id = entry(block, "id");
        assertThat(id.prediction).isEqualTo(ColumnDirectory.INDEX);
        assertThat(id.length).isZero();
        ColumnDirectory.Entry amount2 = entry(block, "amount2");
        assertThat(amount2.prediction).isEqualTo(ColumnDirectory.PRODUCT);
        assertThat(amount2.length).isZero();
        ColumnDirectory.Entry settlement = entry(block, "settlementDate");
        assertThat(settlement.prediction).isEqualTo(ColumnDirectory.COLUMN);
        assertThat(settlement.width).isEqualTo(8);
    }

    private static ColumnDirectory.Entry entry(byte[] block, String field) {
        ColumnDirectory.Entry entry = new ColumnDirectory.Entry();
        entry.read(block, ColumnDirectory.at(ColumnLayout.of(TRADE).indexOf(field), BlockFormat.COLUMNS));
        return entry;
    }

    @Test
    void shouldSealTheSameAgainAndGoOn() {
        ColumnBlockWriter writer = new ColumnBlockWriter(TRADE, TRADE.field("id"), 500);
        byte[] trades = trades(0, 1000);
        RecordBatch batch = new RecordBatch(TRADE).fill(trades, 0, 1000, 0, trades.length);

        assertThat(writer.append(batch, 0)).isEqualTo(500);
        byte[] first = writer.seal(0, 7);
        assertThat(writer.seal(0, 7)).isEqualTo(first);
        writer.clear();
        assertThat(writer.append(batch, 500)).isEqualTo(1000);
        byte[] second = writer.seal(7, 9);

        assertThat(rows(TRADE, first)).isEqualTo(Arrays.copyOf(trades, trades.length / 2));
        assertThat(rows(TRADE, second)).isEqualTo(Arrays.copyOfRange(trades, trades.length / 2, trades.length));
        Block block = Block.open(second, TRADE);
        assertThat(block.keyMin()).isEqualTo(501);
        assertThat(block.keyMax()).isEqualTo(1000);
        assertThat(block.from()).isEqualTo(7);
        assertThat(Block.peekCount(second)).hasValue(500);
    }

    @Test
    void shouldKeepFewRecordsInRowsAndGoOnInAnArrayOfItsOwn() {
        ColumnBlockWriter writer = new ColumnBlockWriter(TRADE, null, 2);
        byte[] trades = trades(0, 4);
        RecordBatch batch = new RecordBatch(TRADE).fill(trades, 0, 4, 0, trades.length);
        writer.append(batch, 0);
        byte[] first = writer.seal(0, 1);
        byte[] copy = first.clone();
        writer.clear();
        writer.append(batch, 2);
        writer.seal(1, 2);

        assertThat(first).isEqualTo(copy);
        assertThat(Block.open(first, TRADE).encoding()).isEqualTo(BlockFormat.ROWS);
        assertThat(Block.open(new ColumnBlockWriter(TRADE, null, 2).seal(3, 4), TRADE)
                        .count())
                .isZero();
    }

    @Test
    void shouldNoticeEveryFlippedBitAndEveryCut() {
        byte[] block = seal(TRADE, trades(0, 200), 200);
        for (int bit = 0; bit < block.length * 8; bit++) {
            byte[] damaged = block.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatExceptionOfType(BlockFormatException.class)
                    .as("bit %d", bit)
                    .isThrownBy(() -> Block.open(damaged, TRADE));
        }
        for (int length = 0; length < block.length; length++) {
            byte[] cut = Arrays.copyOf(block, length);
            assertThatExceptionOfType(BlockFormatException.class)
                    .as("length %d", length)
                    .isThrownBy(() -> Block.open(cut, TRADE));
        }
    }
}
