package io.millrace.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.Delimiter;

/**
 * A measure: figures of groups of records over windows of time.
 *
 * @param name unique among all measures
 * @param by what makes groups: fields, or {@code expression as name}; none is one group of all
 * @param values names with the values of each group, such as {@code count()} or {@code sum(amount)}
 * @param every how long a window is, or with {@code window} how far apart windows end
 * @param window how long a window is; a multiple of {@code every}
 * @param daily windows of a day each
 * @param time field with the moment at which a record happened; without it, records happen when they come
 * @param allowedLateness how much later than the latest before it a record may have happened and is counted still
 * @param maxGroups the most groups of a window; further ones are counted together
 * @param region where closed windows are kept
 * @param meters for how many groups of the last window values are meters
 * @param alerts on rows of closed windows, by name
 */
public record MeasureProperties(
        @Nullable String name,
        // An expression may hold commas.
        @Delimiter(Delimiter.NONE) @DefaultValue List<String> by,
        @DefaultValue Map<String, String> values,
        @Nullable Duration every,
        @Nullable Duration window,
        @Nullable DailyProperties daily,
        @Nullable String time,
        @Nullable Duration allowedLateness,
        @DefaultValue("100000") int maxGroups,
        @Nullable String region,
        @DefaultValue("0") int meters,
        @DefaultValue Map<String, AlertProperties> alerts) {

    /**
     * Windows of a day each.
     *
     * @param start when a day begins, such as 06:30
     * @param zone by whose clocks
     */
    public record DailyProperties(
            @DefaultValue("00:00") String start,
            @DefaultValue("UTC") String zone) {}

    /**
     * An alert for a group.
     *
     * @param when condition on a row for it to be raised
     * @param until condition on a row for it to be cleared; without one, that {@code when} does not hold
     * @param raiseAfter in how many windows in a row {@code when} must hold
     * @param clearAfter in how many windows in a row {@code until} must hold
     * @param channel message channel that is notified
     * @param region where alerts are kept
     */
    public record AlertProperties(
            @Nullable String when,
            @Nullable String until,
            @DefaultValue("1") int raiseAfter,
            @DefaultValue("1") int clearAfter,
            @Nullable String channel,
            @Nullable String region) {}
}
