package io.millrace.measure;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;

/**
 * How time is cut into panes, and how many panes make a window. Times are milliseconds since 1970-01-01T00:00Z; a pane
 * holds its start and not its end. Immutable.
 */
public sealed interface Windows {

    /** Where the pane begins that a time lies in. */
    long startOf(long millis);

    /** Where the pane ends that begins at a time. */
    long endOf(long start);

    /** How many panes make a window. */
    int panes();

    /** The properties that configure it, by name. */
    Map<String, String> properties();

    /**
     * Windows of one length, one of which ends every so many milliseconds; counted from 1970 on.
     *
     * @param every how long a pane is
     * @param panes how many make a window: with one, windows follow each other; with more, they overlap
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
     * Days by the clocks of a zone, of 23 to 25 hours where these are changed.
     *
     * @param reset when a day begins; where the clocks skip that time, as much later
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
