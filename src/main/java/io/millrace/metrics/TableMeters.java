package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.table.Table;
import io.millrace.table.TableStatus;
import io.millrace.table.Tables;
import java.util.function.ToDoubleFunction;

/**
 * Registers the meters of all tables.
 *
 * @param tables retained while the meters are read
 */
public record TableMeters(Tables tables) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Table table : tables.all()) {
            gauge(registry, MillraceMeter.TABLE_ROWS, table, TableStatus::rows);
            gauge(registry, MillraceMeter.TABLE_SIZE, table, TableStatus::bytes);
            counter(registry, MillraceMeter.TABLE_LOADS, table, TableStatus::loads);
            counter(registry, MillraceMeter.TABLE_FAILURES, table, TableStatus::failures);
        }
    }

    private static void gauge(
            MeterRegistry registry, MillraceMeter meter, Table table, ToDoubleFunction<TableStatus> value) {
        Gauge.builder(meter.meterName(), table, one -> value.applyAsDouble(one.status()))
                .description(meter.description())
                .tags(Tags.of(meter.tags().getFirst(), table.name()))
                .baseUnit(meter.unit())
                .register(registry);
    }

    private static void counter(
            MeterRegistry registry, MillraceMeter meter, Table table, ToDoubleFunction<TableStatus> value) {
        FunctionCounter.builder(meter.meterName(), table, one -> value.applyAsDouble(one.status()))
                .description(meter.description())
                .tags(Tags.of(meter.tags().getFirst(), table.name()))
                .baseUnit(meter.unit())
                .register(registry);
    }
}
