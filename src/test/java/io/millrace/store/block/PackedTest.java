package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PackedTest {

    private static final List<Integer> WIDTHS = List.of(0, 1, 2, 4, 8, 16, 24, 32, 40, 48, 56);

    @Provide
    Arbitrary<Integer> widths() {
        return Arbitraries.of(WIDTHS);
    }

    private static long last(int width) {
        return (1L << width) - 1;
    }

    private static long[] codes(Random random, int width, int count) {
        long[] codes = new long[count];
        for (int i = 0; i < count; i++) {
            codes[i] = random.nextInt(4) == 0 ? last(width) : random.nextLong() & last(width);
        }
        return codes;
    }

    @Test
    void shouldFindTheNarrowestWidth() {
        assertThat(List.of(0L, 1L, 2L, 3L, 4L, 15L, 16L, 255L, 256L, 0xFFFFL, 0x1_0000L, 1L << 55, 1L << 56, -1L))
                .map(Packed::width)
                .containsExactly(0, 1, 2, 2, 4, 4, 8, 8, 16, 16, 24, 56, 64, 64);
        assertThat(WIDTHS).allMatch(Packed::isWidth);
        assertThat(List.of(-8, 3, 5, 6, 7, 9, 12, 57, 60, 64)).noneMatch(Packed::isWidth);
    }

    @Property
    void shouldReadWhatWasWrittenAndNothingElse(
            @ForAll("widths") int width, @ForAll @IntRange(max = 300) int count, @ForAll long seed, @ForAll long base) {
        long[] codes = codes(new Random(seed), width, count);
        long[] numbers = Arrays.stream(codes).map(code -> code + base).toArray();
        byte[] bytes = new byte[5 + (int) Packed.length(width, count)];

        Packed.put(numbers, base, count, width, bytes, 5);

        long[] all = new long[count];
        Packed.getAll(bytes, 5, width, count, all);
        assertThat(all).isEqualTo(codes);
        for (int i = 0; i < count; i++) {
            assertThat(Packed.get(bytes, 5, width, i)).isEqualTo(codes[i]);
        }
        assertThat(Arrays.copyOf(bytes, 5)).containsOnly(0);
    }

    /** Each code at the place of the drawing in {@link Packed}. */
    @Property
    void shouldAlternateSmallCodesBetweenTheLongsOfAGroup(
            @ForAll("widths") int width, @ForAll @IntRange(max = 300) int count, @ForAll long seed, @ForAll long base) {
        if (width == 0 || width > 8) {
            return;
        }
        long[] codes = codes(new Random(seed), width, count);
        long[] longs = new long[width * Packed.groups(count)];
        for (int i = 0; i < count; i++) {
            int within = i % Packed.GROUP;
            longs[i / Packed.GROUP * width + within % width] |= codes[i] << (within / width * width);
        }
        byte[] bytes = new byte[5 + (int) Packed.length(width, count)];

        Packed.put(Arrays.stream(codes).map(code -> code + base).toArray(), base, count, width, bytes, 5);

        for (int i = 0; i < longs.length; i++) {
            assertThat(RawBytes.getLongLe(bytes, 5 + 8 * i)).isEqualTo(longs[i]);
        }
    }

    @Property
    void shouldSelectRanges(
            @ForAll("widths") int width,
            @ForAll @IntRange(min = 1, max = 300) int count,
            @ForAll boolean inside,
            @ForAll long seed) {
        Random random = new Random(seed);
        long[] codes = codes(random, width, count);
        byte[] bytes = new byte[3 + (int) Packed.length(width, count)];
        Packed.put(codes, 0, count, width, bytes, 3);
        long one = codes[random.nextInt(count)];
        long other = random.nextInt(3) == 0 ? one : random.nextLong() & last(width);
        long low = Math.min(one, other);
        long high = Math.max(one, other);
        long[] before = random.longs(Packed.groups(count)).toArray();
        long[] selection = before.clone();

        Packed.select(bytes, 3, width, count, low, high, inside, selection);

        for (int i = 0; i < count; i++) {
            boolean was = ((before[i / 64] >>> i) & 1) != 0;
            boolean in = codes[i] >= low && codes[i] <= high;
            assertThat(((selection[i / 64] >>> i) & 1) != 0)
                    .as("code %d of %d..%d", codes[i], low, high)
                    .isEqualTo(was && in == inside);
        }
    }
}
