package io.millrace.pipeline.version;

import io.millrace.codec.Counter;
import io.millrace.pipeline.step.Flow;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.pipeline.step.StepMeter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a step of a pipeline: the sums of those of its partitions. Thread-safe.
 *
 * @param steps the steps of the partitions, of one name and kind
 */
public record SummedStep(List<StepCounters> steps) implements StepCounters {

    /** Returns the sums; the step itself if there is only one. */
    public static StepCounters of(List<? extends StepCounters> steps) {
        return steps.size() == 1 ? steps.getFirst() : new SummedStep(List.copyOf(steps));
    }

    private StepCounters first() {
        return steps.getFirst();
    }

    private Counter sum(Function<StepCounters, Counter> counter) {
        return Counter.sum(steps.stream().map(counter).toList());
    }

    private @Nullable Counter sumOfAny(Function<StepCounters, @Nullable Counter> counter) {
        List<Counter> counters = steps.stream()
                .flatMap(step -> Stream.ofNullable(counter.apply(step)))
                .toList();
        return counters.isEmpty() ? null : Counter.sum(counters);
    }

    @Override
    public String name() {
        return first().name();
    }

    @Override
    public String kind() {
        return first().kind();
    }

    @Override
    public Counter in() {
        return sum(StepCounters::in);
    }

    @Override
    public Counter out() {
        return sum(StepCounters::out);
    }

    @Override
    public Counter nanos() {
        return sum(StepCounters::nanos);
    }

    @Override
    public @Nullable Counter dropped() {
        return sumOfAny(StepCounters::dropped);
    }

    @Override
    public @Nullable Counter made() {
        return sumOfAny(StepCounters::made);
    }

    @Override
    public @Nullable Counter copied() {
        return sumOfAny(StepCounters::copied);
    }

    @Override
    public @Nullable Counter atWork() {
        return sumOfAny(StepCounters::atWork);
    }

    @Override
    public Map<String, Counter> sent() {
        Map<String, Counter> sent = new LinkedHashMap<>();
        for (StepCounters step : steps) {
            step.sent()
                    .forEach((channel, counter) -> sent.merge(channel, counter, (a, b) -> Counter.sum(List.of(a, b))));
        }
        return sent;
    }

    @Override
    public List<StepMeter> meters() {
        return first().meters().stream()
                .map(meter -> new StepMeter(
                        meter.name(),
                        meter.description(),
                        sum(step -> step.meters().stream()
                                .filter(other -> other.name().equals(meter.name()))
                                .map(StepMeter::counter)
                                .findFirst()
                                .orElseGet(Counter::new))))
                .toList();
    }

    @Override
    public Flow flow(int expression) {
        long in = 0;
        long out = 0;
        for (StepCounters step : steps) {
            Flow flow = step.flow(expression);
            in += flow.in();
            out += flow.out();
        }
        return new Flow(in, out);
    }
}
