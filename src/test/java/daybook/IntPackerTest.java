package daybook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IntPackerTest {

    private static final int FROM = 3;

    private final Random random = new Random(1);

    static IntStream widths() {
        return IntStream.rangeClosed(0, Integer.SIZE);
    }

    @ParameterizedTest
    @MethodSource("widths")
    void shouldGiveBackNumbersOfEveryWidth(int width) {
        for (int base : new int[] {0, -5, -1_000_000, Integer.MIN_VALUE}) {
            int[] values = values(base, width);
            try (AppendOnlyMemory memory = dirty()) {
                PackedInts packed = new IntPacker(memory).pack(values, FROM);

                assertThat(IntStream.range(0, PackedInts.COUNT).map(packed::get).toArray())
                        .isEqualTo(IntStream.of(values).skip(FROM).toArray());
                assertThat(memory.taken()).isEqualTo((long) PackedInts.COUNT * width / Byte.SIZE);
            }
        }
    }

    @Test
    void shouldGiveBackTruthValues() {
        boolean[] values = new boolean[FROM + PackedInts.COUNT];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextBoolean();
        }
        int[] gathered = new int[PackedInts.LANES];
        try (AppendOnlyMemory memory = dirty()) {
            PackedInts packed = new IntPacker(memory).pack(values, FROM, gathered);

            for (int i = 0; i < PackedInts.COUNT; i++) {
                int expected = values[FROM + i] ? 1 : 0;
                assertThat(packed.get(i)).isEqualTo(expected);
                assertThat((gathered[i % PackedInts.LANES] >>> (i / PackedInts.LANES)) & 1)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldReportWhatIsCertainlyNotThere() {
        try (AppendOnlyMemory memory = new AppendOnlyMemory()) {
            PackedInts packed = new IntPacker(memory).pack(values(1000, 4), FROM);
            PackedInts same = new IntPacker(memory).pack(values(7, 0), FROM);
            PackedInts all = new IntPacker(memory).pack(values(Integer.MIN_VALUE, Integer.SIZE), FROM);

            assertThat(IntStream.of(999, 1016, -1, Integer.MIN_VALUE)).noneMatch(packed::mayHold);
            assertThat(IntStream.of(1000, 1015)).allMatch(packed::mayHold);
            assertThat(IntStream.of(6, 8)).noneMatch(same::mayHold);
            assertThat(same.mayHold(7)).isTrue();
            assertThat(IntStream.of(Integer.MIN_VALUE, -1, Integer.MAX_VALUE)).allMatch(all::mayHold);
        }
    }

    @Test
    void shouldRefuseIndexesOutside() {
        try (AppendOnlyMemory memory = new AppendOnlyMemory()) {
            for (int width : new int[] {0, 9}) {
                PackedInts packed = new IntPacker(memory).pack(values(0, width), FROM);

                assertThatThrownBy(() -> packed.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> packed.get(PackedInts.COUNT)).isInstanceOf(IndexOutOfBoundsException.class);
            }
            assertThatThrownBy(() -> new IntPacker(memory).pack(values(0, 9), FROM + 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    /** Numbers of which some have all bits and some none above the base. */
    private int[] values(int base, int width) {
        int most = width == 0 ? 0 : -1 >>> -width;
        int[] values = new int[FROM + PackedInts.COUNT];
        for (int i = 0; i < values.length; i++) {
            values[i] = base + (i % 10 == 0 ? most : i % 10 == 1 ? 0 : random.nextInt() & most);
        }
        return values;
    }

    /** Memory that others have written before. */
    private static AppendOnlyMemory dirty() {
        AppendOnlyMemory memory = new AppendOnlyMemory();
        memory.take(PackedInts.bytes(Integer.SIZE)).fill((byte) 0x5A);
        memory.clear();
        return memory;
    }
}
