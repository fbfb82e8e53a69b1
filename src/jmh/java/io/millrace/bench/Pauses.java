package io.millrace.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** The pauses of the garbage collector, to the nanosecond, as Flight Recorder tells them. */
final class Pauses {

    private static final double MILLISECOND_NS = 1e6;

    private final Recording recording = new Recording();

    /** Begins to listen. */
    Pauses() {
        recording.enable("jdk.GCPhasePause").withoutThreshold().withoutStackTrace();
        recording.start();
    }

    /** Ends listening; returns what there was in words. */
    String stop() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("pauses", ".jfr");
        try (recording) {
            recording.dump(file);
            List<Duration> pauses = RecordingFile.readAllEvents(file).stream()
                    .map(event -> event.getDuration())
                    .toList();
            long total = pauses.stream().mapToLong(Duration::toNanos).sum();
            long longest = pauses.stream().mapToLong(Duration::toNanos).max().orElse(0);
            return String.format(
                    Locale.ROOT,
                    "%d GC pauses, %.2f ms in all, longest %.2f ms",
                    pauses.size(),
                    total / MILLISECOND_NS,
                    longest / MILLISECOND_NS);
        } finally {
            Files.delete(file);
        }
    }
}
