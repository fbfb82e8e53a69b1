package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.store.StoreStatus;
import java.util.List;

/**
 * Registers the counters of regions that do not depend on their writers. A meter reads its counter when a registry is
 * scraped.
 *
 * @param regions names of the regions that store records
 */
public record RegionMeters(StoreStatus store, List<String> regions) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        MillraceMeter meter = MillraceMeter.RECORDS_EXPIRED;
        for (String region : regions) {
            FunctionCounter.builder(meter.meterName(), store, one -> one.expired(region))
                    .description(meter.description())
                    .tags(meter.tags().getFirst(), region)
                    .baseUnit(meter.unit())
                    .register(registry);
        }
    }
}
