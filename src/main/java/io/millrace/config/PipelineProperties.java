package io.millrace.config;

import io.millrace.feed.pcap.PortFilter.Side;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a pipeline.
 *
 * @param feed source of the records; without a feed, records come as messages to the channel NAME.in only
 * @param schema name of the schema of the feed's records
 * @param steps steps that process each record, in order
 * @param rejects name of the region for rejected records; by default the pipeline's name and -rejected
 * @param rejectThresholds shares of rejected records at which the pipeline warns or fails
 * @param onRulesChange action at the start if the rules have changed after a crash
 * @param onKnownFeed action at the start if a pipeline that is no longer configured has stored the same feed
 */
public record PipelineProperties(
        @Nullable FeedProperties feed,
        @Nullable String schema,
        @DefaultValue List<StepProperties> steps,
        @Nullable String rejects,
        @DefaultValue RejectThresholdProperties rejectThresholds,
        @DefaultValue("fail") OnRulesChange onRulesChange,
        @DefaultValue("fail") OnKnownFeed onKnownFeed) {

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

    /** Returns a copy without the feed, for a process that does not run the pipeline, and for tests. */
    PipelineProperties withoutFeed() {
        return new PipelineProperties(null, schema, steps, rejects, rejectThresholds, onRulesChange, onKnownFeed);
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
     * Properties of a feed, of which exactly one is set.
     *
     * @param file file of records of the fixed layout, back to back
     * @param generator generator of records
     * @param radius RADIUS accounting requests over UDP
     * @param pcap RADIUS accounting requests in a capture file
     * @param tcp records over TCP
     */
    public record FeedProperties(
            @Nullable Path file,
            @Nullable GeneratorProperties generator,
            @Nullable RadiusProperties radius,
            @Nullable PcapProperties pcap,
            @Nullable TcpProperties tcp) {}

    /**
     * Properties of a generator of records.
     *
     * @param rate number of records per second; 0 for as many as the pipeline processes
     * @param count total number of records; 0 for no end
     * @param seed seed of the random values; equal seeds generate equal records
     */
    public record GeneratorProperties(
            @DefaultValue("0") long rate,
            @DefaultValue("0") long count,
            @DefaultValue("1") long seed) {}

    /**
     * Properties of a feed of RADIUS accounting requests in a capture file, pcap or pcapng.
     *
     * @param path path of the capture file
     * @param port UDP port of the requests
     * @param side port of a datagram that is compared with port: destination, source or either
     * @param secret shared secret of the requests; requests signed with another secret are left out and counted.
     *     Without it, requests are not verified
     * @param pace whether requests are read at the pace at which they were captured
     * @param speed factor for the pace, with pace: true only; 1 by default
     */
    public record PcapProperties(
            @Nullable Path path,
            @DefaultValue("1813") int port,
            @DefaultValue("destination") Side side,
            @Nullable String secret,
            @DefaultValue("false") boolean pace,
            @Nullable Double speed) {

        /** Returns a text without the secret. */
        @Override
        public String toString() {
            return "pcap[path=" + path + ", port=" + port + ", side=" + side + ", pace=" + pace + ", speed=" + speed
                    + "]";
        }
    }

    /**
     * Properties of a step, of which exactly one is set.
     *
     * @param filter condition of the records that continue; the others are dropped
     * @param enrich fields to add from a table
     * @param set fields to compute, each with its expression
     * @param measure aggregates of groups over time windows
     * @param route branches, evaluated in order; the first match applies, and records without a match are dropped
     * @param to target of all records: a region, or channel: and the name of a message channel
     */
    public record StepProperties(
            @Nullable String filter,
            @Nullable EnrichProperties enrich,
            @Nullable Map<String, String> set,
            @Nullable MeasureProperties measure,
            @Nullable List<BranchProperties> route,
            @Nullable String to) {}

    /**
     * Properties of a step that adds fields from a table.
     *
     * @param table name of the table
     * @param key expression for the key of the row
     * @param add new fields, each with the field of the table that it is copied from
     * @param onMiss action if the table has no row with the key
     * @param defaults values of new fields with on-miss: default; fields without one are absent
     */
    public record EnrichProperties(
            @Nullable String table,
            @Nullable String key,
            @DefaultValue Map<String, String> add,
            @DefaultValue("absent") OnMiss onMiss,
            @DefaultValue Map<String, String> defaults) {}

    /**
     * Properties of a branch of a route: a condition and its target, or, in the last branch, otherwise.
     *
     * @param when condition of the records of this branch
     * @param to target of these records: a region, or channel: and the name of a message channel
     * @param otherwise target of all other records, instead of when and to
     */
    public record BranchProperties(
            @Nullable String when,
            @Nullable String to,
            @Nullable String otherwise) {}
}
