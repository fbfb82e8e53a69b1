package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of the store and of the size of its regions.
 *
 * @param watch retained while its meters are read
 * @param server whether this process is a server, which knows the redundant copies and checks writes
 */
public record StoreMeters(StoreWatch watch, boolean server) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        new StoreUpMeter(watch::up).bindTo(registry);
        if (server) {
            gauge(registry, MillraceMeter.STORE_COPIES, Tags.empty(), one -> one.copiesComplete() ? 1 : 0);
            MillraceMeter refused = MillraceMeter.STORE_WRITES_REFUSED;
            FunctionCounter.builder(refused.meterName(), watch, StoreWatch::refusedWrites)
                    .description(refused.description())
                    .register(registry);
        }
        for (String region : watch.regions()) {
            Tags tags = Tags.of(MillraceMeter.REGION_RECORDS.tags().getFirst(), region);
            gauge(registry, MillraceMeter.REGION_RECORDS, tags, one -> one.records(region));
            gauge(registry, MillraceMeter.REGION_SIZE, tags, one -> one.bytes(region));
        }
    }

    private void gauge(MeterRegistry registry, MillraceMeter meter, Tags tags, ToDoubleFunction<StoreWatch> value) {
        Gauge.builder(meter.meterName(), watch, value)
                .description(meter.description())
                .tags(tags)
                .baseUnit(meter.unit())
                .register(registry);
    }
}
