package io.millrace.pipeline.step;

import java.time.Duration;

/** Pauses that end early when the pipeline stops. */
public interface Pauses {

    /**
     * Pauses the calling thread.
     *
     * @return whether the pipeline is to stop, in which case the pause may be shorter
     */
    boolean pause(Duration time);

    /** Returns the time of a monotonic clock in nanoseconds, such as {@link System#nanoTime}. */
    long nanoTime();
}
