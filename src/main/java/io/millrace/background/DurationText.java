package io.millrace.background;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Writes durations as configurations have them. Stateless. */
public final class DurationText {

    private DurationText() {}

    /** Returns a duration in the largest unit in which it is whole, such as {@code 90s}. */
    public static String of(Duration duration) {
        long nanos = duration.getNano();
        long seconds = duration.getSeconds();
        if (nanos != 0) {
            return nanos % TimeUnit.MILLISECONDS.toNanos(1) == 0
                    ? duration.toMillis() + "ms"
                    : duration.toNanos() + "ns";
        }
        if (seconds == 0 || seconds % TimeUnit.MINUTES.toSeconds(1) != 0) {
            return seconds + "s";
        }
        if (seconds % TimeUnit.HOURS.toSeconds(1) != 0) {
            return duration.toMinutes() + "m";
        }
        return seconds % TimeUnit.DAYS.toSeconds(1) != 0 ? duration.toHours() + "h" : duration.toDays() + "d";
    }
}
