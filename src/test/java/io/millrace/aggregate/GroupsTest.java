package io.millrace.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Schemas;
import java.math.BigInteger;
import java.util.HashMap;
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

    private static AggregateLayout sums() {
        AggregateLayout layout = new AggregateLayout();
        ExpressionCompiler compiler = new ExpressionCompiler(Schemas.builtIn().get("trade"));
        GroupAggregate.count(layout);
        for (String figure : List.of("sum(id)", "min(id)", "max(id)")) {
            GroupAggregate.of(figure, compiler, layout);
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
            one.take(one.find(new long[][] {{7}}, 0, 1), new long[][] {{number}}, 0, 1);
            expected = expected.add(BigInteger.valueOf(number));
        }
        groups.merge(others);

        AggregateLayout layout = sums();
        ExpressionCompiler compiler = new ExpressionCompiler(Schemas.builtIn().get("trade"));
        int group = groups.width();
        assertThat(groups.size()).isOne();
        assertThat(GroupAggregate.of("count()", compiler, layout).value(groups.figures(), group))
                .isEqualTo(6L);
        assertThat(GroupAggregate.of("sum(id)", compiler, layout).value(groups.figures(), group))
                .isEqualTo(expected);
        assertThat(GroupAggregate.of("min(id)", compiler, layout).value(groups.figures(), group))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(GroupAggregate.of("max(id)", compiler, layout).value(groups.figures(), group))
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
        java.util.Arrays.setAll(numbers, i -> random.nextBoolean() ? i : random.nextLong());
        for (long[] column : keys) {
            java.util.Arrays.setAll(column, i -> numbers[random.nextInt(different)]);
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
                groups.take(found, new long[0][], from, to);
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
                assertThat(groups.figures()[group * groups.width() + countAt])
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
}
