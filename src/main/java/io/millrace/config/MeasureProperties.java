package io.millrace.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.Delimiter;

/**
 * Properties of a measure: aggregates of groups of records over time windows.
 *
 * @param name name of the measure, unique among all measures
 * @param by fields by which records are grouped, or {@code expression as name}; empty for a single group
 * @param values names with the aggregates of each group, such as {@code count()} or {@code sum(amount)}
 * @param every length of a window; with {@code window}, the slide: the time between the ends of two windows. Required
 *     unless {@code daily} is set
 * @param window length of a sliding window, a multiple of {@code every}; by default, windows do not overlap
 * @param daily windows of one day each, instead of {@code every}
 * @param time expression for the event time of a record, an instant; by default the time at which it is processed
 * @param allowedLateness maximum difference between the latest event time and that of a record that is still counted; 0
 *     by default
 * @param maxGroups maximum number of groups of a window; records of further groups are counted together
 * @param region region for the rows of closed windows; without it, they are not stored
 * @param meters number of groups of the last window whose values are exported as meters; 0 for none
 * @param alerts alerts on rows of closed windows, by name
 */
public record MeasureProperties(
        @Nullable String name,
        // An expression may contain commas.
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
     * Properties of windows of one day each.
     *
     * @param start time at which a day begins, such as 06:30
     * @param zone time zone of the start, such as Europe/Istanbul
     */
    public record DailyProperties(
            @DefaultValue("00:00") String start,
            @DefaultValue("UTC") String zone) {}

    /**
     * Properties of an alert on the groups of a measure.
     *
     * @param when condition that raises the alert if the row of a group matches
     * @param until condition that clears the alert; by default the negation of {@code when}
     * @param raiseAfter number of consecutive windows in which {@code when} must match
     * @param clearAfter number of consecutive windows in which {@code until} must match
     * @param channel message channel that receives an event for each change; none by default
     * @param region region for the alerts; without it, they are not stored
     */
    public record AlertProperties(
            @Nullable String when,
            @Nullable String until,
            @DefaultValue("1") int raiseAfter,
            @DefaultValue("1") int clearAfter,
            @Nullable String channel,
            @Nullable String region) {}
}
