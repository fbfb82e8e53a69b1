package io.millrace.metrics;

import java.util.List;

/**
 * All meters of pipelines and regions: names, units and tags. Their values are pulled from counters when somebody asks.
 */
public enum MillraceMeter {
    RECORDS_IN("millrace.records.in", "records", "Records that came in.", "pipeline"),
    RECORDS_KEPT("millrace.records.kept", "records", "Records stored in a region.", "pipeline", "region"),
    RECORDS_DROPPED(
            "millrace.records.dropped", "records", "Records that a filter or a route let go.", "pipeline", "step"),
    RECORDS_REJECTED(
            "millrace.records.rejected", "records", "Records that could not be processed.", "pipeline", "reason"),
    RECORDS_IN_FLIGHT(
            "millrace.records.in.flight",
            "records",
            "Records on their way: in less kept, dropped and rejected.",
            "pipeline"),
    RECORDS_EXPIRED(
            "millrace.records.expired",
            "records",
            "Records that this process removed because their region keeps them no longer.",
            "region"),
    BATCHES("millrace.batches", "batches", "Batches that came in.", "pipeline"),
    FEED_BYTES(
            "millrace.feed.bytes",
            "bytes",
            "Position in the feed up to which it was taken: bytes, or requests of a capture; 0 where it has none.",
            "pipeline"),
    FEED_LAG(
            "millrace.feed.lag",
            "bytes",
            "Bytes of the feed that wait to be taken; -1 where that can't be known.",
            "pipeline"),
    FEED_EVENTS(
            "millrace.feed.events",
            "events",
            "What the feed counts besides records, such as packets discarded for a reason.",
            "pipeline",
            "event"),
    STEP_TIME("millrace.step.time", "seconds", "Time in a step itself.", "pipeline", "step"),
    STEP_RECORDS("millrace.step.records", "records", "Records that came to a step.", "pipeline", "step"),
    ENRICH_MISSES("millrace.enrich.misses", "records", "Records whose key a table did not hold.", "pipeline", "step"),
    MEASURE_RECORDS(
            "millrace.measure.records",
            "records",
            "Records that came to a measure: counted, late, ahead of the clock, or failed.",
            "pipeline",
            "measure",
            "outcome"),
    MEASURE_GROUPS("millrace.measure.groups", "groups", "Groups that a measure has now.", "pipeline", "measure"),
    MEASURE_ALERTS(
            "millrace.measure.alerts",
            "groups",
            "Groups for which an alert is raised.",
            "pipeline",
            "measure",
            "alert"),
    MEASURE_VALUE(
            "millrace.measure.value",
            "",
            "A value of a group in the last window, where a measure's `meters` asks for it.",
            "pipeline",
            "measure",
            "value",
            "group"),
    STORE_PUTS("millrace.store.puts", "puts", "Values put into a region.", "pipeline", "region"),
    STORE_PUT_TIME("millrace.store.put.time", "seconds", "Time that those puts took.", "pipeline", "region"),
    STORE_BYTES("millrace.store.bytes", "bytes", "Bytes of the values put.", "pipeline", "region"),
    STORE_FAILURES(
            "millrace.store.failures", "tries", "Tries of the store that failed and were made again.", "pipeline"),
    ALLOCATED_BYTES(
            "millrace.allocated.bytes",
            "bytes",
            "Bytes that the pipeline's thread has allocated, stored values included.",
            "pipeline"),
    ALLOCATED_PER_RECORD(
            "millrace.allocated.bytes.per.record",
            "bytes",
            "Bytes allocated for each record since the start, beyond the values stored.",
            "pipeline"),
    TCP_CONNECTIONS(
            "millrace.tcp.connections",
            "connections",
            "Connections of a TCP feed that are open, or have something left to be taken.",
            "pipeline"),
    TCP_ACCEPTED("millrace.tcp.accepted", "connections", "Connections that a TCP feed accepted.", "pipeline"),
    TCP_CLOSED(
            "millrace.tcp.closed", "connections", "Connections of a TCP feed that were closed.", "pipeline", "reason"),
    TCP_BYTES("millrace.tcp.bytes", "bytes", "Bytes received over TCP, framing and rejects included.", "pipeline"),
    TCP_RECORDS("millrace.tcp.records", "records", "Records taken from TCP, wrong ones included.", "pipeline"),
    TABLE_ROWS("millrace.table.rows", "rows", "Rows that a table holds.", "table"),
    TABLE_BYTES("millrace.table.bytes", "bytes", "Memory outside the heap, or of a file, that a table takes.", "table"),
    TABLE_LOADS(
            "millrace.table.loads",
            "loads",
            "How often a table was loaded; of one that follows a region, rows put or removed.",
            "table"),
    TABLE_FAILURES(
            "millrace.table.failures",
            "failures",
            "How often a table could not be loaded again, and the old rows were served on.",
            "table"),
    STATE("millrace.pipeline.state", "", "Whether the pipeline is in this state, 1 or 0.", "pipeline", "state");

    private final String meterName;
    private final String unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    private final List<String> tags;

    MillraceMeter(String meterName, String unit, String description, String... tags) {
        this.meterName = meterName;
        this.unit = unit;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** Name in dots; exporters turn it into their own form. */
    public String meterName() {
        return meterName;
    }

    /** What is counted; empty for a plain number. */
    public String unit() {
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
