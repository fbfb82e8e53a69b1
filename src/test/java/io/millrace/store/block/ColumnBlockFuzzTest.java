package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.RandomSchemas;
import io.millrace.expression.range.FieldCondition;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.CompactBatches;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForms;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Whatever the bytes of a block say, and even where all checksums are right: it is read, or refused as a
 * {@link BlockFormatException}. With JAZZER_FUZZ=1 set, Jazzer searches for others.
 */
public class ColumnBlockFuzzTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    public static final List<FieldCondition> TESTS = new ExpressionCompiler(TRADE)
            .split(
                    "id > 20 and tradeDate < '2014-12-01' and currency1 != 'GBP' and exchangeRate <= 1.6"
                            + " and amount1 != 7 and amount2 >= 9 and {'USD', 'EUR', 'JPY'}.contains(currency2)"
                            + " and settlementDate != '2014-12-24'",
                    FieldCondition::able)
            .tests();
    public static final byte[] BLOCK = block(TRADE, trades(), 200);

    private static byte[] trades() {
        byte[] trades = new byte[200 * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 39).fill(trades, 0, 200);
        return trades;
    }

    private static byte[] block(Schema schema, byte[] rows, int count) {
        ColumnBlockWriter writer = new ColumnBlockWriter(schema, null, count);
        writer.append(new RecordBatch(schema).fill(rows, 0, count, 0, rows.length), 0);
        return writer.seal(0, rows.length);
    }

    /** What a fuzzer finds takes the place of what lies behind the header's first words, so that it comes far. */
    @FuzzTest
    void shouldReadOrRefuseAnything(byte[] tail) {
        byte[] block = BLOCK.clone();
        System.arraycopy(
                tail, 0, block, BlockFormat.COUNT_AT, Math.min(tail.length, block.length - BlockFormat.COUNT_AT));
        Blocks.reseal(block);
        read(TRADE, block, TESTS);
    }

    @Property(tries = 5000)
    void shouldReadOrRefuseABlockThatWasTamperedWith(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] block = tampered(BLOCK, ColumnLayout.of(TRADE).columns().size(), random);
        read(TRADE, block, TESTS);
    }

    @Property(tries = 1000)
    void shouldReadOrRefuseBlocksOfAnySchema(@ForAll long seed) {
        Random random = new Random(seed);
        Schema schema = RandomSchemas.next(random).stored();
        byte[] block = block(schema, RandomRows.of(schema, 200, random), 200);
        if (block[BlockFormat.ENCODING_AT] == BlockFormat.COLUMNS) {
            read(schema, tampered(block, ColumnLayout.of(schema).columns().size(), random), List.of());
        }
    }

    @Property(tries = 2000)
    void shouldReadOrRefuseColumnsNextToRecords(@ForAll long seed) {
        Random random = new Random(seed);
        CompactSamples samples = new CompactSamples(random);
        Schema schema = samples.schema();
        if (schema.fields().stream().noneMatch(StoredForms.of(schema)::hasColumn)) {
            return;
        }
        RegionDefinition region = CompactBatches.region(schema, 70, BlockEncoding.COLUMNS);
        RecordBatch records = CompactBatches.batch(schema, CompactBatches.random(samples, schema, 70));
        byte[] block = CompactBatches.blocks(region, records).getFirst();
        assertThat(block[BlockFormat.ENCODING_AT]).isEqualTo((byte) BlockFormat.COLUMNS_AND_RECORDS);
        List<FieldCondition> tests = schema.fields().stream()
                .filter(ColumnLayout.of(schema)::testable)
                .map(field -> FieldCondition.same(field, Arrays.copyOf(records.added(), schema.recordLength())))
                .toList();
        int columns = ColumnLayout.of(schema).columns().size();
        for (int i = 0; i < 20; i++) {
            read(schema, tampered(block, columns, random), tests);
        }
    }

    private static byte[] tampered(byte[] block, int columns, Random random) {
        byte[] damaged = random.nextInt(8) == 0
                ? Arrays.copyOf(block, BlockFormat.HEADER_LENGTH + random.nextInt(block.length))
                : block.clone();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int directoryEnd = Math.min(damaged.length, ColumnDirectory.at(columns, block[BlockFormat.ENCODING_AT]));
            int at = random.nextInt(3) == 0
                    ? random.nextInt(damaged.length)
                    : BlockFormat.COUNT_AT + random.nextInt(directoryEnd - BlockFormat.COUNT_AT);
            int small = random.nextInt(9) - 1;
            switch (random.nextInt(4)) {
                case 0 -> damaged[at] = (byte) random.nextInt();
                case 1 -> RawBytes.putInt(damaged, Math.min(at, damaged.length - 4), random.nextInt());
                default -> damaged[at] = (byte) (random.nextBoolean() ? small : damaged[at] + small);
            }
        }
        Blocks.reseal(damaged);
        return damaged;
    }

    public static void read(Schema schema, byte[] bytes, List<FieldCondition> tests) {
        try {
            Block whole = Block.open(bytes, schema);
            assertThat(whole.count()).isNotNegative();
        } catch (BlockFormatException e) {
            assertThat(e).hasMessageMatching("Invalid [a-z ]+ of (?:column \\d+ of )?the block: .+\\.");
        }
        try {
            Block block = Block.peek(bytes, schema, new BlockChecks.Mark(bytes));
            if (block.hasColumns() && block.count() < 1_000_000) {
                readColumns(schema, block, tests);
            }
        } catch (BlockFormatException e) {
            assertThat(e).hasNoCause();
        }
    }

    private static void readColumns(Schema schema, Block block, List<FieldCondition> tests) {
        if (block.encoding() == BlockFormat.COLUMNS_AND_RECORDS) {
            block.checkRecords();
            int[] bounds = new int[block.count() + 1];
            block.bounds(bounds);
            assertThat(bounds).isSorted();
            assertThat(bounds[block.count()]).isEqualTo(block.bytes().length);
        }
        ColumnLayout layout = ColumnLayout.of(schema.stored());
        ColumnBlock columns = new ColumnBlock(layout).show(block);
        long[] selection = new long[Packed.groups(block.count())];
        Arrays.fill(selection, -1);
        if (block.count() % 64 != 0) {
            selection[selection.length - 1] = (1L << block.count()) - 1;
        }
        for (FieldCondition test : tests) {
            if (!columns.has(layout.indexesOf(test.field().name()).toArray())) {
                continue;
            }
            new ColumnConditions(layout, columns).select(StoredCondition.of(test), selection);
        }
        int[] all = IntStream.range(0, block.count()).toArray();
        byte[] rows = new byte[block.count() * schema.recordLength()];
        for (int i = 0; i < layout.columns().size(); i++) {
            if (columns.has(i)) {
                columns.write(i, all, all.length, rows);
            }
        }
    }
}
