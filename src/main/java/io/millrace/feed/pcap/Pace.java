package io.millrace.feed.pcap;

import java.util.function.LongSupplier;

/**
 * Says when a record is due that was captured some time after the first: as much later, or so many times sooner. Not
 * thread-safe.
 */
final class Pace {

    private final double speed;
    private final LongSupplier clock;
    private boolean begun;
    private long beganNanos;
    private long firstNanos;

    /**
     * @param speed how many seconds of the capture pass in one
     * @param clock a time that grows, in nanoseconds
     */
    Pace(double speed, LongSupplier clock) {
        this.speed = speed;
        this.clock = clock;
    }

    /**
     * How long until a record is due, in nanoseconds; zero or less where it is. The first that this is asked for is due
     * at once.
     *
     * @param capturedNanos when it was captured
     */
    long waitNanos(long capturedNanos) {
        long now = clock.getAsLong();
        if (!begun) {
            begun = true;
            beganNanos = now;
            firstNanos = capturedNanos;
        }
        return (long) ((capturedNanos - firstNanos) / speed) - (now - beganNanos);
    }
}
