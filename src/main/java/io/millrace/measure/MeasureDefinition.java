package io.millrace.measure;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A measure as configured. Only its form has been checked.
 *
 * @param name unique name
 * @param by grouping keys: names of fields, or {@code expression as name}; empty for a single group
 * @param values the values of a row by name, such as {@code sum(amount)} or {@code count() / count(dropped)}
 * @param windows how time is divided into windows
 * @param time expression for the event time of a record; null for the time at which the record is processed
 * @param lateness allowed lateness: how long after its end, by the latest event time, a pane still accepts records
 * @param idleTimeout time without records after which all windows of event time close; null if they stay open
 * @param groups maximum number of groups in a pane and in a window; records of further groups are counted together
 * @param region region that stores the rows of closed windows, or null for none
 * @param meters number of groups of the last window whose values are published as meters
 * @param alerts alerts on its rows
 */
public record MeasureDefinition(
        String name,
        List<String> by,
        Map<String, String> values,
        Windows windows,
        @Nullable String time,
        Duration lateness,
        @Nullable Duration idleTimeout,
        int groups,
        @Nullable String region,
        int meters,
        List<AlertDefinition> alerts) {

    /** The allowed lateness with which records may arrive in any order. */
    static final Duration ANY_LATENESS = Duration.ofMillis(Long.MAX_VALUE);

    public MeasureDefinition {
        by = List.copyOf(by);
        alerts = List.copyOf(alerts);
        // Values are fields of a row in the order of the configuration.
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns the same measure with another allowed lateness. */
    MeasureDefinition withLateness(Duration other) {
        return new MeasureDefinition(
                name, by, values, windows, time, other, idleTimeout, groups, region, meters, alerts);
    }

    /** Returns the names of the regions that the measure and its alerts write to. */
    public List<String> regions() {
        return Stream.concat(
                        Stream.ofNullable(region),
                        alerts.stream().map(AlertDefinition::region).filter(Objects::nonNull))
                .toList();
    }
}
