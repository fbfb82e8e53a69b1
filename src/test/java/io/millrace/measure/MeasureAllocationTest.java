package io.millrace.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.Calls.Call;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What it costs to take a record once there has been room for as many groups: nothing. */
class MeasureAllocationTest {

    private static final Instant NOW = Instant.parse("2026-03-29T12:00:00Z");
    private static final int ROUNDS = 500;

    private static long allocatedPerRound(List<String> by, String... values) {
        MeasurePlan plan = Plans.plan(
                Plans.definition(
                        by, Plans.values(values), new Windows.Sliding(Duration.ofHours(1), 3), "time", 1000, 1000),
                Calls.SCHEMA);
        Measure measure = new Measure(plan, InstantSource.fixed(NOW), closed -> {});
        Random random = new Random(1);
        List<Call> calls = IntStream.range(0, 2048)
                .mapToObj(i -> Calls.random(random, NOW.toEpochMilli(), 500, 100))
                .toList();
        RecordBatch batch = Calls.batch(Calls.SCHEMA, calls, 0, calls.size());
        for (int i = 0; i < 2 * ROUNDS; i++) {
            measure.take(batch, 0);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
            measure.take(batch, 0);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(measure.counts().counted().get()).isGreaterThan(3L * ROUNDS * 1900);
        return allocated / ROUNDS;
    }

    @Test
    void shouldAllocateNothingForARecord() {
        assertThat(allocatedPerRound(
                        List.of("cell", "district"),
                        "calls",
                        "count()",
                        "dropped",
                        "count(ended == 'dropped')",
                        "cost",
                        "sum(cost)",
                        "least",
                        "min(cost)",
                        "mean",
                        "avg(volume)"))
                .isLessThan(10);
    }

    @Test
    void shouldAllocateNextToNothingForSketches() {
        long records = 2048;
        assertThat(allocatedPerRound(
                        List.of("district"), "different", "distinct(cost)", "median", "quantile(volume, 0.5)"))
                .isLessThan(records / 4);
    }
}
