package io.millrace.store.geode.expiry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time between two runs of expiry for a region. Stateless. */
final class ExpiryInterval {

    /** Minimum time between two runs for a region. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Runs per maximum age: values expire with a delay that is small compared to the age. */
    private static final int RUNS_PER_AGE = 20;

    private ExpiryInterval() {}

    /** Returns the interval between runs for a maximum age, or the longest interval if there is no maximum age. */
    static Duration of(@Nullable Duration age) {
        Duration part = age == null ? LONGEST : age.dividedBy(RUNS_PER_AGE);
        return part.compareTo(SHORTEST) < 0 ? SHORTEST : part.compareTo(LONGEST) > 0 ? LONGEST : part;
    }
}
