package io.millrace.pipeline.step;

import java.time.Duration;

/** Waits that end early when the pipeline is to stop. */
public interface Pauses {

    /**
     * Waits.
     *
     * @return whether the pipeline is to stop; then it need not have waited
     */
    boolean pause(Duration time);

    /** A clock, as {@link System#nanoTime}. */
    long nanoTime();
}
