package io.millrace.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All meters of pipelines, regions and the store, except for those that a {@linkplain io.millrace.feed.Feed#meters()
 * feed} or a {@linkplain io.millrace.pipeline.step.StepCounters#meters() step} has of its own: names, units and tags.
 * Values are read when a registry is scraped.
 *
 * <p>The names are an interface: dashboards and alerts outside this project depend on them. A name does not contain the
 * unit, because exporters append it. Plain counts have no unit.
 */
public enum MillraceMeter {
    RECORDS_IN("millrace.records.in", null, "Records received.", "pipeline"),
    RECORDS_MADE(
            "millrace.records.made",
            null,
            "Records that steps made of others, less those that they were made of, and records for further targets:"
                    + " less than 0 if lists are empty.",
            "pipeline"),
    RECORDS_KEPT(
            "millrace.records.kept",
            null,
            "Records stored in a region or sent to a channel of the application.",
            "pipeline",
            "target"),
    RECORDS_DROPPED("millrace.records.dropped", null, "Records that a filter or a route dropped.", "pipeline", "step"),
    RECORDS_REJECTED("millrace.records.rejected", null, "Records that could not be processed.", "pipeline", "reason"),
    RECORDS_SUPERSEDED(
            "millrace.records.superseded",
            null,
            "Records dropped here because another process took over the pipeline and stores them.",
            "pipeline"),
    RECORDS_IN_FLIGHT(
            "millrace.records.in.flight",
            null,
            "Records in flight: received and made minus kept, dropped, rejected and superseded.",
            "pipeline"),
    RECORDS_EXPIRED(
            "millrace.records.expired",
            null,
            "Records that this process removed because their retention ended.",
            "region"),
    BATCHES("millrace.batches", null, "Batches received.", "pipeline"),
    FEED_POSITION(
            "millrace.feed.position",
            null,
            "Position up to which the feed was read; 0 for a feed without positions.",
            "pipeline"),
    FEED_LAG("millrace.feed.lag", null, "Part of the feed that is not read yet; NaN if unknown.", "pipeline"),
    FEED_LAG_MAX(
            "millrace.feed.lag.max",
            null,
            "Largest part of the feed that one of the partitions has not read yet; NaN if unknown.",
            "pipeline"),
    FEED_AGE(
            "millrace.feed.age",
            "seconds",
            "Time since the oldest record that waits in the feed was sent, 0 if none waits; NaN if unknown.",
            "pipeline"),
    FEED_RETRIES(
            "millrace.feed.retries", null, "Failed attempts to open or read the feed that were retried.", "pipeline"),
    FEED_EVENTS(
            "millrace.feed.events",
            null,
            "Events that the feed counts in addition to records, such as discarded packets.",
            "pipeline",
            "event"),
    STEP_TIME(
            "millrace.step.time",
            "seconds",
            "Time spent in a step; the count is the number of records that reached the step.",
            "pipeline",
            "step"),
    MEASURE_RECORDS(
            "millrace.measure.records",
            null,
            "Records that reached a measure: counted, late, ahead of the clock, or failed.",
            "pipeline",
            "measure",
            "outcome"),
    MEASURE_GROUPS("millrace.measure.groups", null, "Current groups of a measure.", "pipeline", "measure"),
    MEASURE_ALERTS(
            "millrace.measure.alerts", null, "Groups for which an alert is raised.", "pipeline", "measure", "alert"),
    MEASURE_VALUE(
            "millrace.measure.value",
            null,
            "A value of a group in the last window, if the measure sets `meters`.",
            "pipeline",
            "measure",
            "value",
            "group"),
    ALERT_EVENTS(
            "millrace.alert.events",
            null,
            "Alert events for a listener of the application: delivered, failed, or dropped because it is too slow.",
            "listener",
            "outcome"),
    STORE_PUT_TIME(
            "millrace.store.put.time",
            "seconds",
            "Time of puts into a region; the count is the number of puts.",
            "pipeline",
            "region"),
    STORE_WRITTEN(
            "millrace.store.written",
            "bytes",
            "Bytes put into a region: an extended block counts each time.",
            "pipeline",
            "region"),
    STORE_RETRIES("millrace.store.retries", null, "Failed store attempts that were retried.", "pipeline"),
    STORE_UP(
            "millrace.store.up",
            null,
            "1 if regions can be written and queried, else 0; of a locator, 1 if it has joined its cluster."),
    STORE_COPIES(
            "millrace.store.copies.complete",
            null,
            "Of a server: 1 if all data of the cluster has its redundant copies, else 0."),
    STORE_WRITES_REFUSED(
            "millrace.store.writes.refused",
            null,
            "Of a server: writes refused because another process has taken over from the one that sent them."),
    REGION_RECORDS(
            "millrace.region.records",
            null,
            "Records of a region, in a cluster on all servers; NaN if unknown.",
            "region"),
    REGION_SIZE(
            "millrace.region.size", "bytes", "Estimated memory of the records, without redundant copies.", "region"),
    ALLOCATED(
            "millrace.pipeline.allocated",
            "bytes",
            "Bytes allocated by the pipeline's thread, including stored values.",
            "pipeline"),
    STATE("millrace.pipeline.state", null, "1 if the pipeline is in this state, else 0.", "pipeline", "state"),
    TABLE_ROWS("millrace.table.rows", null, "Rows of a table.", "table"),
    TABLE_SIZE("millrace.table.size", "bytes", "Memory of a table outside the heap or in a mapped file.", "table"),
    TABLE_LOADS(
            "millrace.table.loads",
            null,
            "Loads of a table; for a table that follows a region, rows put or removed.",
            "table"),
    TABLE_FAILURES(
            "millrace.table.failures",
            null,
            "Failed reloads of a table; the table continues with its old rows.",
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

    /** Returns the name in dot notation, which exporters convert to their own. */
    public String meterName() {
        return meterName;
    }

    /** Returns {@code bytes} or {@code seconds}, or null for a plain count. */
    public @Nullable String unit() {
        return unit;
    }

    /** Returns the description, as documentation and exporters show it. */
    public String description() {
        return description;
    }

    /** Returns the keys of its tags. */
    public List<String> tags() {
        return tags;
    }
}
