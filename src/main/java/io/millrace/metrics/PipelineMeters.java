package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.pipeline.step.StepMeter;
import io.millrace.pipeline.step.Target;
import io.millrace.store.write.WriterCounters;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of all pipelines. Nothing is pushed: a meter reads its counter when a registry is scraped.
 * Meters of steps continue when the rules change; those of removed steps keep their values.
 */
public final class PipelineMeters implements MeterBinder {

    private static final double MILLIS_PER_SECOND = 1_000;

    private final Pipelines pipelines;

    public PipelineMeters(Pipelines pipelines) {
        this.pipelines = pipelines;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (Pipeline pipeline : pipelines.all()) {
            Binding binding = new Binding(registry, pipeline);
            var _ = pipeline.rules().listen(binding::bindRules);
            binding.bind();
        }
    }

    /**
     * The meters of one pipeline.
     *
     * @param bound regions, steps and channels that have meters: a registry warns of a second meter of the same name
     */
    private record Binding(MeterRegistry registry, Pipeline pipeline, Set<String> bound) {

        Binding(MeterRegistry registry, Pipeline pipeline) {
            this(registry, pipeline, ConcurrentHashMap.newKeySet());
        }

        void bind() {
            counter(MillraceMeter.RECORDS_IN, pipeline.arrived());
            counter(MillraceMeter.BATCHES, pipeline.batches());
            counter(MillraceMeter.STORE_RETRIES, pipeline.storeRetries());
            counter(MillraceMeter.FEED_RETRIES, pipeline.feedRetries());
            for (Kind kind : Kind.values()) {
                counter(MillraceMeter.RECORDS_REJECTED, pipeline.rejected(kind), kind.tag());
            }
            bindRules();
            timer(
                    MillraceMeter.STEP_TIME,
                    pipeline.entry().in(),
                    pipeline.entry().nanos(),
                    pipeline.entry().name());
            counter(MillraceMeter.RECORDS_SUPERSEDED, pipeline.superseded());
            gauge(MillraceMeter.RECORDS_MADE, one -> PipelineStatus.of(one).made());
            gauge(MillraceMeter.RECORDS_IN_FLIGHT, one -> PipelineStatus.of(one).inFlight());
            gauge(MillraceMeter.FEED_POSITION, Pipeline::position);
            gauge(MillraceMeter.FEED_LAG, one -> known(one.feeds().lag()));
            gauge(MillraceMeter.FEED_LAG_MAX, one -> known(one.feeds().largestLag()));
            gauge(MillraceMeter.FEED_AGE, one -> known(one.feeds().age()) / MILLIS_PER_SECOND);
            new FeedMeters(pipeline.name(), pipeline.feed(), pipeline.feeds().counts()).bindTo(registry);
            function(MillraceMeter.ALLOCATED, Pipeline::allocatedBytes);
            pipeline.measures().forEach(measure -> new MeasureMeters(pipeline.name(), measure).bindTo(registry));
            for (PipelineState state : PipelineState.values()) {
                gauge(MillraceMeter.STATE, one -> one.state() == state ? 1 : 0, state.tag());
            }
        }

        /** Registers meters of regions and steps. Does nothing for those that have them. */
        void bindRules() {
            pipeline.writers().forEach(this::region);
            pipeline.steps().forEach(this::step);
        }

        /** Returns NaN for what a feed does not know, so that sums and comparisons do not include it. */
        private static double known(long number) {
            return number < 0 ? Double.NaN : number;
        }

        private void region(String region, WriterCounters counters) {
            if (!bound.add("region " + region)) {
                return;
            }
            counter(MillraceMeter.RECORDS_KEPT, counters.kept(), region);
            counter(MillraceMeter.STORE_WRITTEN, counters.bytes(), region);
            timer(MillraceMeter.STORE_PUT_TIME, counters.puts(), counters.putNanos(), region);
        }

        /** Looks the step up each time, because each version of the rules has other objects. */
        private void step(StepCounters step) {
            String name = step.name();
            step.sent().keySet().forEach(this::channel);
            if (!bound.add("step " + name)) {
                return;
            }
            FunctionTimer.builder(
                            MillraceMeter.STEP_TIME.meterName(),
                            pipeline,
                            one -> count(one, name, StepCounters::in),
                            one -> count(one, name, StepCounters::nanos),
                            TimeUnit.NANOSECONDS)
                    .description(MillraceMeter.STEP_TIME.description())
                    .tags(tags(MillraceMeter.STEP_TIME, name))
                    .register(registry);
            if (step.dropped() != null) {
                function(MillraceMeter.RECORDS_DROPPED, one -> count(one, name, StepCounters::dropped), name);
            }
            step.meters().forEach(meter -> own(name, meter));
        }

        private void channel(String channel) {
            if (bound.add("channel " + channel)) {
                function(MillraceMeter.RECORDS_KEPT, one -> one.rules().sent(channel), Target.CHANNEL_PREFIX + channel);
            }
        }

        private void own(String step, StepMeter meter) {
            FunctionCounter.builder(meter.name(), pipeline, one -> count(one, step, counters -> own(counters, meter)))
                    .description(meter.description())
                    .tags(tags(MillraceMeter.STEP_TIME, step))
                    .register(registry);
        }

        private static @Nullable Counter own(StepCounters step, StepMeter meter) {
            return step.meters().stream()
                    .filter(other -> other.name().equals(meter.name()))
                    .map(StepMeter::counter)
                    .findFirst()
                    .orElse(null);
        }

        private static long count(Pipeline pipeline, String step, Function<StepCounters, @Nullable Counter> counter) {
            StepCounters counters = pipeline.rules().step(step);
            Counter count = counters == null ? null : counter.apply(counters);
            return count == null ? 0 : count.get();
        }

        private Tags tags(MillraceMeter meter, String... values) {
            Tags tags = Tags.of(meter.tags().getFirst(), pipeline.name());
            for (int i = 0; i < values.length; i++) {
                tags = tags.and(meter.tags().get(i + 1), values[i]);
            }
            return tags;
        }

        private void counter(MillraceMeter meter, Counter counter, String... values) {
            FunctionCounter.builder(meter.meterName(), counter, Counter::get)
                    .description(meter.description())
                    .tags(tags(meter, values))
                    .baseUnit(meter.unit())
                    .register(registry);
        }

        private void function(MillraceMeter meter, ToDoubleFunction<Pipeline> value, String... values) {
            FunctionCounter.builder(meter.meterName(), pipeline, value)
                    .description(meter.description())
                    .tags(tags(meter, values))
                    .baseUnit(meter.unit())
                    .register(registry);
        }

        private void timer(MillraceMeter meter, Counter count, Counter nanos, String... values) {
            FunctionTimer.builder(meter.meterName(), count, Counter::get, ignored -> nanos.get(), TimeUnit.NANOSECONDS)
                    .description(meter.description())
                    .tags(tags(meter, values))
                    .register(registry);
        }

        private void gauge(MillraceMeter meter, ToDoubleFunction<Pipeline> value, String... values) {
            Gauge.builder(meter.meterName(), pipeline, value)
                    .description(meter.description())
                    .tags(tags(meter, values))
                    .baseUnit(meter.unit())
                    .register(registry);
        }
    }
}
