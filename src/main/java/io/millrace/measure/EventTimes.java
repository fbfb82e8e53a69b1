package io.millrace.measure;

import java.util.concurrent.TimeUnit;

/**
 * Converts the event times of records to and from milliseconds since 1970.
 *
 * @param unit unit of the records' times
 */
record EventTimes(TimeUnit unit) {

    /** Converts an event time to milliseconds, rounding down. */
    long millis(long time) {
        return switch (unit) {
            case NANOSECONDS -> Math.floorDiv(time, 1_000_000);
            case MICROSECONDS -> Math.floorDiv(time, 1_000);
            default -> unit.toMillis(time);
        };
    }

    /** Converts milliseconds to the unit of the records. */
    long ofMillis(long millis) {
        return unit.convert(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns the earliest event time, in the unit of the records, that is not before an instant in milliseconds. */
    long firstNotBefore(long millis) {
        long time = ofMillis(millis);
        return millis(time) < millis ? time + 1 : time;
    }
}
