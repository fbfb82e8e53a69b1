package io.millrace.background;

import java.util.concurrent.TimeUnit;

/** Limits log lines that senders can cause to one a minute for each kind of event. Thread-safe. */
public final class LogLimit {

    /** Returned by {@link #next} for an event that must not be logged. */
    public static final long LEFT_OUT = -1;

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private boolean logged;
    private long loggedNanos;
    private long suppressed;

    /**
     * Counts an event.
     *
     * @param nanos current time in nanoseconds, such as {@link System#nanoTime}
     * @return number of events suppressed since the last one that was logged, or {@link #LEFT_OUT}
     */
    public synchronized long next(long nanos) {
        if (logged && nanos - loggedNanos < INTERVAL_NANOS) {
            suppressed++;
            return LEFT_OUT;
        }
        long suppressedBefore = suppressed;
        logged = true;
        loggedNanos = nanos;
        suppressed = 0;
        return suppressedBefore;
    }
}
