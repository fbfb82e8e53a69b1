package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Trades;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BlockTest {

    private static BlockWriter writer(int capacity) {
        return new RowBlockWriter(Trades.SCHEMA, Trades.SCHEMA.field("id"), capacity);
    }

    private static byte[] blockOfThree() {
        BlockWriter writer = writer(8);
        writer.append(Trades.batch(Trades.feed(10), 4, 7), 0);
        return writer.seal(92, 161);
    }

    @Test
    void shouldReadWhatWasWritten() {
        Block block = Block.open(blockOfThree(), Trades.SCHEMA);

        assertThat(block.count()).isEqualTo(3);
        assertThat(block.recordLength()).isEqualTo(Trades.LENGTH);
        assertThat(block.from()).isEqualTo(92);
        assertThat(block.to()).isEqualTo(161);
        assertThat(block.fingerprint()).isEqualTo(Trades.SCHEMA.fingerprint());
        assertThat(block.hasKeyRange()).isTrue();
        assertThat(block.keyMin()).isEqualTo(4);
        assertThat(block.keyMax()).isEqualTo(6);
        assertThat(block.hasTimeRange()).isTrue();
        assertThat(block.timeMin()).isEqualTo(20_004);
        assertThat(block.timeMax()).isEqualTo(20_006);
        assertThat(Arrays.copyOfRange(block.bytes(), BlockFormat.HEADER_LENGTH, block.bytes().length))
                .isEqualTo(Arrays.copyOfRange(Trades.feed(10), 4 * Trades.LENGTH, 7 * Trades.LENGTH));
        assertThat(Block.peekCount(block.bytes())).hasValue(3);
    }

    @Test
    void shouldKeepItsBytesAsDocumented() {
        BlockWriter writer = new RowBlockWriter(Trades.SCHEMA, null, 4);

        assertThat(writer.seal(1, 258))
                .startsWith('M', 'R', 'B', 2)
                .hasSize(88)
                .endsWith(new byte[48])
                .containsSequence(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 23, 0, 0);
    }

    @Test
    void shouldNoticeEveryFlippedBit() {
        byte[] bytes = blockOfThree();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);

            assertThatExceptionOfType(BlockFormatException.class)
                    .as("bit %d", bit)
                    .isThrownBy(() -> Block.open(damaged, Trades.SCHEMA));
        }
    }

    @Test
    void shouldRefuseEveryOtherLength() {
        byte[] bytes = blockOfThree();
        for (int length = 0; length < bytes.length + 50; length++) {
            if (length != bytes.length) {
                byte[] cut = Arrays.copyOf(bytes, length);

                assertThatExceptionOfType(BlockFormatException.class)
                        .as("length %d", length)
                        .isThrownBy(() -> Block.open(cut, Trades.SCHEMA));
            }
        }
    }

    @Test
    void shouldNameWhatIsWrong() {
        byte[] bytes = blockOfThree();
        Schema other = Schemas.builtIn().get("trade");

        assertThatExceptionOfType(BlockFormatException.class)
                .isThrownBy(() -> Block.open(bytes, other))
                .withMessageContaining(Trades.SCHEMA.fingerprintHex())
                .withMessageContaining(other.fingerprintHex());
        byte[] later = bytes.clone();
        later[3] = 9;
        assertThatExceptionOfType(BlockFormatException.class)
                .isThrownBy(() -> Block.open(later, Trades.SCHEMA))
                .withMessage("Invalid version of the block: 9. Expected 2.");
    }

    @Test
    void shouldHoldNoRecordsButAPosition() {
        Block block = Block.open(writer(8).seal(5, 10), Trades.SCHEMA);

        assertThat(block.count()).isZero();
        assertThat(block.to()).isEqualTo(10);
        assertThat(block.hasKeyRange()).isFalse();
        assertThat(block.hasTimeRange()).isFalse();
    }

    @Test
    void shouldTakeRecordsUntilFullAndReturnTheArrayItself() {
        BlockWriter writer = writer(4);
        RecordBatch batch = Trades.every(2, Trades.batch(Trades.feed(20), 1, 20));

        assertThat(writer.append(batch, 0)).isEqualTo(4);
        assertThat(writer.full()).isTrue();
        assertThat(writer.append(batch, 4)).isEqualTo(4);
        byte[] first = writer.seal(0, 1);
        assertThat(writer.seal(0, 1)).isSameAs(first);
        writer.clear();
        assertThat(writer.append(batch, 4)).isEqualTo(8);
        assertThat(writer.seal(1, 2)).isNotSameAs(first);
        assertThat(Trades.id(first, BlockFormat.HEADER_LENGTH)).isEqualTo(2);
    }

    @Test
    void shouldReuseItsArrayAfterAPartialBlock() {
        BlockWriter writer = writer(4);
        writer.append(Trades.batch(Trades.feed(20), 0, 3), 0);
        byte[] partial = writer.seal(0, 1);
        byte[] before = partial.clone();
        writer.clear();
        writer.append(Trades.batch(Trades.feed(20), 10, 11), 0);
        byte[] next = writer.seal(1, 2);

        assertThat(partial).isEqualTo(before);
        assertThat(Block.open(next, Trades.SCHEMA).count()).isOne();
        assertThat(Trades.id(next, BlockFormat.HEADER_LENGTH)).isEqualTo(10);
    }

    /** Blocks of the first version, which others wrote: no column, and one checksum over all. */
    @Test
    void shouldReadTheFirstVersion() {
        byte[] second = blockOfThree();
        byte[] first = new byte[second.length - 16];
        System.arraycopy(second, 0, first, 0, 72);
        System.arraycopy(second, BlockFormat.HEADER_LENGTH, first, 72, 3 * Trades.LENGTH);
        first[3] = 1;
        RawBytes.putInt(first, BlockFormat.CRC_AT, BlockFormat.crc(first, 8, first.length));
        Block block = Block.open(first, Trades.SCHEMA);

        assertThat(block.count()).isEqualTo(3);
        assertThat(block.recordsAt()).isEqualTo(72);
        assertThat(Block.peekCount(first)).hasValue(3);
        assertThat(Arrays.copyOfRange(first, 72, first.length))
                .isEqualTo(Arrays.copyOfRange(Trades.feed(10), 4 * Trades.LENGTH, 7 * Trades.LENGTH));
        StoredCondition other = StoredCondition.of(
                FieldCondition.same(Objects.requireNonNull(Trades.SCHEMA.field("id")), Trades.feed(1)));
        assertThat(block.excludes(other)).as("it does not say what its key is").isFalse();
        assertThat(Block.open(second, Trades.SCHEMA).excludes(other)).isTrue();
        first[80] ^= 1;
        assertThatExceptionOfType(BlockFormatException.class)
                .isThrownBy(() -> Block.peek(first, Trades.SCHEMA, new BlockChecks.Mark(first)));
    }
}
