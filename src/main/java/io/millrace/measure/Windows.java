package io.millrace.measure;

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
 */
public sealed interface Windows {

    /** Returns the start of the pane that contains a time. */
    long startOf(long millis);

    /** Returns the end of the pane that starts at a time. */
    long endOf(long start);

    /** Returns the number of panes in a window. */
    int panes();

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

        @Override
        public long startOf(long millis) {
            long length = every.toMillis();
            return Math.floorDiv(millis, length) * length;
        }

        @Override
        public long endOf(long start) {
            return start + every.toMillis();
        }
    }

    /**
     * Days in a time zone, of 23 to 25 hours when daylight saving time changes.
     *
     * @param reset local time at which a day starts; if the time change skips it, the start moves by the length of the
     *     gap
     */
    record Daily(LocalTime reset, ZoneId zone) implements Windows {

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

        private long start(LocalDate day) {
            return day.atTime(reset).atZone(zone).toInstant().toEpochMilli();
        }

        @Override
        public int panes() {
            return 1;
        }
    }
}
