package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.pipeline.alert.AlertDelivery;
import io.millrace.pipeline.alert.AlertDispatcher;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of the application's alert listeners.
 *
 * @param dispatcher retained while the meters are read
 */
public record AlertMeters(AlertDispatcher dispatcher) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        for (AlertDelivery delivery : dispatcher.deliveries()) {
            counter(registry, delivery, "delivered", AlertDelivery::delivered);
            counter(registry, delivery, "failed", AlertDelivery::failed);
            counter(registry, delivery, "dropped", AlertDelivery::dropped);
        }
    }

    private static void counter(
            MeterRegistry registry, AlertDelivery delivery, String outcome, ToDoubleFunction<AlertDelivery> value) {
        MillraceMeter meter = MillraceMeter.ALERT_EVENTS;
        List<String> keys = meter.tags();
        FunctionCounter.builder(meter.meterName(), delivery, value)
                .description(meter.description())
                .tags(Tags.of(keys.get(0), delivery.name(), keys.get(1), outcome))
                .baseUnit(meter.unit())
                .register(registry);
    }
}
