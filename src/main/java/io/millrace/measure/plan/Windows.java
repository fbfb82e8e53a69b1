package io.millrace.measure.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;

/**
 * How time is divided into panes, and how many panes form a window. Times are milliseconds since 1970-01-01T00:00Z. A
 * pane includes its start and excludes its end. Immutable.
 *
 * <p>Only times from {@link #first} to {@link #last} have windows: the start and the end of each window that contains
 * such a time are greater than {@link Long#MIN_VALUE} and at most {@link Long#MAX_VALUE}.
 */
public sealed interface Windows {

    /** Returns the first time that has windows. */
    long first();

    /** Returns the last time that has windows. */
    long last();

    /** Returns the start of the pane that contains a time that has windows. */
    long startOf(long millis);

    /** Returns the end of the pane that starts at a time. */
    long endOf(long start);

    /** Returns the end of the last window that contains the pane that starts at a time. */
    long lastEndOf(long start);

    /** Returns the start of the window that ends at a time. */
    long startOfWindow(long end);

    /** Returns the number of panes in a window. */
    int panes();

    /** Returns windows of one pane each, with the same panes. */
    Windows ofOnePane();

    /** Returns the properties that configure it, by name. */
    Map<String, String> properties();

    /**
     * Windows of a fixed length, one of which ends after each pane. Panes are aligned to 1970-01-01T00:00Z.
     *
     * @param every length of a pane
     * @param panes number of panes in a window: one for tumbling windows, more for overlapping ones
     */
    record Sliding(Duration every, int panes) implements Windows {

        @Override
        public Map<String, String> properties() {
            return new TreeMap<>(Map.of(
                    "every",
                    every.toString(),
                    "window",
                    every.multipliedBy(panes).toString()));
        }

        /** The first pane is the last one of the first window. */
        @Override
        public long first() {
            long length = every.toMillis();
            long earliest = Long.MIN_VALUE + 1 + length * (panes - 1);
            return earliest + Math.floorMod(-earliest, length);
        }

        /** The last pane is the first one of the last window. */
        @Override
        public long last() {
            long length = every.toMillis();
            long latest = Long.MAX_VALUE - length * panes;
            return latest - Math.floorMod(latest, length) + length - 1;
        }

        @Override
        public long startOf(long millis) {
            return millis - Math.floorMod(millis, every.toMillis());
        }

        @Override
        public long endOf(long start) {
            return start + every.toMillis();
        }

        @Override
        public long lastEndOf(long start) {
            return start + every.toMillis() * panes;
        }

        @Override
        public long startOfWindow(long end) {
            return end - every.toMillis() * panes;
        }

        @Override
        public Windows ofOnePane() {
            return new Sliding(every, 1);
        }
    }

    /**
     * Days in a time zone, of 23 to 25 hours when daylight saving time changes.
     *
     * @param reset local time at which a day starts; if the time change skips it, the start moves by the length of the
     *     gap
     */
    record Daily(LocalTime reset, ZoneId zone) implements Windows {

        private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);
        private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

        @Override
        public Map<String, String> properties() {
            return Map.of("daily", reset + " " + zone);
        }

        @Override
        public long startOf(long millis) {
            LocalDate day =
                    Instant.ofEpochMilli(millis).atZone(zone).toLocalDate().plusDays(1);
            while (start(day) > millis) {
                day = day.minusDays(1);
            }
            return start(day);
        }

        @Override
        public long endOf(long start) {
            LocalDate day =
                    Instant.ofEpochMilli(start).atZone(zone).toLocalDate().minusDays(1);
            while (start(day) <= start) {
                day = day.plusDays(1);
            }
            return start(day);
        }

        @Override
        public long lastEndOf(long start) {
            return endOf(start);
        }

        @Override
        public long first() {
            LocalDate day = EARLIEST.atZone(zone).toLocalDate().minusDays(1);
            while (start(day) == Long.MIN_VALUE) {
                day = day.plusDays(1);
            }
            return start(day);
        }

        @Override
        public long last() {
            LocalDate day = LATEST.atZone(zone).toLocalDate().plusDays(1);
            while (start(day) == Long.MAX_VALUE) {
                day = day.minusDays(1);
            }
            return start(day) - 1;
        }

        /** Returns the start of a day; for days that start out of the range of milliseconds, the end of the range. */
        private long start(LocalDate day) {
            Instant start = day.atTime(reset).atZone(zone).toInstant();
            return start.isBefore(EARLIEST)
                    ? Long.MIN_VALUE
                    : start.isAfter(LATEST) ? Long.MAX_VALUE : start.toEpochMilli();
        }

        @Override
        public long startOfWindow(long end) {
            return startOf(end - 1);
        }

        @Override
        public int panes() {
            return 1;
        }

        @Override
        public Windows ofOnePane() {
            return this;
        }
    }
}
