package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactSamples;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.CompactBatches;
import io.millrace.store.CompactOrders;
import io.millrace.store.Packets;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Columns of the single fields next to the records that they were found in. */
class RecordColumnsTest {

    private static final String FIELDS = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: currency, type: enum, values: [EUR, GBP, USD] }
              - { name: limit, type: decimal, scale: 2, optional: true }
              - { name: note, type: string, length: 30, optional: true }
            """;
    private static final Schema ORDER = CompactOrders.schema(FIELDS);
    private static final int COUNT = 200;

    private static byte[] block(Schema schema, RecordBatch batch) {
        return CompactBatches.blocks(
                        CompactBatches.region(schema, Math.max(1, batch.count()), BlockEncoding.COLUMNS), batch)
                .getFirst();
    }

    private static RecordBatch orders(Schema schema) {
        return CompactBatches.batch(schema, CompactOrders.records(schema, json(schema)));
    }

    private static List<String> json(Schema schema) {
        List<String> orders = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            String limit = i % 3 == 0 ? "" : ",\"limit\":" + (1000 + i * i % 97) + ".25";
            String note = i % 5 == 0 ? ",\"note\":\"note " + i + "\"" : "";
            String rank = i % 2 == 0 && schema.field("rank") != null ? ",\"rank\":" + i : "";
            orders.add("{\"id\":" + (i * i) + ",\"currency\":\""
                    + List.of("EUR", "GBP", "USD").get(i % 7 % 3) + "\"" + limit + note + rank + "}");
        }
        return orders;
    }

    private static byte[] blockOfOrders() {
        return block(ORDER, orders(ORDER));
    }

    private static ColumnBlock columns(Schema schema, byte[] block) {
        return new ColumnBlock(ColumnLayout.of(schema)).show(Block.open(block, schema));
    }

    private static byte[] value(RecordBatch batch, int record, Field field) {
        int at = batch.addedOffset(record);
        return Arrays.copyOfRange(batch.added(), at + field.offset(), at + field.end());
    }

    /** Compares what the columns have of the fields of a schema with rows. */
    private static int requireSame(Schema reader, byte[] block, RecordBatch rows) {
        ColumnLayout layout = ColumnLayout.of(reader);
        ColumnBlock columns = columns(reader, block);
        int[] all = IntStream.range(0, rows.count()).toArray();
        byte[] written = new byte[rows.count() * reader.recordLength()];
        int compared = 0;
        for (Field field : reader.fields()) {
            if (!layout.contains(field.name())
                    || !columns.has(layout.indexesOf(field.name()).toArray())) {
                continue;
            }
            layout.indexesOf(field.name()).forEach(column -> columns.write(column, all, all.length, written));
            Field found = Objects.requireNonNull(rows.schema().field(field.name()));
            for (int i = 0; i < rows.count(); i++) {
                int at = i * reader.recordLength();
                if (field.nullFlag()) {
                    byte absent = rows.added()[rows.addedOffset(i) + found.nullFlagAt()];
                    assertThat(written[at + field.nullFlagAt()]).isEqualTo(absent);
                    if (absent == 1) {
                        continue;
                    }
                }
                assertThat(Arrays.copyOfRange(written, at + field.offset(), at + field.end()))
                        .as("%s of record %d", field.name(), i)
                        .isEqualTo(value(rows, i, found));
            }
            compared++;
        }
        return compared;
    }

    private static void requireRecords(Schema schema, byte[] bytes, RecordBatch batch) {
        Block block = Block.open(bytes, schema);
        int[] bounds = new int[block.count() + 1];
        block.bounds(bounds);
        assertThat(block.count()).isEqualTo(batch.count());
        for (int i = 0; i < block.count(); i++) {
            int at = batch.offset(i);
            assertThat(Arrays.copyOfRange(bytes, bounds[i], bounds[i + 1]))
                    .isEqualTo(Arrays.copyOfRange(batch.bytes(), at, at + batch.length(i)));
        }
    }

    @Property(tries = 400)
    void shouldHoldWhatTheFinderFindsNextToTheVeryBytes(@ForAll long seed) {
        CompactSamples samples = new CompactSamples(new Random(seed));
        Schema schema = samples.schema();
        StoredForm form = StoredForms.of(schema);
        long fields = schema.fields().stream().filter(form::hasColumn).count();
        if (fields == 0) {
            return;
        }
        RecordBatch batch = CompactBatches.batch(schema, CompactBatches.random(samples, schema, 70));
        byte[] block = block(schema, batch);

        assertThat(block[BlockFormat.ENCODING_AT]).isEqualTo((byte) BlockFormat.COLUMNS_AND_RECORDS);
        assertThat(requireSame(schema, block, batch)).isEqualTo(Math.toIntExact(fields));
        requireRecords(schema, block, batch);
    }

    @Test
    void shouldKeepItsBytesAsDocumented() {
        byte[] block = blockOfOrders();
        int columns = 4; // id, currency, limit, and the null flag of limit

        assertThat(Arrays.copyOfRange(block, 32, 39)).containsExactly(0, 0, 0, (byte) COUNT, 0, 0, 3);
        assertThat(RawBytes.getInt(block, 84)).isEqualTo(columns * 64);
        int at = 88 + columns * 64;
        long limit = ORDER.fingerprint(Objects.requireNonNull(ORDER.field("limit")));
        assertThat(RawBytes.getLong(block, 88 + 2 * 64 + 56)).isEqualTo(limit);
        assertThat(RawBytes.getLong(block, 88 + 3 * 64 + 56)).isEqualTo(limit + 1);
        for (int i = 0; i < columns; i++) {
            at += RawBytes.getInt(block, 88 + i * 64 + 8);
        }
        assertThat(RawBytes.getInt(block, 80)).isEqualTo(BlockFormat.crc(block, at, block.length));
        Block opened = Block.open(block, ORDER);
        assertThat(opened.addedAt(0)).isEqualTo(at + COUNT * (block[39] >> 2 == 1 ? 1 : 2));
    }

    @Test
    void shouldSealTheSameAgain() {
        BlockWriter writer = BlockWriter.of(CompactBatches.region(ORDER, COUNT, BlockEncoding.COLUMNS), ORDER);
        RecordBatch batch = orders(ORDER);
        writer.append(batch, 0);
        byte[] first = writer.seal(1, 2);
        assertThat(writer.seal(1, 2)).isEqualTo(first);
        writer.clear();
        writer.append(batch, 0);
        assertThat(writer.seal(1, 2)).isEqualTo(first);
    }

    @Test
    void shouldNotCountAbsentValuesInTheRangeOfAColumn() {
        byte[] block = blockOfOrders();
        ColumnDirectory.Entry limit = new ColumnDirectory.Entry();
        limit.read(block, ColumnDirectory.at(2, BlockFormat.COLUMNS_AND_RECORDS));

        assertThat(limit.min).isBetween(1000_25L, 1001_25L);
        assertThat(limit.max).isBetween(1095_25L, 1096_25L);
        assertThat(limit.width).isLessThanOrEqualTo(16);
    }

    /** The columns hold all single fields, whatever rows a pipeline works on. */
    @Test
    void shouldNotDependOnTheRowsOfThePipeline() {
        RecordBatch batch = orders(ORDER);
        List<byte[]> records = records(batch);
        Schema few = ORDER.project(Set.of("note"));

        assertThat(block(ORDER, CompactBatches.batch(few, records))).isEqualTo(block(ORDER, batch));
    }

    private static List<byte[]> records(RecordBatch batch) {
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            int at = batch.offset(i);
            records.add(Arrays.copyOfRange(batch.bytes(), at, at + batch.length(i)));
        }
        return records;
    }

    @Test
    void shouldHoldFieldsThatWereAdded() {
        Schema added = ORDER.extend(
                Field.of("place", new FieldType.IntegerType(IntStorage.of(3, false, ByteOrder.BIG_ENDIAN)), 0));
        RecordBatch batch = CompactBatches.batch(added, records(orders(ORDER)));
        for (int i = 0; i < COUNT; i++) {
            int at = batch.addedOffset(i) + added.foundLength();
            RawBytes.putShort(batch.added(), at + 1, (short) (7 * i));
            batch.added()[at] = 0;
        }
        byte[] block = block(added, batch);

        assertThat(requireSame(added.stored(), block, batch)).isEqualTo(4);
        Block opened = Block.open(block, added);
        assertThat(RawBytes.getShort(block, opened.addedAt(3) + 1)).isEqualTo((short) 21);
    }

    @Test
    void shouldHaveNoColumnsOfRecordsThatCannotBeRead() {
        List<byte[]> records = records(orders(ORDER));
        records.set(7, new byte[] {0});
        RecordBatch batch = Packets.fill(new RecordBatch(ORDER), 0, records.toArray(byte[][]::new));
        byte[] block = block(ORDER, batch);

        assertThat(block[BlockFormat.ENCODING_AT]).isEqualTo((byte) BlockFormat.VARIED);
        requireRecords(ORDER, block, batch);
    }

    @Test
    void shouldHoldNoRecordsButAPosition() {
        byte[] block = BlockWriter.of(CompactBatches.region(ORDER, 8, BlockEncoding.COLUMNS), ORDER)
                .seal(5, 10);

        assertThat(block).hasSize(BlockFormat.HEADER_LENGTH);
        assertThat(Block.open(block, ORDER).to()).isEqualTo(10);
    }

    @Test
    void shouldNoticeEveryFlippedBitAndEveryCut() {
        byte[] bytes = blockOfOrders();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatExceptionOfType(BlockFormatException.class)
                    .as("bit %d", bit)
                    .isThrownBy(() -> Block.open(damaged, ORDER));
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(BlockFormatException.class)
                    .as("length %d", length)
                    .isThrownBy(() -> Block.open(cut, ORDER));
        }
    }

    @Test
    void shouldNameWhatDoesNotAddUp() {
        assertThat(refused(84, 63)).startsWith("Invalid directory length of the block: 63.");
        assertThat(refused(88 + 8, -1)).isEqualTo("Invalid length of a column of the block: -1.");
        assertThat(refused(88 + 8, Integer.MAX_VALUE)).startsWith("Invalid length of a column of the block: ");
        assertThat(refused(88 + 8, 0)).startsWith("Invalid length of ");
        assertThat(refused(36, 3 << 16 | BlockFormat.COLUMNS_AND_RECORDS << 8))
                .isEqualTo("Invalid record length of the block: 3. Expected 0.");
        assertThat(refused(36, BlockFormat.COLUMNS << 8)).isEqualTo("Invalid encoding of the block: 2. Expected 1.");
        byte[] twice = blockOfOrders();
        RawBytes.putLong(twice, 88 + 64 + 56, RawBytes.getLong(twice, 88 + 56));
        assertThat(refused(twice)).isEqualTo("Invalid entry of column 0 of the block: the directory has two.");
    }

    private static String refused(int at, int word) {
        byte[] bytes = blockOfOrders();
        RawBytes.putInt(bytes, at, word);
        return refused(bytes);
    }

    private static String refused(byte[] bytes) {
        Blocks.reseal(bytes);
        return Objects.requireNonNull(org.assertj.core.api.Assertions.catchThrowableOfType(
                        BlockFormatException.class, () -> Block.open(bytes, ORDER))
                .getMessage());
    }

    /** A column that follows from one that this schema does not know can't be read. */
    @Test
    void shouldNotReadColumnsThatFollowFromUnknownOnes() {
        Schema both = CompactOrders.schema("""
                schema: deal
                layout: compact
                fields:
                  - { name: made, type: date }
                  - { name: due, type: date, optional: true }
                """);
        byte[] block = block(both, days(both, 39));
        ColumnDirectory.Entry entry = new ColumnDirectory.Entry();
        entry.read(block, ColumnDirectory.at(1, BlockFormat.COLUMNS_AND_RECORDS));
        assertThat(entry.prediction).isEqualTo(ColumnDirectory.COLUMN);
        ColumnLayout layout = ColumnLayout.of(both);
        int due = layout.indexOf("due");
        assertThat(columns(both, block).has(due)).isTrue();
        int idAt = ColumnDirectory.at(0, BlockFormat.COLUMNS_AND_RECORDS);
        ColumnDirectory.putId(block, idAt, 1);
        Blocks.reseal(block);

        assertThat(columns(both, block).has(due)).isFalse();
        assertThat(columns(both, block).has(due + 1)).isTrue();
    }

    /** Days that all differ, each followed by another day soon after. */
    private static RecordBatch days(Schema schema, long seed) {
        Random random = new Random(seed);
        List<String> deals = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            LocalDate made = LocalDate.EPOCH.plusDays(random.nextInt(100_000));
            deals.add("{\"made\":\"" + made + "\",\"due\":\"" + made.plusDays(random.nextInt(3)) + "\"}");
        }
        return CompactBatches.batch(schema, CompactOrders.records(schema, deals));
    }

    @Test
    void shouldRefuseSchemasWithoutAColumn() {
        Schema texts = CompactOrders.schema("""
                schema: texts
                layout: compact
                fields:
                  - { name: text, type: string, length: 9 }
                  - { name: numbers, type: i32, repeat: many }
                """);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CompactBatches.region(texts, 8, BlockEncoding.COLUMNS))
                .withMessage("Invalid encoding 'columns' of region 'r'. Use rows: no field of schema 'texts' can be a"
                        + " column, which is single and has at most 8 bytes.");
    }

    /** Records of a byte with many absent fields have long rows: not as many of them fit into a block. */
    @Test
    void shouldBeFullBeforeTheRowsTakeTooMuchMemory() {
        StringBuilder text = new StringBuilder("schema: wide\nlayout: compact\nfields:\n");
        for (int i = 0; i < 1000; i++) {
            text.append("  - { name: f").append(i).append(", type: i64, optional: true }\n");
        }
        Schema wide = CompactOrders.schema(text.toString());
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            records.add(new byte[1]);
        }
        RegionDefinition region = CompactBatches.region(wide, 5000, BlockEncoding.COLUMNS);
        List<byte[]> blocks = CompactBatches.blocks(region, CompactBatches.batch(wide.project(Set.of()), records));

        assertThat(blocks).hasSize(2);
        Block largest = blocks.stream()
                .map(block -> Block.open(block, wide))
                .max(Comparator.comparingInt(Block::count))
                .orElseThrow();
        assertThat(largest.count()).isEqualTo(RegionDefinition.MAX_COLUMN_BYTES / 9000);
    }
}
