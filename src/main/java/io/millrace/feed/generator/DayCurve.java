package io.millrace.feed.generator;

import java.time.Instant;
import java.util.Arrays;

/**
 * When the events of the made-up operator happen: 21,000,000 a day, few of them at night and most at midday and in the
 * evening, so that 243 a second are the mean and 27 to 451 what there is. The first day begins at midnight in Istanbul;
 * every day is like it. The same event always has the same time, and a later one never an earlier time.
 *
 * <p>A place that is moved from event to event: cheap where they follow each other, and a search among the seconds of a
 * day where they don't. One thread's own; moving allocates nothing.
 */
public final class DayCurve {

    static final int EVENTS_A_DAY = 21_000_000;

    private static final int SECONDS_AN_HOUR = 3600;
    private static final int SECONDS_A_DAY = 24 * SECONDS_AN_HOUR;
    private static final long NANOS_A_SECOND = 1_000_000_000;

    /** Midnight of 8 November 2014 in Istanbul, two hours before that of UTC. */
    private static final long BEGIN = Instant.parse("2014-11-07T22:00:00Z").getEpochSecond();

    /** How busy the network is at each full hour of a day, from midnight to midnight; in between it changes evenly. */
    private static final int[] BUSY = {
        40, 25, 15, 10, 9, 12, 25, 50, 75, 90, 95, 105, 125, 120, 100, 98, 100, 110, 125, 140, 150, 140, 110, 70, 40
    };

    /** Numbers of the first events of a day's seconds, and of the next day's first. */
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

    /** Moves to an event, counted from 0. */
    public void moveTo(long event) {
        day = event / EVENTS_A_DAY;
        within = (int) (event % EVENTS_A_DAY);
        if (within < FIRST[second] || within >= FIRST[second + 1]) {
            int found = Arrays.binarySearch(FIRST, within);
            second = found >= 0 ? found : -found - 2;
        }
    }

    /** The second of the event's day, by Istanbul's clocks. */
    int secondOfDay() {
        return second;
    }

    /** The event's time, in seconds since 1970. */
    long epochSecond() {
        return BEGIN + day * SECONDS_A_DAY + second;
    }

    /** The event's time, in nanoseconds since 1970: events of a second are equally far apart. */
    public long epochNanos() {
        int first = FIRST[second];
        int place = within - first;
        return epochSecond() * NANOS_A_SECOND + place * NANOS_A_SECOND / (FIRST[second + 1] - first);
    }
}
