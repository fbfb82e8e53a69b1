package io.millrace.aggregate;

import static io.millrace.hash.HostileKeys.longestRun;
import static io.millrace.hash.HostileKeys.withProduct;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hash.HostileKeys;
import io.millrace.hash.SeededHash;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GroupTableTest {

    private static final int KEYS = 100_000;
    /** Random keys make runs of about 100 slots in tables that are half full. */
    private static final int RUN_MAX = 1000;

    private static GroupTable tableOf(long[]... columns) {
        GroupTable table = new GroupTable(columns.length, KEYS);
        int[] groups = new int[KEYS];
        table.find(columns, 0, KEYS, groups);
        for (int i = 0; i < KEYS; i++) {
            assertThat(groups[i]).isEqualTo(i + 1);
        }
        return table;
    }

    @Test
    void shouldTakeNoMoreMemoryThanItsLimitNeeds() {
        GroupTable table = new GroupTable(2, 100, SeededHash.of(1));
        long[] numbers = LongStream.range(0, KEYS).toArray();
        table.find(new long[][] {numbers, numbers}, 0, KEYS, new int[KEYS]);
        assertThat(table.size()).isEqualTo(100);
        assertThat(table.keys()).hasSize(200);
    }

    @Property(tries = 300)
    void shouldNumberKeysInTheOrderInWhichTheyComeWhateverTheSeed(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 3) int width,
            @ForAll @IntRange(min = 1, max = 500) int limit,
            @ForAll @Size(min = 1, max = 1000) long[] numbers) {
        GroupTable table = new GroupTable(width, limit, SeededHash.of(seed));
        long[][] columns = new long[width][];
        for (int part = 0; part < width; part++) {
            int bits = 1 + 3 * part;
            columns[part] =
                    Arrays.stream(numbers).map(number -> number >>> bits).toArray();
        }
        int[] groups = new int[numbers.length];
        Map<List<Long>, Integer> expected = new HashMap<>();
        table.find(columns, 0, numbers.length, groups);
        for (int i = 0; i < numbers.length; i++) {
            int index = i;
            List<Long> key = Arrays.stream(columns).map(column -> column[index]).toList();
            if (expected.size() < limit) {
                expected.putIfAbsent(key, expected.size() + 1);
            }
            assertThat(groups[i]).isEqualTo(expected.getOrDefault(key, GroupTable.OTHERS));
        }
    }

    /** A sender that never repeats a key fills a window, and then nothing grows any more. */
    @Test
    void shouldNotGrowOnceItHoldsAsManyGroupsAsItMay() {
        int limit = 1000;
        GroupTable table = new GroupTable(1, limit);
        int[] groups = new int[KEYS];
        long[] keys = LongStream.range(0, KEYS).toArray();
        table.find(new long[][] {keys}, 0, limit, groups);
        long[] held = table.keys();
        table.find(new long[][] {keys}, limit, KEYS, groups);
        assertThat(table.size()).isEqualTo(limit);
        assertThat(table.keys()).isSameAs(held);
        assertThat(Arrays.stream(groups, limit, KEYS)).containsOnly(GroupTable.OTHERS);
    }

    @Test
    void shouldSpreadKeysWhoseProductsWithTheGoldenRatioAreSmall() {
        long[] keys = new long[KEYS];
        for (int i = 0; i < KEYS; i++) {
            keys[i] = withProduct(i);
        }
        assertThat(longestRun(tableOf(keys), "groups", 0)).isLessThan(RUN_MAX);
    }

    /** Each key is at home, but those that are missed at the first pass all homes that have no gap between them. */
    @Test
    void shouldNotPassAllGroupsForEachKeyThatHasNoPlaceAnyMore() {
        int spread = 1 << 16;
        int run = 40_000;
        // The first ones are at every fourth slot of 2^18, in an order that is even from the beginning.
        LongStream first = LongStream.range(0, spread).map(Long::reverse);
        LongStream between =
                LongStream.range(0, run).filter(slot -> slot % 4 != 0).map(slot -> slot << (Long.SIZE - 18));
        long[] keys =
                LongStream.concat(first, between).map(HostileKeys::withProduct).toArray();
        GroupTable table = new GroupTable(1, keys.length);
        int[] groups = new int[keys.length];
        table.find(new long[][] {keys}, 0, keys.length, groups);
        assertThat(longestRun(table, "groups", 0)).isEqualTo(run + 1);

        table.find(new long[][] {{withProduct(1)}}, 0, 1, groups);
        assertThat(groups[0]).isEqualTo(GroupTable.OTHERS);
        assertThat(longestRun(table, "groups", 0)).isLessThan(RUN_MAX);
        table.find(new long[][] {keys}, 0, keys.length, groups);
        assertThat(groups).containsExactly(IntStream.rangeClosed(1, keys.length).toArray());
    }

    @Test
    void shouldBeginAgainAfterKeysThatWereChosenToCollide() {
        GroupTable table = new GroupTable(1, KEYS);
        long[] keys = LongStream.range(0, 1000).map(HostileKeys::withProduct).toArray();
        for (int round = 0; round < 3; round++) {
            int[] groups = new int[keys.length];
            table.find(new long[][] {keys}, 0, keys.length, groups);
            assertThat(groups)
                    .containsExactly(IntStream.rangeClosed(1, keys.length).toArray());
            table.clear();
        }
    }

    @Test
    void shouldSpreadKeysOfTwoNumbersOfWhichTheSecondUndoesTheFirst() {
        long[] first = new long[KEYS];
        long[] second = new long[KEYS];
        for (int i = 0; i < KEYS; i++) {
            first[i] = i;
            long state = i * SeededHash.GOLDEN_RATIO;
            second[i] = state ^ (state >>> 32);
        }
        assertThat(longestRun(tableOf(first, second), "groups", 0)).isLessThan(RUN_MAX);
    }
}
