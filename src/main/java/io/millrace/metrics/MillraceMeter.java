package io.millrace.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All meters of pipelines, regions and the store: names, units and tags. Their values are pulled when somebody asks.
 *
 * <p>The names are an interface: dashboards and alerts of others hold on to them. A name tells no unit, exporters
 * append it; plain counts have none.
 */
public enum MillraceMeter {
    RECORDS_IN("millrace.records.in", null, "Records that came in.", "pipeline"),
    RECORDS_KEPT(
            "millrace.records.kept",
            null,
            "Records stored in a region, or sent to a channel of your own.",
            "pipeline",
            "target"),
    RECORDS_DROPPED("millrace.records.dropped", null, "Records that a filter or a route let go.", "pipeline", "step"),
    RECORDS_REJECTED("millrace.records.rejected", null, "Records that could not be processed.", "pipeline", "reason"),
    RECORDS_SUPERSEDED(
            "millrace.records.superseded",
            null,
            "Records let go here because another process took over, which stores them.",
            "pipeline"),
    RECORDS_IN_FLIGHT(
            "millrace.records.in.flight",
            null,
            "Records on their way: in less kept, dropped, rejected and superseded.",
            "pipeline"),
    RECORDS_EXPIRED(
            "millrace.records.expired",
            null,
            "Records that this process removed because their region keeps them no longer.",
            "region"),
    BATCHES("millrace.batches", null, "Batches that came in.", "pipeline"),
    FEED_POSITION(
            "millrace.feed.position",
            null,
            "Position in the feed up to which it was taken; 0 where it has none.",
            "pipeline"),
    FEED_LAG(
            "millrace.feed.lag",
            null,
            "How much of the feed waits to be taken; NaN where that can't be known.",
            "pipeline"),
    FEED_EVENTS(
            "millrace.feed.events",
            null,
            "What the feed counts in addition to records, such as packets discarded for a reason.",
            "pipeline",
            "event"),
    STEP_TIME(
            "millrace.step.time",
            "seconds",
            "Time in a step itself; its count is the records that came to the step.",
            "pipeline",
            "step"),
    ENRICH_MISSES("millrace.enrich.misses", null, "Records whose key a table did not hold.", "pipeline", "step"),
    MEASURE_RECORDS(
            "millrace.measure.records",
            null,
            "Records that came to a measure: counted, late, ahead of the clock, or failed.",
            "pipeline",
            "measure",
            "outcome"),
    MEASURE_GROUPS("millrace.measure.groups", null, "Groups that a measure has now.", "pipeline", "measure"),
    MEASURE_ALERTS(
            "millrace.measure.alerts", null, "Groups for which an alert is raised.", "pipeline", "measure", "alert"),
    MEASURE_VALUE(
            "millrace.measure.value",
            null,
            "A value of a group in the last window, where a measure's `meters` asks for it.",
            "pipeline",
            "measure",
            "value",
            "group"),
    STORE_PUT_TIME(
            "millrace.store.put.time",
            "seconds",
            "Time that puts into a region took; its count is the values put.",
            "pipeline",
            "region"),
    STORE_WRITTEN("millrace.store.written", "bytes", "Bytes of the values put.", "pipeline", "region"),
    STORE_FAILURES("millrace.store.retries", null, "Tries of the store that failed and were made again.", "pipeline"),
    STORE_UP(
            "millrace.store.up",
            null,
            "Whether records can be written and asked for, 1 or 0; of a locator, whether it is in its cluster."),
    STORE_COPIES(
            "millrace.store.copies.complete",
            null,
            "Of a server: whether all that the cluster keeps has its copies, 1 or 0."),
    STORE_WRITES_REFUSED(
            "millrace.store.writes.refused",
            null,
            "Of a server: writes refused because another process has taken over from the one that sent them."),
    REGION_RECORDS(
            "millrace.region.records",
            null,
            "Records that a region holds, in a cluster all of it; NaN where that can't be known.",
            "region"),
    REGION_SIZE("millrace.region.size", "bytes", "Estimate of what they take in memory, copies aside.", "region"),
    ALLOCATED(
            "millrace.pipeline.allocated",
            "bytes",
            "Bytes that the pipeline's thread has allocated, stored values included.",
            "pipeline"),
    STATE("millrace.pipeline.state", null, "Whether the pipeline is in this state, 1 or 0.", "pipeline", "state"),
    TCP_CONNECTIONS(
            "millrace.tcp.connections.open",
            null,
            "Connections of a TCP feed that are open, or have something left to be taken.",
            "pipeline"),
    TCP_ACCEPTED("millrace.tcp.connections.accepted", null, "Connections that a TCP feed accepted.", "pipeline"),
    TCP_CLOSED(
            "millrace.tcp.connections.closed",
            null,
            "Connections of a TCP feed that were closed.",
            "pipeline",
            "reason"),
    TCP_RECEIVED(
            "millrace.tcp.received", "bytes", "Bytes received over TCP, framing and rejects included.", "pipeline"),
    TCP_RECORDS("millrace.tcp.records", null, "Records taken from TCP, wrong ones included.", "pipeline"),
    TABLE_ROWS("millrace.table.rows", null, "Rows that a table holds.", "table"),
    TABLE_SIZE("millrace.table.size", "bytes", "Memory outside the heap, or of a file, that a table takes.", "table"),
    TABLE_LOADS(
            "millrace.table.loads",
            null,
            "How often a table was loaded; of one that follows a region, rows put or removed.",
            "table"),
    TABLE_FAILURES(
            "millrace.table.failures",
            null,
            "How often a table could not be loaded again, and the old rows were served on.",
            "table");

    private final String meterName;
    private final @Nullable String unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    private final List<String> tags;

    MillraceMeter(String meterName, @Nullable String unit, String description, String... tags) {
        this.meterName = meterName;
        this.unit = unit;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** Name in dots; exporters turn it into their own form. */
    public String meterName() {
        return meterName;
    }

    /** {@code bytes} or {@code seconds}; null for a plain count. */
    public @Nullable String unit() {
        return unit;
    }

    /** What it tells, as documentation and exporters show it. */
    public String description() {
        return description;
    }

    /** Keys of its tags. */
    public List<String> tags() {
        return tags;
    }
}
