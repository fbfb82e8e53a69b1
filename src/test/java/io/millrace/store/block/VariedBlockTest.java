package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Packets;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class VariedBlockTest {

    private static final Schema WITH_CELL = Packets.SCHEMA.extend(
            Field.of("place", new FieldType.IntegerType(IntStorage.of(3, false, ByteOrder.BIG_ENDIAN)), 0));
    private static final byte[] SMALL = Packets.of(Packets.STOP, "a").bytes();

    private static RegionDefinition region(Schema schema, int capacity, String... key) {
        return new RegionDefinition("calls", Layout.BLOCKS, 0, false, schema, List.of(key), capacity);
    }

    private static BlockWriter writer(int capacity) {
        return BlockWriter.of(region(WITH_CELL, capacity), WITH_CELL);
    }

    /** Records of any bytes, each with its number as what was added to it. */
    private static RecordBatch batch(byte[]... records) {
        RecordBatch batch = Packets.fill(new RecordBatch(WITH_CELL), 0, records);
        for (int i = 0; i < records.length; i++) {
            int at = batch.addedOffset(i) + WITH_CELL.foundLength();
            batch.added()[at] = 0;
            RawBytes.putShort(batch.added(), at + 1, (short) i);
        }
        return batch;
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] blockOfThree() {
        BlockWriter writer = writer(8);
        writer.append(batch(SMALL, new byte[0], new byte[300]), 0);
        return writer.seal(5, 8);
    }

    private static byte[] record(Block block, int[] bounds, int record) {
        return Arrays.copyOfRange(block.bytes(), bounds[record], bounds[record + 1]);
    }

    @Property
    void shouldReadWhatWasWritten(
            @ForAll @Size(max = 40) List<@IntRange(max = 700) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 20) int capacity,
            @ForAll Random random) {
        byte[][] records = lengths.stream().map(length -> bytes(random, length)).toArray(byte[][]::new);
        RecordBatch batch = batch(records);
        BlockWriter writer = writer(capacity);
        List<Block> blocks = new ArrayList<>();
        for (int index = 0; index < records.length; ) {
            index = writer.append(batch, index);
            assertThat(writer.full()).isEqualTo(writer.count() == capacity);
            byte[] sealed = writer.seal(1, 2);
            assertThat(writer.seal(1, 2)).isEqualTo(sealed);
            blocks.add(Block.open(sealed, WITH_CELL.stored()));
            writer.clear();
        }

        int number = 0;
        for (Block block : blocks) {
            int[] bounds = new int[block.count() + 1];
            block.bounds(bounds);
            for (int i = 0; i < block.count(); i++) {
                assertThat(record(block, bounds, i)).isEqualTo(records[number]);
                assertThat(RawBytes.getShort(block.bytes(), block.addedAt(i) + 1))
                        .isEqualTo((short) number);
                number++;
            }
        }
        assertThat(number).isEqualTo(records.length);
    }

    @Test
    void shouldKeepItsBytesAsDocumented() {
        byte[] block = blockOfThree();

        assertThat(block).hasSize(88 + 3 * 2 + 3 * 3 + SMALL.length + 300);
        assertThat(Arrays.copyOfRange(block, 32, 39)).containsExactly(0, 0, 0, 3, 0, 3, 1);
        assertThat(Arrays.copyOfRange(block, 88, 103))
                .containsExactly(0, SMALL.length, 0, 0, 1, 44, 0, 0, 0, 0, 0, 1, 0, 0, 2);
        assertThat(Arrays.copyOfRange(block, 103, 103 + SMALL.length)).isEqualTo(SMALL);
        assertThat(Block.peekCount(block)).hasValue(3);
    }

    @Test
    void shouldHoldNoRecordsButAPosition() {
        Block block = Block.open(writer(8).seal(5, 10), WITH_CELL);

        assertThat(block.count()).isZero();
        assertThat(block.to()).isEqualTo(10);
        assertThat(block.bytes()).hasSize(BlockFormat.HEADER_LENGTH);
    }

    @Test
    void shouldNoticeEveryFlippedBitAndEveryCut() {
        byte[] bytes = blockOfThree();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatExceptionOfType(BlockFormatException.class)
                    .as("bit %d", bit)
                    .isThrownBy(() -> Block.open(damaged, WITH_CELL));
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(BlockFormatException.class)
                    .as("length %d", length)
                    .isThrownBy(() -> Block.open(cut, WITH_CELL));
        }
    }

    /** Whatever the bytes say, and even where their checksum is right, nothing outside of them is read. */
    @Property
    void shouldStayInsideDamagedBytes(
            @ForAll @IntRange(min = 32, max = 136) int at,
            @ForAll byte value,
            @ForAll @IntRange(max = 500) int length) {
        byte[] damaged = Arrays.copyOf(blockOfThree(), Math.max(BlockFormat.HEADER_LENGTH, length));
        if (at < damaged.length) {
            damaged[at] = value;
        }
        Blocks.reseal(damaged);
        Block block;
        try {
            block = Block.open(damaged, WITH_CELL);
        } catch (BlockFormatException e) {
            return;
        }
        int[] bounds = new int[block.count() + 1];
        block.bounds(bounds);

        assertThat(bounds).isSorted();
        assertThat(bounds[0]).isEqualTo(block.addedAt(block.count())).isGreaterThanOrEqualTo(BlockFormat.HEADER_LENGTH);
        assertThat(bounds[block.count()]).isEqualTo(damaged.length);
    }

    @Test
    void shouldNameWhatDoesNotAddUp() {
        assertThat(refused(BlockFormat.COUNT_AT, -1))
                .hasMessage("Invalid record count of the block: -1. Expected 0 or more.");
        assertThat(refused(BlockFormat.COUNT_AT, Integer.MAX_VALUE))
                .hasMessageStartingWith("Invalid length of the block: ");
        assertThat(refused(BlockFormat.RECORD_LENGTH_AT, 2 << 16 | BlockFormat.VARIED << 8))
                .hasMessage("Invalid record length of the block: 2. Expected 3.");
        assertThat(refused(BlockFormat.RECORD_LENGTH_AT, 3 << 16 | BlockFormat.ROWS << 8))
                .hasMessage("Invalid encoding of the block: 0. Expected 1.");
    }

    private static BlockFormatException refused(int at, int word) {
        byte[] bytes = blockOfThree();
        RawBytes.putInt(bytes, at, word);
        Blocks.reseal(bytes);
        return org.assertj.core.api.Assertions.catchThrowableOfType(
                BlockFormatException.class, () -> Block.open(bytes, WITH_CELL));
    }

    @Test
    void shouldBeFullBeforeItGrowsPastItsBytes() {
        byte[][] records = new byte[100][60_000];
        BlockWriter writer = writer(1000);
        RecordBatch batch = batch(records);
        int end = writer.append(batch, 0);

        assertThat(writer.full()).isTrue();
        assertThat(writer.append(batch, end)).isEqualTo(end);
        assertThat(writer.seal(0, 1))
                .hasSizeLessThanOrEqualTo(RegionDefinition.MAX_VARIED_BLOCK_BYTES)
                .hasSizeGreaterThan(RegionDefinition.MAX_VARIED_BLOCK_BYTES - 60_005);
        writer.clear();
        assertThat(writer.full()).isFalse();
        assertThat(writer.append(batch, end)).isEqualTo(2 * end);
    }

    @Test
    void shouldStoreLengthsInAsFewBytesAsTheLongestNeeds() {
        for (int[] widths : new int[][] {{255, 1}, {256, 2}, {65_535, 2}}) {
            BlockWriter writer = writer(8);
            writer.append(batch(new byte[widths[0]], new byte[3]), 0);
            byte[] block = writer.seal(0, 2);
            assertThat(block).hasSize(88 + 2 * (widths[1] + 3) + widths[0] + 3);
            int[] bounds = new int[3];
            Block.open(block, WITH_CELL).bounds(bounds);
            assertThat(bounds[1] - bounds[0]).isEqualTo(widths[0]);
            assertThat(bounds[2] - bounds[1]).isEqualTo(3);
        }
    }

    @Test
    void shouldStoreCompactRecordsUpToTheirMaximumLength() {
        Schema schema = SchemaReader.read("s.yml", """
                schema: s
                layout: compact
                fields:
                  - { name: texts, type: string, length: 60000, repeat: many }
                """.getBytes(StandardCharsets.UTF_8));
        Schema rows = schema.project(Set.of());
        RecordBatch batch = new RecordBatch(rows);
        batch.fill(new byte[70_000 + 9], new int[] {0, 70_000, 70_009}, 2, 0);
        BlockWriter writer = BlockWriter.of(region(schema, 8), rows);
        assertThat(writer.append(batch, 0)).isEqualTo(2);
        byte[] block = writer.seal(0, 2);
        assertThat(block).hasSize(88 + 2 * 4 + 70_009);
        int[] bounds = new int[3];
        Block.open(block, schema).bounds(bounds);
        assertThat(bounds).containsExactly(96, 70_096, 70_105);
    }

    @Test
    void shouldTakeNoRecordThatIsLongerThanItsLengthCanState() {
        assertThat(writer(4).append(batch(new byte[0xFFFF]), 0)).isOne();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writer(4).append(batch(new byte[0x10000]), 0))
                .withMessageContaining("65536");
    }

    @Test
    void shouldReportTheRangesOfWhatTheRowsHold() {
        byte[] early =
                Packets.of(Packets.START, "a").number(55, 1_000).number(46, 7).bytes();
        byte[] late = Packets.of(Packets.STOP, "b").number(55, 5_000).bytes();
        byte[] untimed = Packets.of(Packets.STOP, "c").number(46, 3).bytes();

        Block whole = block(Packets.SCHEMA, early, late, untimed);
        assertThat(whole.hasTimeRange()).isTrue();
        assertThat(whole.timeMin()).isEqualTo(1_000);
        assertThat(whole.timeMax()).isEqualTo(5_000);
        assertThat(whole.hasKeyRange()).isTrue();
        assertThat(whole.keyMin()).isEqualTo(3);
        assertThat(whole.keyMax()).isEqualTo(7);

        Block withoutTime = block(Packets.SCHEMA.project(Set.of("sessionTime")), early, late, untimed);
        assertThat(withoutTime.hasTimeRange()).isFalse();
        assertThat(withoutTime.timeMin()).isZero();
        assertThat(withoutTime.hasKeyRange()).isTrue();
        assertThat(block(Packets.SCHEMA, late).hasKeyRange()).isFalse();
    }

    private static Block block(Schema rows, byte[]... records) {
        BlockWriter writer = BlockWriter.of(region(Packets.SCHEMA, 8, "sessionTime"), rows);
        writer.append(
                Packets.batch(
                        rows,
                        0,
                        Packets.of(Packets.START, "z")
                                .number(46, 99_999)
                                .number(55, 1)
                                .bytes()),
                0);
        writer.clear();
        writer.append(Packets.batch(rows, 0, records), 0);
        return Block.open(writer.seal(0, records.length), Packets.SCHEMA);
    }
}
