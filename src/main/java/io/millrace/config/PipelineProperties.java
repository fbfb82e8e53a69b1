package io.millrace.config;

import io.millrace.feed.pcap.PortFilter.Side;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A pipeline.
 *
 * @param feed where records come from; without one, only from messages sent to the pipeline's channel
 * @param schema name of the records' schema
 * @param steps what is done with each record, in order
 * @param rejects name of the region for records that can't be processed; else the pipeline's name and -rejected
 * @param rejectThresholds shares of rejected records at which the pipeline warns or fails
 * @param onRulesChange what to do where the rules have changed while some regions were ahead of others
 * @param onKnownFeed what to do if a pipeline that has been removed from the configuration has read the feed
 */
public record PipelineProperties(
        @Nullable FeedProperties feed,
        @Nullable String schema,
        @DefaultValue List<StepProperties> steps,
        @Nullable String rejects,
        @DefaultValue RejectThresholdProperties rejectThresholds,
        @DefaultValue("fail") OnRulesChange onRulesChange,
        @DefaultValue("fail") OnKnownFeed onKnownFeed) {

    /** What a pipeline does at its start where its rules have changed since it ended in the middle of its work. */
    public enum OnRulesChange {
        /** It does not start. */
        FAIL,
        /** It continues; some records may be stored twice or not at all. */
        CONTINUE
    }

    /** What a pipeline that has read nothing does where another name has stored its feed in the same region. */
    public enum OnKnownFeed {
        /** It does not start. */
        FAIL,
        /** It reads the feed; its records are stored a second time. */
        READ
    }

    /** Without its feed: as a process reads it that does not run it. */
    PipelineProperties withoutFeed() {
        return new PipelineProperties(null, schema, steps, rejects, rejectThresholds, onRulesChange, onKnownFeed);
    }

    /**
     * Shares of rejected records, each a percentage such as 1%, or none.
     *
     * @param warnAt percentage from which the pipeline warns
     * @param failAt percentage from which the pipeline fails
     */
    public record RejectThresholdProperties(
            @DefaultValue("1%") String warnAt,
            @DefaultValue("none") String failAt) {}

    /**
     * Where records come from: one of these.
     *
     * @param file a file of records, back to back
     * @param generator made-up records
     * @param radius RADIUS accounting requests
     * @param pcap RADIUS accounting requests in a capture file
     * @param tcp records that senders bring over TCP
     */
    public record FeedProperties(
            @Nullable Path file,
            @Nullable GeneratorProperties generator,
            @Nullable RadiusProperties radius,
            @Nullable PcapProperties pcap,
            @Nullable TcpProperties tcp) {}

    /**
     * Made-up records.
     *
     * @param rate how many a second, 0 for as many as are taken
     * @param count how many in all, 0 for no end
     * @param seed equal seeds make equal records
     */
    public record GeneratorProperties(
            @DefaultValue("0") long rate,
            @DefaultValue("0") long count,
            @DefaultValue("1") long seed) {}

    /**
     * RADIUS accounting requests in a capture file, pcap or pcapng.
     *
     * @param path of the file
     * @param port of the UDP datagrams that are looked at
     * @param side where the port has to stand
     * @param secret that the requests must have been made with; without one they are not checked
     * @param pace whether requests come as long after each other as they were captured
     * @param speed how many times faster than that; 1 without one
     */
    public record PcapProperties(
            @Nullable Path path,
            @DefaultValue("1813") int port,
            @DefaultValue("destination") Side side,
            @Nullable String secret,
            @DefaultValue("false") boolean pace,
            @Nullable Double speed) {

        /** Without the secret. */
        @Override
        public String toString() {
            return "pcap[path=" + path + ", port=" + port + ", side=" + side + ", pace=" + pace + ", speed=" + speed
                    + "]";
        }
    }

    /**
     * A step: one of these.
     *
     * @param filter condition of the records that go on
     * @param enrich fields to add from a table
     * @param set fields to compute, each with its expression
     * @param measure figures of groups over windows of time
     * @param route branches, asked in order
     * @param to where all records go: a region, or channel: and a channel's name
     */
    public record StepProperties(
            @Nullable String filter,
            @Nullable EnrichProperties enrich,
            @Nullable Map<String, String> set,
            @Nullable MeasureProperties measure,
            @Nullable List<BranchProperties> route,
            @Nullable String to) {}

    /**
     * Fields to add from a table.
     *
     * @param table name of the table
     * @param key expression for the key of the row
     * @param add new fields, each with the table's field that it is taken from
     * @param onMiss what becomes of a record whose key the table does not hold
     * @param defaults values of new fields for such a record, with on-miss: default
     */
    public record EnrichProperties(
            @Nullable String table,
            @Nullable String key,
            @DefaultValue Map<String, String> add,
            @DefaultValue("absent") OnMiss onMiss,
            @DefaultValue Map<String, String> defaults) {}

    /**
     * A branch of a route: a condition and a target, or, last, otherwise and a target.
     *
     * @param when condition of the records that go this way
     * @param to where they go: a region, or channel: and a channel's name
     * @param otherwise where all others go
     */
    public record BranchProperties(
            @Nullable String when,
            @Nullable String to,
            @Nullable String otherwise) {}
}
