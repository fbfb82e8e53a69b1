package io.millrace.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What befell a cluster, and how long it took to recover: of each kind of fault, and of all. */
final class FaultReport {

    private final List<Strike> strikes = new ArrayList<>();

    /**
     * A fault that is over.
     *
     * @param takeovers from the fault to where the other ingest runs the pipelines, none where that is not awaited
     * @param recovery from the fault's beginning to where everything is as before; the time that it lasts is in it
     */
    record Strike(Fault fault, List<Duration> takeovers, Duration recovery) {}

    void add(Strike strike) {
        strikes.add(strike);
    }

    /** A table, with seconds. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-18s %6s %9s %8s %8s %8s %8s",
                "fault",
                "times",
                "takeovers",
                "median",
                "longest",
                "intact",
                "longest"));
        for (Fault fault : Fault.values()) {
            List<Strike> some =
                    strikes.stream().filter(strike -> strike.fault() == fault).toList();
            if (!some.isEmpty()) {
                lines.add(line(fault.name(), some));
            }
        }
        lines.add(line("all", strikes));
        return String.join("\n", lines);
    }

    private static String line(String name, List<Strike> strikes) {
        List<Duration> takeovers = sorted(strikes.stream().flatMap(strike -> strike.takeovers().stream()));
        List<Duration> recoveries = sorted(strikes.stream().map(Strike::recovery));
        return String.format(
                Locale.ROOT,
                "%-18s %6d %9d %8s %8s %8s %8s",
                name,
                strikes.size(),
                takeovers.size(),
                median(takeovers),
                longest(takeovers),
                median(recoveries),
                longest(recoveries));
    }

    private static List<Duration> sorted(Stream<Duration> durations) {
        return durations.sorted().toList();
    }

    private static String median(List<Duration> sorted) {
        return sorted.isEmpty() ? "-" : seconds(sorted.get(sorted.size() / 2));
    }

    private static String longest(List<Duration> sorted) {
        return sorted.isEmpty() ? "-" : seconds(sorted.getLast());
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1000.0);
    }
}
