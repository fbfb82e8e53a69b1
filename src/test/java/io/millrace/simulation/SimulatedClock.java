package io.millrace.simulation;

import java.time.Instant;
import java.time.InstantSource;

/** The time of day of a host, which is set back and forth and drifts, unlike the monotonic time of the simulation. */
public final class SimulatedClock implements InstantSource {

    private static final long START_SECONDS = 1_800_000_000L;
    private static final long SMALL_STEP_NANOS = 900_000_000L;
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    /** As far as NTP lets a clock drift. */
    private static final long MAX_DRIFT_PER_MILLION = 500;

    private final Simulation simulation;
    private long offset;
    private long driftPerMillion;
    private long driftsSince;

    SimulatedClock(Simulation simulation) {
        this.simulation = simulation;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(START_SECONDS).plusNanos(simulation.now() + offset + drifted());
    }

    private long drifted() {
        return (simulation.now() - driftsSince) / 1_000_000 * driftPerMillion;
    }

    /** Sets the clock to another time, or to the right one, or lets it drift. */
    void change() {
        offset += drifted();
        driftsSince = simulation.now();
        driftPerMillion = 0;
        if (Math.abs(offset) >= HOUR_NANOS && simulation.oneIn(2)) {
            offset = 0;
            return;
        }
        switch (simulation.random().nextInt(6)) {
            case 0 -> offset += SMALL_STEP_NANOS;
            case 1 -> offset -= SMALL_STEP_NANOS;
            case 2 -> offset += HOUR_NANOS;
            case 3 -> offset -= HOUR_NANOS;
            case 4 -> driftPerMillion = simulation.oneIn(2) ? MAX_DRIFT_PER_MILLION : -MAX_DRIFT_PER_MILLION;
            default -> offset = 0;
        }
    }

    /** Sets the clock to the right time. */
    void correct() {
        offset = 0;
        driftPerMillion = 0;
    }
}
