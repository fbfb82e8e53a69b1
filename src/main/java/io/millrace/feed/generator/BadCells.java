package io.millrace.feed.generator;

import java.time.LocalTime;
import java.util.List;

/**
 * The share of the sessions ending in a cell that are dropped: one in a hundred, but more in some cells during a
 * period, every day at the same local time of Istanbul. Immutable; reading allocates nothing.
 */
final class BadCells {

    private static final int USUAL_PERCENT = 1;

    private static final List<BadTime> BAD_TIMES = List.of(
            badTime(137, "10:00", "17:30", 50),
            badTime(29, "20:15", "20:45", 70),
            badTime(412, "07:30", "09:00", 60),
            badTime(1033, "12:15", "13:05", 40),
            badTime(1780, "19:00", "22:30", 35),
            badTime(2291, "02:00", "05:30", 80));

    /** For each cell one more than the index of its bad time, or 0: small, so that it stays in the fastest cache. */
    private final byte[] byCell;

    /** A period from one second of the day to another, exclusive. */
    private record BadTime(int cell, int from, int to, int percent) {}

    /** @param cells number of cells, numbered from 1 on */
    BadCells(int cells) {
        byCell = new byte[cells + 1];
        for (int i = 0; i < BAD_TIMES.size(); i++) {
            byCell[BAD_TIMES.get(i).cell()] = (byte) (i + 1);
        }
    }

    private static BadTime badTime(int cell, String from, String to, int percent) {
        return new BadTime(
                cell, LocalTime.parse(from).toSecondOfDay(), LocalTime.parse(to).toSecondOfDay(), percent);
    }

    /** Returns the percentage of the sessions ending in a cell at a second of the day that are dropped. */
    int dropPercent(int cell, int secondOfDay) {
        int index = byCell[cell] - 1;
        if (index < 0) {
            return USUAL_PERCENT;
        }
        BadTime time = BAD_TIMES.get(index);
        return secondOfDay >= time.from() && secondOfDay < time.to() ? time.percent() : USUAL_PERCENT;
    }
}
