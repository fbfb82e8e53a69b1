package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.codec.Counter;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedMeter;
import java.util.Map;

/**
 * Registers the counters and the metrics of a feed other than those of its records. A meter reads its value when a
 * registry is scraped.
 *
 * @param pipeline name of the feed's pipeline
 * @param feed the feed of its first partition, which has the other metrics
 * @param counts sums of the counters of all partitions, which the pipeline retains
 */
public record FeedMeters(String pipeline, Feed feed, Map<String, Counter> counts) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        MillraceMeter meter = MillraceMeter.FEED_EVENTS;
        counts.forEach((event, counter) -> FunctionCounter.builder(meter.meterName(), counter, Counter::get)
                .description(meter.description())
                .tags(Tags.of(meter.tags().getFirst(), pipeline, meter.tags().getLast(), event))
                .baseUnit(meter.unit())
                .register(registry));
        feed.meters().forEach(own -> register(own, registry));
    }

    private void register(FeedMeter meter, MeterRegistry registry) {
        Tags tags = Tags.of("pipeline", pipeline);
        for (var tag : meter.tags().entrySet()) {
            tags = tags.and(tag.getKey(), tag.getValue());
        }
        switch (meter.type()) {
            case COUNTER ->
                FunctionCounter.builder(meter.name(), feed, _ -> meter.value().getAsDouble())
                        .description(meter.description())
                        .tags(tags)
                        .baseUnit(meter.unit())
                        .register(registry);
            case GAUGE ->
                Gauge.builder(meter.name(), feed, _ -> meter.value().getAsDouble())
                        .description(meter.description())
                        .tags(tags)
                        .baseUnit(meter.unit())
                        .register(registry);
        }
    }
}
