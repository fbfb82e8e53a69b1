package io.millrace.metrics;

import java.util.List;

/** All meters of the pipelines: names, units and tags. Their values are pulled from counters when somebody asks. */
public enum MillraceMeter {
    /** Records that came in. */
    RECORDS_IN("millrace.records.in", "records", "pipeline"),
    /** Records stored in a region. */
    RECORDS_KEPT("millrace.records.kept", "records", "pipeline", "region"),
    /** Records that a filter or a route let go. */
    RECORDS_DROPPED("millrace.records.dropped", "records", "pipeline", "step"),
    /** Records that could not be processed. */
    RECORDS_REJECTED("millrace.records.rejected", "records", "pipeline", "reason"),
    /** Records on their way: in less kept, dropped and rejected. */
    RECORDS_IN_FLIGHT("millrace.records.in.flight", "records", "pipeline"),
    /** Batches that came in. */
    BATCHES("millrace.batches", "batches", "pipeline"),
    /** Bytes of the feed that have been taken. */
    FEED_BYTES("millrace.feed.bytes", "bytes", "pipeline"),
    /** Bytes of the feed that wait to be taken; -1 where that can't be known. */
    FEED_LAG("millrace.feed.lag", "bytes", "pipeline"),
    /** Time in a step itself. */
    STEP_TIME("millrace.step.time", "seconds", "pipeline", "step"),
    /** Records that came to a step. */
    STEP_RECORDS("millrace.step.records", "records", "pipeline", "step"),
    /** Records whose key a table did not hold. */
    ENRICH_MISSES("millrace.enrich.misses", "records", "pipeline", "step"),
    /** Values put into a region. */
    STORE_PUTS("millrace.store.puts", "puts", "pipeline", "region"),
    /** Time that those puts took. */
    STORE_PUT_TIME("millrace.store.put.time", "seconds", "pipeline", "region"),
    /** Bytes of the values put. */
    STORE_BYTES("millrace.store.bytes", "bytes", "pipeline", "region"),
    /** Tries of the store that failed and were made again. */
    STORE_FAILURES("millrace.store.failures", "tries", "pipeline"),
    /** Bytes that the pipeline's thread has allocated, stored values included. */
    ALLOCATED_BYTES("millrace.allocated.bytes", "bytes", "pipeline"),
    /** Bytes allocated for each record since the start, beyond the values stored. */
    ALLOCATED_PER_RECORD("millrace.allocated.bytes.per.record", "bytes", "pipeline"),
    /** Whether the pipeline is in this state, 1 or 0. */
    STATE("millrace.pipeline.state", "", "pipeline", "state");

    private final String meterName;
    private final String unit;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    private final List<String> tags;

    MillraceMeter(String meterName, String unit, String... tags) {
        this.meterName = meterName;
        this.unit = unit;
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

    /** Keys of its tags. */
    public List<String> tags() {
        return tags;
    }
}
