package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class TopRecordsTest {

    @Property
    void shouldKeepTheFirstByKeysThenByArrival(
            @ForAll @Size(max = 600) List<@IntRange(min = -3, max = 3) Integer> first,
            @ForAll @IntRange(min = 1, max = 400) int capacity,
            @ForAll @IntRange(min = 1, max = 2) int width) {
        long[][] columns = new long[width][];
        for (int k = 0; k < width; k++) {
            int round = k;
            columns[k] = IntStream.range(0, first.size())
                    .mapToLong(i -> round == 0 ? first.get(i) : i % 3)
                    .toArray();
        }
        TopRecords top = new TopRecords(capacity, width);
        for (int i = 0; i < first.size(); i++) {
            top.offer(columns, i, new byte[0], i);
        }
        List<Integer> found = new ArrayList<>();
        top.drain((_, offset, _, _) -> found.add(offset));

        Comparator<Integer> order = (_, _) -> 0;
        for (long[] column : columns) {
            order = order.thenComparingLong(i -> column[i]);
        }
        assertThat(found)
                .isEqualTo(IntStream.range(0, first.size())
                        .boxed()
                        .sorted(order)
                        .limit(capacity)
                        .toList());
    }
}
