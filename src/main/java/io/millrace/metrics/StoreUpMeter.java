package io.millrace.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.BooleanSupplier;

/**
 * Registers whether this process has what it needs of its store or cluster.
 *
 * @param up answers at once
 */
public record StoreUpMeter(BooleanSupplier up) implements MeterBinder {

    /** A meter of what is asked anew each time. */
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
