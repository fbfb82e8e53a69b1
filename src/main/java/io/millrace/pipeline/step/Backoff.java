package io.millrace.pipeline.step;

import java.time.Duration;

/** The pauses between attempts: 100 ms, then twice as long each time, up to 5 seconds. Not thread-safe. */
public final class Backoff {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private Duration next = FIRST_PAUSE;

    /** Returns the pause before the next attempt. */
    public Duration next() {
        Duration pause = next;
        Duration longer = pause.multipliedBy(2);
        next = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        return pause;
    }

    /** Begins with the shortest pause again. */
    public void reset() {
        next = FIRST_PAUSE;
    }
}
