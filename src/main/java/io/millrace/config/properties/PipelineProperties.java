package io.millrace.config.properties;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a pipeline.
 *
 * @param feed source of the records: the name of its kind, such as file, generator, radius, pcap or tcp, with its
 *     properties, and final if the source of its records does not grow; without a feed, records come as messages to the
 *     channel NAME.in only
 * @param schema name of the schema of the feed's records
 * @param steps steps that process each record, in order, each with the name of its kind, such as validate, filter, set,
 *     enrich, unnest, measure, route or to, and its properties
 * @param keepRaw name of a region that also stores the records of the feed as they are before the first step; none by
 *     default
 * @param rejects targets of rejected records: a region, and outputs as output:NAME. By default, and in addition to
 *     outputs alone, they go to a region with the pipeline's name and -rejected
 * @param rejectThresholds shares of rejected records at which the pipeline warns or fails
 * @param lateThresholds share of late records of a measure at which the pipeline warns
 * @param onRulesChange action at the start if the rules have changed after a crash
 * @param onKnownFeed action at the start if a pipeline that is no longer configured has stored the same feed
 * @param partitions number of partitions in which the feed is read, each in its own order, from 1 to 1024; by default
 *     1, and 16 for kafka. It can't change once records are stored, except that it can grow for kafka
 * @param lanes number of threads that process the partitions; by default the number of processors, at most that of
 *     partitions
 * @param tests tests of the rules, which the command test runs
 */
public record PipelineProperties(
        @Nullable Map<String, Object> feed,
        @Nullable String schema,
        @DefaultValue List<Map<String, Object>> steps,
        @Nullable String keepRaw,
        @Nullable List<String> rejects,
        @DefaultValue RejectThresholdProperties rejectThresholds,
        @DefaultValue LateThresholdProperties lateThresholds,
        @DefaultValue("fail") OnRulesChange onRulesChange,
        @DefaultValue("fail") OnKnownFeed onKnownFeed,
        @Nullable Integer partitions,
        @Nullable Integer lanes,
        @DefaultValue List<RuleTestProperties> tests) {

    /** What a pipeline does at its start if its rules have changed since it crashed. */
    public enum OnRulesChange {
        /** The pipeline does not start. */
        FAIL,
        /** The pipeline continues; some records may be stored twice or not at all. */
        CONTINUE
    }

    /** What a pipeline without a position does if another name has stored its feed in the same region. */
    public enum OnKnownFeed {
        /** The pipeline does not start. */
        FAIL,
        /** The pipeline reads the feed and stores its records a second time. */
        READ
    }

    /** Returns a text without the properties of the feed, which may be secret. */
    @Override
    public String toString() {
        return "PipelineProperties[feed=" + (feed == null ? null : feed.keySet()) + ", schema=" + schema + ", steps="
                + steps + "]";
    }

    /** Returns a copy without the feed, for a process that does not run the pipeline, and for tests. */
    public PipelineProperties withoutFeed() {
        return new PipelineProperties(
                null,
                schema,
                steps,
                keepRaw,
                rejects,
                rejectThresholds,
                lateThresholds,
                onRulesChange,
                onKnownFeed,
                partitions,
                lanes,
                tests);
    }

    /**
     * Thresholds of the share of rejected records, each a percentage such as 1%, or none.
     *
     * @param warnAt percentage at which the pipeline warns
     * @param failAt percentage at which the pipeline fails
     */
    public record RejectThresholdProperties(
            @DefaultValue("1%") String warnAt,
            @DefaultValue("none") String failAt) {}

    /**
     * Thresholds of the share of late records of each measure, each a percentage such as 1%, or none.
     *
     * @param warnAt percentage at which the pipeline warns
     * @param failAt percentage at which the pipeline fails
     */
    public record LateThresholdProperties(
            @DefaultValue("1%") String warnAt,
            @DefaultValue("none") String failAt) {}
}
