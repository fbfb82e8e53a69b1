package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.codec.Counter;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.MeasureListener;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.measure.window.MeasureCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of a measure. If the measure sets {@code meters}, the values of the first groups of each window
 * are included, with the group's name as a tag.
 *
 * @param pipeline name of the pipeline
 */
public record MeasureMeters(String pipeline, RunningMeasure measure) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        MeasurePlan plan = measure.plan();
        MeasureCounts counts = measure.counts();
        counter(registry, counts.counted(), "counted");
        counter(registry, counts.late(), "late");
        counter(registry, counts.ahead(), "ahead");
        counter(registry, counts.failed(), "failed");
        Gauge.builder(MillraceMeter.MEASURE_GROUPS.meterName(), measure, RunningMeasure::groups)
                .description(MillraceMeter.MEASURE_GROUPS.description())
                .tags(tags(MillraceMeter.MEASURE_GROUPS))
                .baseUnit(MillraceMeter.MEASURE_GROUPS.unit())
                .register(registry);
        for (int i = 0; i < plan.alerts().size(); i++) {
            Counter raised = measure.raised(i);
            Gauge.builder(MillraceMeter.MEASURE_ALERTS.meterName(), raised, Counter::get)
                    .description(MillraceMeter.MEASURE_ALERTS.description())
                    .tags(tags(
                            MillraceMeter.MEASURE_ALERTS, plan.alerts().get(i).name()))
                    .baseUnit(MillraceMeter.MEASURE_ALERTS.unit())
                    .register(registry);
        }
        if (plan.definition().meters() > 0) {
            measure.listen(new ValueMeters(plan, registry));
        }
    }

    private void counter(MeterRegistry registry, Counter counter, String outcome) {
        FunctionCounter.builder(MillraceMeter.MEASURE_RECORDS.meterName(), counter, Counter::get)
                .description(MillraceMeter.MEASURE_RECORDS.description())
                .tags(tags(MillraceMeter.MEASURE_RECORDS, outcome))
                .baseUnit(MillraceMeter.MEASURE_RECORDS.unit())
                .register(registry);
    }

    private Tags tags(MillraceMeter meter, String... more) {
        List<String> keys = meter.tags();
        Tags tags = Tags.of(keys.get(0), pipeline, keys.get(1), measure.plan().name());
        for (int i = 0; i < more.length; i++) {
            tags = tags.and(keys.get(i + 2), more[i]);
        }
        return tags;
    }

    /** Publishes the values of the last window as gauges. */
    private final class ValueMeters implements MeasureListener {

        private final MeasurePlan plan;
        private final List<MultiGauge> gauges = new ArrayList<>();

        ValueMeters(MeasurePlan plan, MeterRegistry registry) {
            this.plan = plan;
            for (String value : plan.valueNames()) {
                gauges.add(MultiGauge.builder(MillraceMeter.MEASURE_VALUE.meterName())
                        .description(MillraceMeter.MEASURE_VALUE.description())
                        .tags(tags(MillraceMeter.MEASURE_VALUE, value))
                        .register(registry));
            }
        }

        @Override
        public void closed(MeasurePlan closedPlan, Window window) {
            int groups = Math.min(plan.definition().meters(), window.count());
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            for (int row = 0; row < groups; row++) {
                rows.add(plan.decode(window, row));
            }
            String tag = MillraceMeter.MEASURE_VALUE.tags().getLast();
            for (int i = 0; i < gauges.size(); i++) {
                String value = plan.valueNames().get(i);
                gauges.get(i)
                        .register(
                                rows.stream()
                                        .filter(row -> row.get(value) instanceof Number)
                                        .map(row ->
                                                MultiGauge.Row.of(Tags.of(tag, group(row)), (Number) row.get(value)))
                                        .collect(Collectors.toList()),
                                true);
            }
        }

        private String group(Map<String, @Nullable Object> row) {
            if (Boolean.TRUE.equals(row.get("others"))) {
                return "others";
            }
            return plan.keyNames().isEmpty()
                    ? "all"
                    : plan.keyNames().stream()
                            .map(key -> String.valueOf(row.get(key)))
                            .collect(Collectors.joining("|"));
        }
    }
}
