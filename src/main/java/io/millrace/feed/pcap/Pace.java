package io.millrace.feed.pcap;

import java.util.function.LongSupplier;

/**
 * Schedules records by their time of capture: each as long after the first as it was captured, divided by the speed.
 * Not thread-safe.
 */
final class Pace {

    private final double speed;
    private final LongSupplier clock;
    private boolean started;
    private long startNanos;
    private long firstCapturedNanos;

    /**
     * @param speed seconds of capture time per second
     * @param clock monotonic time in nanoseconds
     */
    Pace(double speed, LongSupplier clock) {
        this.speed = speed;
        this.clock = clock;
    }

    /**
     * Returns the time until a record is due, in nanoseconds; zero or less if it is due. The record of the first call
     * is due at once.
     *
     * @param capturedNanos time of capture of the record
     */
    long waitNanos(long capturedNanos) {
        long now = clock.getAsLong();
        if (!started) {
            started = true;
            startNanos = now;
            firstCapturedNanos = capturedNanos;
        }
        return (long) ((capturedNanos - firstCapturedNanos) / speed) - (now - startNanos);
    }
}
