package io.millrace.measure.window;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.MeasurePlan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a measure without event time makes of records.
 *
 * @param rows of its open window
 * @param failed number of records without a result
 */
public record Measured(List<Map<String, @Nullable Object>> rows, long failed) {

    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-26T12:00:00Z"));
    private static final int MAX_ROWS = 1000;

    public static Measured of(MeasurePlan plan, RecordBatch batch) {
        Measure measure = new Measure(plan, CLOCK, _ -> {});
        measure.take(batch, 0);
        OpenWindow open = measure.current(MAX_ROWS);
        List<Map<String, @Nullable Object>> rows = open == null
                ? List.of()
                : IntStream.range(0, open.window().count())
                        .mapToObj(row -> plan.decode(open.window(), row))
                        .toList();
        return new Measured(rows, measure.counts().failed().get());
    }
}
