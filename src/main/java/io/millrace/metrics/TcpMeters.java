package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.feed.tcp.CloseReason;
import io.millrace.feed.tcp.TcpCounters;
import io.millrace.feed.tcp.TcpFeed;
import java.util.function.ToDoubleFunction;

/**
 * Registers the counters that only TCP feeds have. A meter reads its counter when a registry is scraped.
 *
 * @param pipeline name of the pipeline
 */
public record TcpMeters(String pipeline, TcpFeed feed) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Tags tags = Tags.of(MillraceMeter.TCP_CONNECTIONS.tags().getFirst(), pipeline);
        Gauge.builder(MillraceMeter.TCP_CONNECTIONS.meterName(), feed, TcpFeed::openConnections)
                .description(MillraceMeter.TCP_CONNECTIONS.description())
                .tags(tags)
                .baseUnit(MillraceMeter.TCP_CONNECTIONS.unit())
                .register(registry);
        counter(
                registry,
                MillraceMeter.TCP_ACCEPTED,
                tags,
                one -> one.accepted().sum());
        counter(registry, MillraceMeter.TCP_RECEIVED, tags, one -> one.bytes().sum());
        counter(registry, MillraceMeter.TCP_RECORDS, tags, one -> one.records().get());
        for (CloseReason reason : CloseReason.values()) {
            Tags withReason = tags.and(MillraceMeter.TCP_CLOSED.tags().get(1), reason.tag());
            counter(
                    registry,
                    MillraceMeter.TCP_CLOSED,
                    withReason,
                    one -> one.closed(reason).sum());
        }
    }

    private void counter(MeterRegistry registry, MillraceMeter meter, Tags tags, ToDoubleFunction<TcpCounters> value) {
        FunctionCounter.builder(meter.meterName(), feed.counters(), value)
                .description(meter.description())
                .tags(tags)
                .baseUnit(meter.unit())
                .register(registry);
    }
}
