package io.millrace.measure.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param to targets that receive the rows of closed windows, as configured; may be none
 * @param meters number of groups of the last window whose values are published as meters
 * @param alerts alerts on its rows
 * @param regions names of the regions among the targets of rows and alerts
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
        List<String> to,
        int meters,
        List<AlertDefinition> alerts,
        List<String> regions) {

    /** The allowed lateness with which records may arrive in any order. */
    public static final Duration ANY_LATENESS = Duration.ofMillis(Long.MAX_VALUE);

    public MeasureDefinition {
        by = List.copyOf(by);
        to = List.copyOf(to);
        alerts = List.copyOf(alerts);
        regions = List.copyOf(regions);
        // Values are fields of a row in the order of the configuration.
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns the same measure with another allowed lateness. */
    MeasureDefinition withLateness(Duration other) {
        return new MeasureDefinition(
                name, by, values, windows, time, other, idleTimeout, groups, to, meters, alerts, regions);
    }
}
