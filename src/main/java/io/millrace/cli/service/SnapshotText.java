package io.millrace.cli.service;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** A snapshot of a service as a table, a line for each pipeline and each of its steps. */
final class SnapshotText {

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final String ROW = "%-28s %-9s %,14.0f %,15d %,15d %,15d %,12d %12s%n";
    private static final String PARTITION = "  %-26s %-9s %14s %15s %15s %15s %12s %12s%n";
    private static final int MAX_PARTITIONS = 8;
    private static final String STEP = "  %-26s %-9s %14s %,15d %,15d %15s %12s %,9.1f ns%n";

    private final StringBuilder text = new StringBuilder();

    private SnapshotText() {}

    /** @param snapshot an event of {@code /api/live} */
    static String of(URI service, JsonNode snapshot) {
        SnapshotText table = new SnapshotText();
        table.process(service, snapshot);
        table.line(
                "%-28s %-9s %14s %15s %15s %15s %12s %12s%n",
                "PIPELINE / STEP", "STATE", "RECORDS/S", "IN", "KEPT / OUT", "DROPPED", "REJECTED", "LAG / TIME");
        snapshot.get("pipelines").forEach(table::pipeline);
        return table.text.toString().stripTrailing();
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not part of the library
    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }

    private void process(URI service, JsonNode snapshot) {
        JsonNode cpu = snapshot.get("cpu");
        JsonNode pauses = snapshot.get("gc");
        line(
                "%s  %s  heap %s of %s  CPU %s of %d  GC pauses %d, longest %d ms%n%n",
                service,
                CLOCK.format(Instant.ofEpochMilli(snapshot.get("time").asLong()).atZone(ZoneId.systemDefault())),
                bytes(snapshot.get("heapUsed").asLong()),
                bytes(snapshot.get("heapMax").asLong()),
                cpu.isNull() ? "?" : Math.round(100 * cpu.asDouble()) + " %",
                snapshot.get("processors").asInt(),
                pauses.size(),
                StreamSupport.stream(pauses.spliterator(), false)
                        .mapToLong(pause -> pause.get("millis").asLong())
                        .max()
                        .orElse(0));
    }

    private void pipeline(JsonNode pipeline) {
        long lag = pipeline.get("lag").asLong();
        line(
                ROW,
                pipeline.get("name").asString(),
                pipeline.get("state").asString(),
                pipeline.get("eventsPerSecond").asDouble(),
                pipeline.get("in").asLong(),
                pipeline.get("kept").asLong(),
                pipeline.get("dropped").asLong(),
                pipeline.get("rejected").asLong(),
                lag < 0 ? "?" : String.format(Locale.ROOT, "%,d", lag));
        if (!pipeline.get("error").isNull()) {
            line("  %s%n", AnswerText.lines(pipeline.get("error")));
        }
        partitions(pipeline.get("partitions"));
        int prefix = pipeline.get("name").asString().length() + 1;
        for (JsonNode step : pipeline.get("steps")) {
            line(
                    STEP,
                    step.get("name").asString().substring(prefix),
                    "",
                    "",
                    step.get("in").asLong(),
                    step.get("out").asLong(),
                    "",
                    "",
                    step.get("nanosPerRecord").asDouble());
        }
    }

    /** The partitions with the largest lags, if the source has several. */
    private void partitions(JsonNode partitions) {
        List<JsonNode> present = StreamSupport.stream(partitions.spliterator(), false)
                .filter(partition -> !partition.get("absent").asBoolean())
                .toList();
        if (present.size() > 1) {
            present.stream()
                    .sorted(Comparator.comparingLong(
                            partition -> -partition.get("lag").asLong()))
                    .limit(MAX_PARTITIONS)
                    .forEach(partition -> line(
                            PARTITION,
                            "partition " + partition.get("partition").asInt()
                                    + (partition.get("owner").isNull() ? "" : ", in another process"),
                            partition.get("state").asString(),
                            "",
                            "",
                            "",
                            "",
                            "",
                            partition.get("lag").asLong() < 0
                                    ? "?"
                                    : String.format(
                                            Locale.ROOT,
                                            "%,d",
                                            partition.get("lag").asLong())));
        }
    }

    private static String bytes(long bytes) {
        return bytes >> 20 >= 10_000 ? (bytes >> 30) + " GB" : (bytes >> 20) + " MB";
    }
}
