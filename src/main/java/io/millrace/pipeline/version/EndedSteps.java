package io.millrace.pipeline.version;

import io.millrace.codec.Counter;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.StepCounters;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of steps that only earlier versions of the rules had, so that those of the pipeline add up. Immutable; the
 * counters do not change any more.
 *
 * @param steps ended steps by name
 * @param sent numbers of records that were sent to channels of the application to which no step sends now
 */
public record EndedSteps(Map<String, StepCounters> steps, Map<String, Long> sent) {

    static final EndedSteps NONE = new EndedSteps(Map.of(), Map.of());

    public EndedSteps {
        steps = Map.copyOf(steps);
        sent = Map.copyOf(sent);
    }

    /**
     * Lets steps continue the counts of those with the same name and kind. Called between two batches, before the first
     * batch of the new steps.
     *
     * @param former steps that receive no more batches
     * @param next steps that replace them
     * @return counts that no step continues
     */
    EndedSteps replace(List<BatchStep> former, List<BatchStep> next) {
        Map<String, StepCounters> ended = new HashMap<>(steps);
        Map<String, Long> endedSent = new HashMap<>(sent);
        for (BatchStep step : former) {
            ended.put(step.name(), step);
            step.sent().forEach((channel, count) -> endedSent.merge(channel, count.get(), Long::sum));
        }
        for (BatchStep step : next) {
            // The name contains the kind.
            StepCounters continued = ended.remove(step.name());
            if (continued != null) {
                step.continueFrom(continued);
            }
            step.sent().forEach((channel, count) -> {
                Long before = endedSent.remove(channel);
                count.add(before == null ? 0 : before);
            });
        }
        return new EndedSteps(ended, endedSent);
    }

    /** Returns the number of records that these steps have dropped. */
    public long dropped() {
        return sum(steps.values(), StepCounters::dropped);
    }

    long made() {
        return made(steps.values());
    }

    /**
     * Returns the number of records that steps have made of others, less that of the others, and how often they have
     * passed a record to one more target.
     */
    static long made(Collection<? extends StepCounters> steps) {
        return sum(steps, StepCounters::made) + sum(steps, StepCounters::copied);
    }

    /** Returns the number of records that were sent to channels. */
    public long sentRecords() {
        return sent.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long sum(
            Collection<? extends StepCounters> steps, Function<StepCounters, @Nullable Counter> counter) {
        return steps.stream()
                .flatMap(step -> Stream.ofNullable(counter.apply(step)))
                .mapToLong(Counter::get)
                .sum();
    }
}
