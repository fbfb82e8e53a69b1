package io.millrace.measure.window;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Converts the event times of records to and from milliseconds since 1970.
 *
 * @param unit unit of the records' times
 */
record EventTimes(TimeUnit unit) {

    /**
     * Converts an event time between {@link #firstNotBefore} and {@link #lastBefore} to milliseconds, rounding down.
     */
    long millis(long time) {
        return switch (unit) {
            case NANOSECONDS -> Math.floorDiv(time, 1_000_000);
            case MICROSECONDS -> Math.floorDiv(time, 1_000);
            default -> unit.toMillis(time);
        };
    }

    /**
     * Returns the earliest event time, in the unit of the records, that is not before an instant in milliseconds; the
     * nearest time if the unit cannot express it.
     */
    long firstNotBefore(long millis) {
        long time = unit.convert(millis, TimeUnit.MILLISECONDS);
        return millis(time) < millis && time < Long.MAX_VALUE ? time + 1 : time;
    }

    /**
     * Returns the latest event time, in the unit of the records, that is before an instant in milliseconds; the nearest
     * time if the unit cannot express it.
     */
    long lastBefore(long millis) {
        long time = firstNotBefore(millis);
        return millis(time) < millis || time == Long.MIN_VALUE ? time : time - 1;
    }

    /** Returns an event time as an instant if possible. */
    String text(long time) {
        if (unit == TimeUnit.SECONDS && (time < Instant.MIN.getEpochSecond() || time > Instant.MAX.getEpochSecond())) {
            return time + " seconds since 1970";
        }
        return Instant.EPOCH.plus(time, unit.toChronoUnit()).toString();
    }
}
