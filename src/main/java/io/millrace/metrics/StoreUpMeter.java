package io.millrace.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.BooleanSupplier;

/**
 * Registers whether this process has the store or cluster that it needs.
 *
 * @param up returns without delay
 */
public record StoreUpMeter(BooleanSupplier up) implements MeterBinder {

    /** Creates a meter that checks a requirement each time it is read. */
    public static StoreUpMeter of(Runnable requirement) {
        return new StoreUpMeter(() -> StoreWatch.holds(requirement));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MillraceMeter meter = MillraceMeter.STORE_UP;
        Gauge.builder(meter.meterName(), () -> up.getAsBoolean() ? 1 : 0)
                .description(meter.description())
                .register(registry);
    }
}
