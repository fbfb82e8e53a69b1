package io.millrace.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.run.Lane;
import io.millrace.pipeline.run.LaneTask;
import io.millrace.pipeline.run.PartitionLoop.Turn;
import io.millrace.pipeline.step.Pauses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Up to 64 lanes in virtual time, each on a processor of its own: how many times faster they are than one. Only the
 * lanes are real. A partition has batches of equal cost, and a turn of one without any takes a microsecond.
 */
class LaneScalingTest {

    /** 8,192 records of 20 ns. */
    private static final long BATCH_NANOS = 160_000;

    private static final long IDLE_NANOS = 1_000;

    private final List<Fiber> fibers = new ArrayList<>();
    private @Nullable Fiber current;
    private long now;

    private final Pauses pauses = new Pauses() {
        @Override
        public boolean pause(Duration time) {
            sleep(time.toNanos());
            return false;
        }

        @Override
        public long nanoTime() {
            return now;
        }
    };

    private void sleep(long nanos) {
        Objects.requireNonNull(current).await(null, now + nanos);
    }

    /** Continues the lanes in the order of time until all have ended. */
    private void run() {
        while (!fibers.isEmpty()) {
            Fiber next = fibers.stream()
                    .min(Comparator.comparingLong(fiber -> fiber.next(-1)))
                    .orElseThrow();
            now = next.next(-1);
            current = next;
            next.resume();
            fibers.removeIf(fiber -> fiber.next(now) == Fiber.ENDED);
        }
    }

    private LaneTask partition(int batches) {
        int[] left = {batches};
        return new LaneTask(_ -> {
            if (left[0] == 0) {
                sleep(IDLE_NANOS);
                return Turn.ENDED;
            }
            sleep(BATCH_NANOS);
            left[0]--;
            return Turn.WORKED;
        });
    }

    /** Returns the number of batches of each partition: equal, or in inverse proportion to its number. */
    private static int[] batches(int partitions, boolean skewed, int ofAll) {
        double sum = skewed
                ? IntStream.rangeClosed(1, partitions).mapToDouble(i -> 1.0 / i).sum()
                : partitions;
        return IntStream.rangeClosed(1, partitions)
                .map(i -> (int) Math.ceil(ofAll / sum / (skewed ? i : 1)))
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({
        // lanes, partitions, skewed, least share of what is possible
        "2, 16, false, 0.98",
        "2, 16, true, 0.8",
        "16, 16, false, 0.98",
        "16, 64, true, 0.85",
        "64, 64, false, 0.98",
        "64, 96, false, 0.98",
        "64, 1024, false, 0.98",
        "64, 64, true, 0.95",
        "64, 1024, true, 0.9"
    })
    void shouldBeNearlyAsFastAsTheirNumberOrTheLargestPartitionAllows(
            int lanes, int partitions, boolean skewed, double leastShare) {
        int[] batches = batches(partitions, skewed, 64_000);
        List<LaneTask> tasks = IntStream.of(batches).mapToObj(this::partition).toList();
        List<Lane> running = IntStream.range(0, lanes)
                .mapToObj(i -> new Lane("lane-" + i, tasks, pauses))
                .toList();
        for (int i = 0; i < partitions; i++) {
            tasks.get(i).assign(running.get(i % lanes));
        }
        running.forEach(lane -> fibers.add(new Fiber("lane", null, 0, lane::run)));
        run();
        double all = IntStream.of(batches).sum();
        double possible = Math.min(lanes, all / IntStream.of(batches).max().orElseThrow());
        double speedUp = all * BATCH_NANOS / now;
        assertThat(speedUp / possible).isBetween(leastShare, 1.001);
    }
}
