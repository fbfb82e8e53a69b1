package io.millrace.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;

/** How many answers of each place were compared. Not thread-safe. */
final class CaseCounts {

    private final Map<String, Integer> compared = new TreeMap<>();
    private int all;
    private int beyond;

    /**
     * Counts expressions or aggregates that were compared in a place.
     *
     * @param partly whether some records have no result because of the limits of numbers
     */
    void add(Object place, int cases, boolean partly) {
        compared.merge(place.toString(), cases, Integer::sum);
        all += cases;
        beyond += partly ? cases : 0;
    }

    int all() {
        return all;
    }

    /** Fails unless each place has answered so often, and few answers were compared in part only. */
    void requireAtLeast(int min) {
        assertThat(compared.values()).as(toString()).allMatch(count -> count >= min);
        assertThat(beyond).as(toString()).isLessThan(all / 20);
    }

    @Override
    public String toString() {
        return all + " cases, " + beyond + " of them in part: " + compared;
    }
}
