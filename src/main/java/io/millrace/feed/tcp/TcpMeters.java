package io.millrace.feed.tcp;

import io.millrace.feed.FeedMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** The metrics of a TCP feed. Their names are an interface: dashboards and alerts depend on them. */
final class TcpMeters {

    private TcpMeters() {}

    static List<FeedMeter> of(TcpCounters counters, DoubleSupplier openConnections) {
        List<FeedMeter> meters = new ArrayList<>();
        meters.add(new FeedMeter(
                FeedMeter.Type.GAUGE,
                "millrace.tcp.connections.open",
                null,
                "Connections of a TCP feed that are open or have unread data.",
                Map.of(),
                openConnections));
        meters.add(counter(
                "millrace.tcp.connections.accepted",
                null,
                "Connections that a TCP feed accepted.",
                Map.of(),
                counters.accepted()::sum));
        for (CloseReason reason : CloseReason.values()) {
            meters.add(counter(
                    "millrace.tcp.connections.closed",
                    null,
                    "Connections of a TCP feed that were closed.",
                    Map.of("reason", reason.tag()),
                    counters.closed(reason)::sum));
        }
        meters.add(counter(
                "millrace.tcp.received",
                "bytes",
                "Bytes received over TCP, including framing and rejects.",
                Map.of(),
                counters.bytes()::sum));
        meters.add(counter(
                "millrace.tcp.records",
                null,
                "Records received over TCP, including rejected ones.",
                Map.of(),
                counters.records()::get));
        return meters;
    }

    private static FeedMeter counter(
            String name, @Nullable String unit, String description, Map<String, String> tags, DoubleSupplier value) {
        return new FeedMeter(FeedMeter.Type.COUNTER, name, unit, description, tags, value);
    }
}
