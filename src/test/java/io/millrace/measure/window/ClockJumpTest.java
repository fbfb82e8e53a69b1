package io.millrace.measure.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.background.SteadyClock;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.Calls;
import io.millrace.measure.plan.Calls.Call;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of processing time on a machine whose clock jumps, with a record each second. */
class ClockJumpTest {

    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int WINDOW_SECONDS = 10;
    private static final RecordBatch RECORD =
            Calls.batch(Calls.SCHEMA, List.of(new Call(null, 1, "District 1", 100L, 1.0, false)), 0, 1);
    private static final MeasurePlan PLAN = Plans.plan(
            Plans.definition(
                    List.of("cell"),
                    Plans.values("calls", "count()"),
                    new Windows.Sliding(Duration.ofSeconds(WINDOW_SECONDS), 1),
                    null,
                    0,
                    10),
            Calls.SCHEMA);

    /** By how much the clock of the machine is wrong. */
    private Duration wrong = Duration.ZERO;

    /** The seconds that have really passed. */
    private long passed;

    /** The number of records of each closed window, by the second at which it ends. */
    private final Map<Long, Long> closed = new TreeMap<>();

    private Measure measure = newProcess();

    private Measure newProcess() {
        InstantSource machine = () -> START.plusSeconds(passed).plus(wrong);
        return new Measure(
                PLAN, new SteadyClock(machine, () -> passed * 1_000_000_000), window -> count(window.window()));
    }

    private void count(Window window) {
        long end = (window.end() - START.toEpochMilli()) / 1000;
        long calls = (Long) Objects.requireNonNull(PLAN.decode(window, 0).get("calls"));
        assertThat(closed.put(end, calls)).as("closed before").isNull();
    }

    private void pass(Duration time) {
        for (long end = passed + time.toSeconds(); passed < end; passed++) {
            measure.take(RECORD, 0);
        }
        measure.checkClock();
    }

    private void restart() throws IOException {
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        measure.write(new DataOutputStream(state));
        measure = newProcess();
        measure.read(new DataInputStream(new ByteArrayInputStream(state.toByteArray())));
    }

    private void requireAllWindows() {
        Map<Long, Long> expected = new TreeMap<>();
        for (long end = WINDOW_SECONDS; end <= passed; end += WINDOW_SECONDS) {
            expected.put(end, (long) WINDOW_SECONDS);
        }
        assertThat(closed).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void shouldCloseWindowsWhileTheClockIsAnHourWrongAndAfterwards(long hours) {
        pass(Duration.ofSeconds(34));
        wrong = HOUR.multipliedBy(hours);
        pass(Duration.ofSeconds(8));
        requireAllWindows();
        wrong = Duration.ZERO;
        pass(Duration.ofSeconds(58));
        requireAllWindows();
    }

    @Test
    void shouldCloseWindowsAfterARestartThoughTheClockWasAnHourAhead() throws IOException {
        pass(Duration.ofSeconds(34));
        wrong = HOUR;
        pass(Duration.ofSeconds(8));
        wrong = Duration.ZERO;
        restart();
        pass(Duration.ofSeconds(58));
        requireAllWindows();
    }

    /** A wrong clock at the start of a process can't be detected. */
    @Test
    void shouldCountAllRecordsThoughItWasStartedWithAClockThatWasAnHourAhead() throws IOException {
        wrong = HOUR;
        restart();
        pass(Duration.ofSeconds(34));
        wrong = Duration.ZERO;
        restart();
        pass(HOUR.minusSeconds(1));
        assertThat(closed.keySet()).as("windows wait for the clock").containsExactly(3610L, 3620L, 3630L);
        pass(Duration.ofSeconds(60));
        assertThat(closed.keySet()).hasSizeGreaterThan(6);
        assertThat(closed.values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(passed - passed % WINDOW_SECONDS);
    }
}
