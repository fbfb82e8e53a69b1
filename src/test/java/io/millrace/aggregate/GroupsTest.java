package io.millrace.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GroupsTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");

    /** The columns of a layout for a trade with a number. */
    private static ColumnValues[] values(AggregateLayout layout, long id) {
        byte[] trade = new byte[TRADE.recordLength()];
        RawBytes.putLong(trade, Objects.requireNonNull(TRADE.field("id")).offset(), id);
        RecordBatch batch = new RecordBatch(TRADE).fill(trade, 0, 1, 0, trade.length);
        ColumnValues[] values = layout.columns().stream().map(ColumnValues::new).toArray(ColumnValues[]::new);
        for (ColumnValues column : values) {
            column.fill(batch, (_, _, reason) -> fail(reason.detail()));
        }
        return values;
    }

    private static AggregateLayout sums() {
        AggregateLayout layout = new AggregateLayout();
        ExpressionCompiler compiler = new ExpressionCompiler(TRADE);
        GroupAggregate.count(layout);
        for (String aggregate : List.of("sum(id)", "min(id)", "max(id)")) {
            GroupAggregate.of(aggregate, TRADE, compiler, layout);
        }
        return layout;
    }

    @Test
    void shouldSumExactlyWhereNoLongHoldsTheSum() {
        Groups groups = new Groups(1, sums(), 10);
        Groups others = new Groups(1, sums(), 10);
        BigInteger expected = BigInteger.ZERO;
        for (long number : new long[] {Long.MAX_VALUE, Long.MAX_VALUE, -5, Long.MIN_VALUE, Long.MAX_VALUE, 1}) {
            Groups one = number < 0 ? others : groups;
            one.take(one.find(new long[][] {{7}}, 0, 1), values(sums(), number), 0, 1);
            expected = expected.add(BigInteger.valueOf(number));
        }
        groups.merge(others);

        AggregateLayout layout = sums();
        ExpressionCompiler compiler = new ExpressionCompiler(TRADE);
        int group = groups.width();
        assertThat(groups.size()).isOne();
        assertThat(GroupAggregate.of("count()", TRADE, compiler, layout).value(groups.accumulators(), group))
                .isEqualTo(6L);
        assertThat(GroupAggregate.of("sum(id)", TRADE, compiler, layout).value(groups.accumulators(), group))
                .isEqualTo(expected);
        assertThat(GroupAggregate.of("min(id)", TRADE, compiler, layout).value(groups.accumulators(), group))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(GroupAggregate.of("max(id)", TRADE, compiler, layout).value(groups.accumulators(), group))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Property(tries = 100)
    void shouldCountGroupsAsAMapDoesAndTheRestTogether(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 3) int width,
            @ForAll @IntRange(min = 1, max = 3000) int different,
            @ForAll @IntRange(min = 1, max = 2000) int limit) {
        Random random = new Random(seed);
        int records = 5000;
        long[][] keys = new long[width][records];
        long[] numbers = new long[different];
        Arrays.setAll(numbers, i -> random.nextBoolean() ? i : random.nextLong());
        for (long[] column : keys) {
            Arrays.setAll(column, i -> numbers[random.nextInt(different)]);
        }
        AggregateLayout layout = new AggregateLayout();
        int countAt = layout.at(Operation.COUNT);
        Groups groups = new Groups(width, layout, limit);
        Map<List<Long>, Integer> numbered = new HashMap<>();
        Map<Integer, Long> counts = new HashMap<>();
        for (int round = 0; round < 2; round++) {
            for (int from = 0; from < records; from += 700) {
                int to = Math.min(records, from + 700);
                int[] found = groups.find(keys, from, to);
                groups.take(found, new ColumnValues[0], from, to);
                for (int i = from; i < to; i++) {
                    int index = i;
                    List<Long> key = IntStream.range(0, width)
                            .mapToObj(part -> keys[part][index])
                            .toList();
                    if (numbered.size() < limit) {
                        numbered.putIfAbsent(key, numbered.size() + 1);
                    }
                    int group = numbered.getOrDefault(key, GroupTable.OTHERS);
                    assertThat(found[i]).isEqualTo(group);
                    counts.merge(group, 1L, Long::sum);
                }
            }
            assertThat(groups.size()).isEqualTo(numbered.size());
            for (int group = 0; group <= groups.size(); group++) {
                assertThat(groups.accumulators()[group * groups.width() + countAt])
                        .isEqualTo(counts.getOrDefault(group, 0L));
            }
            numbered.forEach((key, group) -> {
                for (int part = 0; part < width; part++) {
                    assertThat(groups.table().keys()[groups.table().keyAt(group) + part])
                            .isEqualTo(Objects.requireNonNull(key.get(part)));
                }
            });
            groups.clear();
            numbered.clear();
            counts.clear();
        }
    }

    /** Several groups of keys, of which some are merged and some are subtracted again, against a map of counts. */
    @Property(tries = 100)
    void shouldMergeAndSubtractAsAMapDoes(
            @ForAll long seed,
            @ForAll @IntRange(max = 3) int width,
            @ForAll @IntRange(min = 1, max = 1500) int different,
            @ForAll @IntRange(min = 1, max = 1500) int limit) {
        Random random = new Random(seed);
        AggregateLayout layout = new AggregateLayout();
        int countAt = layout.at(Operation.COUNT);
        Groups all = new Groups(width, layout, limit);
        List<Groups> parts = new ArrayList<>();
        Map<List<Long>, Integer> numbered = new LinkedHashMap<>();
        Map<Integer, Long> counts = new HashMap<>();
        for (int part = 0; part < 4; part++) {
            Groups groups = new Groups(width, layout, limit);
            int records = random.nextInt(2000);
            long[][] keys = new long[width][records];
            for (long[] column : keys) {
                Arrays.setAll(column, i -> random.nextInt(different) * 0x1_0000_0001L);
            }
            groups.take(groups.find(keys, 0, records), new ColumnValues[0], 0, records);

            int[] here = all.merge(groups);

            parts.add(groups);
            assertThat(here).hasSize(groups.size() + 1);
            assertThat(here[0]).isEqualTo(GroupTable.OTHERS);
            for (int group = 1; group <= groups.size(); group++) {
                List<Long> key = key(groups, group);
                if (numbered.size() < limit) {
                    numbered.putIfAbsent(key, numbered.size() + 1);
                }
                assertThat(here[group]).isEqualTo(numbered.getOrDefault(key, GroupTable.OTHERS));
            }
            for (int group = 0; group <= groups.size(); group++) {
                counts.merge(here[group], groups.accumulators()[group * groups.width() + countAt], Long::sum);
            }
        }
        for (Groups taken : parts.subList(0, random.nextInt(parts.size()))) {
            all.takeAway(taken);
            for (int group = 0; group <= taken.size(); group++) {
                int here = group == 0 ? 0 : numbered.getOrDefault(key(taken, group), GroupTable.OTHERS);
                counts.merge(here, -taken.accumulators()[group * taken.width() + countAt], Long::sum);
            }
        }
        assertThat(all.size()).isEqualTo(numbered.size());
        for (int group = 0; group <= all.size(); group++) {
            assertThat(all.accumulators()[group * all.width() + countAt]).isEqualTo(counts.getOrDefault(group, 0L));
        }
    }

    private static List<Long> key(Groups groups, int group) {
        int at = groups.table().keyAt(group);
        return Arrays.stream(groups.table().keys(), at, at + groups.table().width())
                .boxed()
                .toList();
    }
}
