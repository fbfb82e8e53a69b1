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
 * A measure as configuration has it, nothing of it checked yet but its form.
 *
 * @param name unique
 * @param by what makes groups: names of fields, or {@code expression as name}; none is one group of all
 * @param values names with the values of each group, such as {@code sum(amount)} or {@code count() / count(dropped)}
 * @param windows over which time
 * @param time expression for the moment at which a record happened; null for the one at which it is taken
 * @param lateness how much later than the latest record before it one may have happened and is counted still
 * @param groups the most in a pane and in a window; records of further ones are counted together
 * @param region where windows are kept once they are closed, null for nowhere
 * @param meters for how many groups of the last window values are meters
 * @param alerts on its rows
 */
public record MeasureDefinition(
        String name,
        List<String> by,
        Map<String, String> values,
        Windows windows,
        @Nullable String time,
        Duration lateness,
        int groups,
        @Nullable String region,
        int meters,
        List<AlertDefinition> alerts) {

    public MeasureDefinition {
        by = List.copyOf(by);
        alerts = List.copyOf(alerts);
        // The order of the configuration is that of the fields of a row.
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Names of the regions that it writes to. */
    public List<String> regions() {
        return Stream.concat(
                        Stream.ofNullable(region),
                        alerts.stream().map(AlertDefinition::region).filter(Objects::nonNull))
                .toList();
    }
}
