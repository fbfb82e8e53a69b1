package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.codec.Counter;
import io.millrace.feed.Feed;

/**
 * Registers the counters of a feed other than those of its records.
 *
 * @param pipeline name of the feed's pipeline
 * @param feed the feed, which retains its counters while it is in use
 */
public record FeedMeters(String pipeline, Feed feed) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        MillraceMeter meter = MillraceMeter.FEED_EVENTS;
        feed.counts()
                .forEach((event, counter) -> FunctionCounter.builder(meter.meterName(), counter, Counter::get)
                        .description(meter.description())
                        .tags(Tags.of(
                                meter.tags().getFirst(), pipeline, meter.tags().getLast(), event))
                        .baseUnit(meter.unit())
                        .register(registry));
    }
}
