package io.millrace.feed.generator;

import java.time.Instant;
import java.util.Arrays;

/**
 * The times of the events of a fictitious operator: 21,000,000 a day, few at night and most at midday and in the
 * evening, so that the rate ranges from 27 to 451 a second with a mean of 243. The first day starts at midnight in
 * Istanbul; all days are equal. Times are deterministic and never decrease from one event to the next.
 *
 * <p>The instance is a cursor: moving to the next event is cheap, moving elsewhere is a binary search among the seconds
 * of a day. Not thread-safe; moving allocates nothing.
 */
public final class DayCurve {

    static final int EVENTS_A_DAY = 21_000_000;

    private static final int SECONDS_AN_HOUR = 3600;
    private static final int SECONDS_A_DAY = 24 * SECONDS_AN_HOUR;
    private static final long NANOS_A_SECOND = 1_000_000_000;

    /** Midnight of 8 November 2014 in Istanbul, two hours before midnight UTC. */
    private static final long BEGIN = Instant.parse("2014-11-07T22:00:00Z").getEpochSecond();

    /** Relative traffic at each full hour of a day, from midnight to midnight; interpolated linearly in between. */
    private static final int[] BUSY = {
        40, 25, 15, 10, 9, 12, 25, 50, 75, 90, 95, 105, 125, 120, 100, 98, 100, 110, 125, 140, 150, 140, 110, 70, 40
    };

    /** Number of the first event of each second of a day, and of the next day's first second. */
    private static final int[] FIRST = firsts();

    private long day;
    private int second;
    private int within;

    private static int[] firsts() {
        long[] before = new long[SECONDS_A_DAY + 1];
        for (int i = 0; i < SECONDS_A_DAY; i++) {
            int hour = i / SECONDS_AN_HOUR;
            int part = i % SECONDS_AN_HOUR;
            int busy = BUSY[hour] * (SECONDS_AN_HOUR - part) + BUSY[hour + 1] * part;
            before[i + 1] = before[i] + busy;
        }
        int[] firsts = new int[SECONDS_A_DAY + 1];
        Arrays.setAll(firsts, i -> (int) (before[i] * EVENTS_A_DAY / before[SECONDS_A_DAY]));
        return firsts;
    }

    /** Moves to an event, numbered from 0 on. */
    public void moveTo(long event) {
        day = event / EVENTS_A_DAY;
        within = (int) (event % EVENTS_A_DAY);
        if (within < FIRST[second] || within >= FIRST[second + 1]) {
            int index = Arrays.binarySearch(FIRST, within);
            second = index >= 0 ? index : -index - 2;
        }
    }

    /** Returns the second of the event's day, in local time of Istanbul. */
    int secondOfDay() {
        return second;
    }

    /** Returns the event's time in seconds since 1970. */
    long epochSecond() {
        return BEGIN + day * SECONDS_A_DAY + second;
    }

    /** Returns the event's time in nanoseconds since 1970; events within a second are evenly spaced. */
    public long epochNanos() {
        int first = FIRST[second];
        int ordinal = within - first;
        return epochSecond() * NANOS_A_SECOND + ordinal * NANOS_A_SECOND / (FIRST[second + 1] - first);
    }
}
