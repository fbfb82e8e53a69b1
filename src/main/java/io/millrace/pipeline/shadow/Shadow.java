package io.millrace.pipeline.shadow;

import io.millrace.codec.Counter;
import io.millrace.pipeline.ObservedPartition;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.version.LiveRules;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a candidate with the live rules on the batches that this process processes, in each
 * {@linkplain PartitionShadow partition} on its own. A candidate that fails ends the shadow, and the live rules never
 * notice it. Thread-safe.
 */
final class Shadow implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);

    private final Pipeline pipeline;
    private final Comparison comparison;
    /** Of a failure, the first ones only, until the constructor returns. */
    private final List<PartitionShadow> partitions = new CopyOnWriteArrayList<>();

    private volatile @Nullable String failure;

    /**
     * Starts to compare.
     *
     * @param live version of the rules; batches that a partition processes by another one are not compared
     * @param other the candidate
     * @param surroundings of the pipeline
     * @throws ShadowException if a channel of the application can't be observed
     */
    Shadow(Pipeline pipeline, LiveRules.Version live, PipelinePlan other, Surroundings surroundings) {
        this.pipeline = pipeline;
        PipelinePlan rules = live.plan();
        this.comparison =
                new Comparison(rules, other, Destinations.of(rules, other), surroundings.regions(), List.of());
        ShadowBudget budget = new ShadowBudget(
                surroundings.nanoTime().getAsLong(),
                () -> Math.min(
                        rules.definition().parallelism().lanes(),
                        pipeline.rules().activePartitions()));
        List<ObservedPartition> observed = pipeline.observed();
        for (ObservedPartition partition : observed) {
            partitions.add(new PartitionShadow(
                    new PartitionShadow.Scope(partition, observed.size(), live.number()),
                    rules,
                    other,
                    surroundings,
                    comparison,
                    budget,
                    this::end));
        }
        if (failure != null) {
            close(); // the candidate has failed in one of them before the others were created
        }
    }

    private void end(String why, @Nullable Throwable e) {
        failure = why;
        LOG.warn("{}: the shadow has ended. {}", pipeline.name(), why, e);
        close();
    }

    /** Returns why the candidate has ended by itself, or null if it has not. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Returns what has been compared so far. Any thread may call it. */
    ShadowReport report() {
        return comparison.report(
                sum(PartitionShadow::skipped),
                sum(PartitionShadow::stepNanos),
                sum(PartitionShadow::liveNanos),
                sum(PartitionShadow::nanos));
    }

    private long sum(Function<PartitionShadow, Counter> counter) {
        return partitions.stream().map(counter).mapToLong(Counter::get).sum();
    }

    @Override
    public void close() {
        partitions.forEach(PartitionShadow::stop);
    }
}
