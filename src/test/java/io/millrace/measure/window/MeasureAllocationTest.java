package io.millrace.measure.window;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.Calls;
import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Windows;
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
    private static final int ATTEMPTS = 40;
    private static final int RECORDS = 2048;

    /** Bytes for all records of a round together. */
    private static final long NEXT_TO_NOTHING = RECORDS / 16;

    private static final long FOR_SKETCHES = RECORDS / 4;

    /** @param enough with fewer bytes than this the looking ends */
    private static long allocatedPerRound(long enough, List<String> by, String... values) {
        MeasurePlan plan = Plans.plan(
                Plans.definition(
                        by, Plans.values(values), new Windows.Sliding(Duration.ofHours(1), 3), "time", 1000, 1000),
                Calls.SCHEMA);
        Measure measure = new Measure(plan, InstantSource.fixed(NOW), closed -> {});
        Random random = new Random(1);
        List<Call> calls = IntStream.range(0, RECORDS)
                .mapToObj(i -> Calls.random(random, NOW.toEpochMilli(), 500, 100))
                .toList();
        RecordBatch batch = Calls.batch(Calls.SCHEMA, calls, 0, calls.size());
        for (int i = 0; i < 2 * ROUNDS; i++) {
            measure.take(batch, 0);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        // On a busy machine the compiler may take its time.
        for (int attempt = 0; attempt < ATTEMPTS && least >= enough; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                measure.take(batch, 0);
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS);
        }
        assertThat(measure.counts().counted().get()).isGreaterThan(3L * ROUNDS * 1900);
        return least;
    }

    @Test
    void shouldAllocateNothingForARecord() {
        assertThat(allocatedPerRound(
                        NEXT_TO_NOTHING,
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
                .isLessThan(NEXT_TO_NOTHING);
    }

    @Test
    void shouldAllocateNextToNothingForSketches() {
        assertThat(allocatedPerRound(
                        FOR_SKETCHES,
                        List.of("district"),
                        "different",
                        "distinct(cost)",
                        "median",
                        "quantile(volume, 0.5)"))
                .isLessThan(FOR_SKETCHES);
    }
}
