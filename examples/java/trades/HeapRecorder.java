package trades;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Records the use of the heap before and after each garbage collection, and the GC pauses, by Flight Recorder. */
public final class HeapRecorder {

    private static final String HEAP = "jdk.GCHeapSummary";
    private static final String PAUSE = "jdk.GCPhasePause";
    private static final double MILLIS_NS = 1e6;
    private static final double MEGABYTE = 1 << 20;

    private final Recording recording = new Recording();
    private final Instant start;
    private final double usedAtStart;

    /**
     * An event.
     *
     * @param millis time since the start
     * @param megabytes used heap, or NaN for a pause
     * @param pauseMillis length of a pause, or 0
     */
    public record Event(double millis, double megabytes, double pauseMillis) {

        /** Returns whether this is a pause. */
        public boolean isPause() {
            return pauseMillis > 0;
        }
    }

    /** The events of a run, by time. */
    public record Recorded(List<Event> events) {

        /** Writes the events as lines of CSV. */
        public void write(Path file) throws IOException {
            Stream<String> lines = events.stream()
                    .map(event -> event.isPause()
                            ? String.format(Locale.ROOT, "%.1f,,%.2f", event.millis(), event.pauseMillis())
                            : String.format(Locale.ROOT, "%.1f,%.1f,", event.millis(), event.megabytes()));
            Files.write(
                    file, Stream.concat(Stream.of("ms,heap MB,pause ms"), lines).toList());
        }

        /** Reads what {@link #write} has written. */
        public static Recorded read(Path file) throws IOException {
            try (Stream<String> lines = Files.lines(file)) {
                return new Recorded(lines.skip(1)
                        .map(line -> line.split(",", -1))
                        .map(values -> values[2].isEmpty()
                                ? new Event(Double.parseDouble(values[0]), Double.parseDouble(values[1]), 0)
                                : new Event(Double.parseDouble(values[0]), Double.NaN, Double.parseDouble(values[2])))
                        .toList());
            }
        }

        /** Returns the pauses. */
        public List<Event> pauses() {
            return events.stream().filter(Event::isPause).toList();
        }

        /** Returns the use of the heap. */
        public List<Event> heap() {
            return events.stream().filter(event -> !event.isPause()).toList();
        }

        /** Returns the sum of all pauses, in milliseconds. */
        public double pauseMillis() {
            return pauses().stream().mapToDouble(Event::pauseMillis).sum();
        }

        /** Returns the longest pause, in milliseconds. */
        public double longestPauseMillis() {
            return pauses().stream().mapToDouble(Event::pauseMillis).max().orElse(0);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d GC pauses, %.0f ms in total, the longest %.1f ms",
                    pauses().size(),
                    pauseMillis(),
                    longestPauseMillis());
        }
    }

    /** Starts to record. */
    public HeapRecorder() {
        recording.enable(HEAP).withoutStackTrace();
        recording.enable(PAUSE).withoutThreshold().withoutStackTrace();
        recording.start();
        start = Instant.now();
        usedAtStart = usedMegabytes();
    }

    /** Stops, and returns the events. */
    public Recorded stop() throws IOException {
        double end = millis(Instant.now());
        double usedAtEnd = usedMegabytes();
        recording.stop();
        Path file = Files.createTempFile("heap", ".jfr");
        try (recording) {
            recording.dump(file);
            List<Event> events = new ArrayList<>();
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                double millis = millis(event.getStartTime());
                if (event.getEventType().getName().equals(HEAP)) {
                    events.add(new Event(millis, event.getLong("heapUsed") / MEGABYTE, 0));
                } else {
                    events.add(new Event(millis, Double.NaN, event.getDuration().toNanos() / MILLIS_NS));
                }
            }
            events.add(new Event(0, usedAtStart, 0));
            events.add(new Event(end, usedAtEnd, 0));
            events.sort(Comparator.comparingDouble(Event::millis));
            return new Recorded(List.copyOf(events));
        } finally {
            Files.delete(file);
        }
    }

    private static double usedMegabytes() {
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / MEGABYTE;
    }

    private double millis(Instant time) {
        return Duration.between(start, time).toNanos() / MILLIS_NS;
    }
}
