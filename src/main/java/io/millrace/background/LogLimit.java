package io.millrace.background;

import java.util.concurrent.TimeUnit;

/** Bounds log lines that senders cause: of one kind of event, one a minute is logged. Thread-safe. */
public final class LogLimit {

    /** What {@link #next} returns for an event that is not to be logged. */
    public static final long LEFT_OUT = -1;

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private boolean logged;
    private long loggedNanos;
    private long leftOut;

    /**
     * Counts an event.
     *
     * @param nanos the time now, of any origin
     * @return how many events were left out since the last one that was logged, or {@link #LEFT_OUT}
     */
    public synchronized long next(long nanos) {
        if (logged && nanos - loggedNanos < INTERVAL_NANOS) {
            leftOut++;
            return LEFT_OUT;
        }
        long since = leftOut;
        logged = true;
        loggedNanos = nanos;
        leftOut = 0;
        return since;
    }
}
