package io.millrace.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The range of numbers, next to that of a stream over all of them. */
class NumberRangeTest {

    private static final int ROUNDS = 20_000;
    private static final long[] EDGES = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        Long.MIN_VALUE / 2,
        -1,
        0,
        1,
        Long.MAX_VALUE / 2,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };

    private final NumberRange range = new NumberRange();

    @Test
    void shouldBeTheRangeOfAllNumbers() {
        Random random = new Random(21);
        for (int round = 0; round < ROUNDS; round++) {
            long[] numbers = numbers(random);
            range.clear();
            for (int start = 0, end; start < numbers.length; start = end) {
                end = Math.min(numbers.length, start + random.nextInt(1 + numbers.length));
                range.include(numbers, start, end);
            }
            check(Arrays.stream(numbers));
            assertThat(range.hasAbsent()).isFalse();
        }
    }

    @Test
    void shouldLeaveOutAbsentValues() {
        Random random = new Random(22);
        for (int round = 0; round < ROUNDS; round++) {
            long[] numbers = numbers(random);
            long absent = EDGES[random.nextInt(EDGES.length)];
            range.clear();
            for (int start = 0, end; start < numbers.length; start = end) {
                end = Math.min(numbers.length, start + random.nextInt(1 + numbers.length));
                range.include(numbers, start, end, absent);
            }
            check(Arrays.stream(numbers).filter(number -> number != absent));
            assertThat(range.hasAbsent()).isEqualTo(Arrays.stream(numbers).anyMatch(number -> number == absent));
        }
    }

    private static long[] numbers(Random random) {
        long[] numbers = new long[random.nextInt(40)];
        int kind = random.nextInt(4);
        long start = EDGES[random.nextInt(EDGES.length)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = switch (kind) {
                case 0 -> EDGES[random.nextInt(EDGES.length)];
                case 1 -> start;
                case 2 -> start + random.nextInt(-3, 4) + i;
                default -> random.nextLong();
            };
        }
        return numbers;
    }

    private void check(LongStream expected) {
        long[] present = expected.sorted().toArray();
        assertThat(range.any()).isEqualTo(present.length > 0);
        if (present.length > 0) {
            assertThat(range.min()).isEqualTo(present[0]);
            assertThat(range.max()).isEqualTo(present[present.length - 1]);
        }
    }
}
