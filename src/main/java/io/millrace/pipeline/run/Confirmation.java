package io.millrace.pipeline.run;

import io.millrace.pipeline.step.Pauses;
import java.time.Duration;

/** Tracks whether a feed waits for a confirmation that its records are stored, and for how long. Not thread-safe. */
final class Confirmation {

    private final Pauses pauses;
    private final long latencyNanos;
    private boolean due;
    /** The time at which the first batch without a confirmation arrived. */
    private long sinceNanos;

    /** @param latency how long records may wait for their confirmation while more arrive */
    Confirmation(Pauses pauses, Duration latency) {
        this.pauses = pauses;
        this.latencyNanos = latency.toNanos();
    }

    /** Notes that records have arrived. */
    void received() {
        if (!due) {
            due = true;
            sinceNanos = pauses.nanoTime();
        }
    }

    /** Returns whether records wait for a confirmation. */
    boolean isDue() {
        return due;
    }

    /** Returns whether the first records that wait have reached the maximum latency. */
    boolean isLate() {
        return pauses.nanoTime() - sinceNanos >= latencyNanos;
    }

    /** Notes that the records are confirmed, or that none will be. */
    void clear() {
        due = false;
    }
}
