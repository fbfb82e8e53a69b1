package io.millrace.pipeline.version;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.StepCounters;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the rules of a running pipeline. Each partition replaces its version between two of its batches, so
 * for a short time some have the former one. Thread-safe.
 */
public final class LiveRules {

    private final List<PartitionRules> partitions;

    /** @param partitions the rules of each partition, in the order of their numbers */
    public LiveRules(List<PartitionRules> partitions) {
        this.partitions = List.copyOf(partitions);
    }

    /** Returns the rules of the partition with the newest version. */
    private PartitionRules newest() {
        return partitions.stream()
                .max(Comparator.comparingLong(rules -> rules.running().version().number()))
                .orElseThrow();
    }

    /** Returns the plan of the newest version by which a partition processes records. */
    public PipelinePlan plan() {
        return newest().running().version().plan();
    }

    /**
     * A version by which partitions process records.
     *
     * @param number of the version
     */
    public record Version(long number, PipelinePlan plan) {}

    /**
     * Returns the newest stored version by which this process processes records of a partition; empty while it is
     * replaced.
     */
    public Optional<Version> live() {
        long newest = active().stream()
                .mapToLong(rules -> rules.committed().version())
                .max()
                .orElseThrow();
        return active().stream()
                .map(rules -> rules.running().version())
                .filter(running -> running.number() == newest)
                .map(running -> new Version(newest, running.plan()))
                .findFirst();
    }

    /** Returns the number of partitions whose records this process processes. */
    public int activePartitions() {
        return (int) partitions.stream().filter(PartitionRules::active).count();
    }

    /** Returns the number of the newest version by which a partition processes records. */
    public long newestVersion() {
        return newest().running().version().number();
    }

    /** Returns the partitions whose records this process processes; all of them if there is none. */
    private List<PartitionRules> active() {
        List<PartitionRules> active =
                partitions.stream().filter(PartitionRules::active).toList();
        return active.isEmpty() ? partitions : active;
    }

    /** Returns the oldest version by which this process processes records of a partition, and since when. */
    public CommittedVersion committed() {
        return active().stream()
                .map(PartitionRules::committed)
                .min(Comparator.comparingLong(CommittedVersion::version))
                .orElseThrow();
    }

    /** Returns the number of this version; 0 before it is known. */
    public long version() {
        return committed().version();
    }

    /** Returns the version of the rows of each table that the current rules use. */
    public Map<String, String> tables() {
        return newest().tables();
    }

    /** Passes the plan of the newest version and the counters of its steps to a reader. */
    public <T> T read(BiFunction<PipelinePlan, List<StepCounters>, T> reader) {
        PipelineVersion version = newest().running().version();
        return reader.apply(version.plan(), steps(version));
    }

    /** Returns the counters of the steps of the newest version, in order. */
    public List<StepCounters> steps() {
        return steps(newest().running().version());
    }

    private List<StepCounters> steps(PipelineVersion version) {
        return version.steps().stream()
                .map(step -> Objects.requireNonNull(step(step.name())))
                .toList();
    }

    /** Returns the counters of a step that a current version has, or that an earlier one had; null if none had. */
    public @Nullable StepCounters step(String name) {
        List<StepCounters> steps = partitions.stream()
                .flatMap(rules -> Stream.ofNullable(rules.step(name)))
                .toList();
        return steps.isEmpty() ? null : SummedStep.of(steps);
    }

    /** Returns the number of records that were sent to a channel of the application. */
    public long sent(String channel) {
        return partitions.stream().mapToLong(rules -> rules.sent(channel)).sum();
    }

    /**
     * Adds a listener that is called each time a version begins to process records of a partition, on its lane.
     *
     * @return removes the listener
     */
    public Runnable listen(Runnable listener) {
        return all(rules -> rules.listen(listener));
    }

    /**
     * Adds a listener that is called, with the reason, when this process no longer processes records of any partition:
     * other processes have them, or they have failed or were stopped. It may be called again.
     *
     * @return removes the listener
     */
    public Runnable listenToEnd(Consumer<String> listener) {
        return all(rules -> rules.listenToEnd(why -> {
            if (partitions.stream().noneMatch(PartitionRules::active)) {
                listener.accept(why);
            }
        }));
    }

    private Runnable all(Function<PartitionRules, Runnable> adding) {
        List<Runnable> removals = partitions.stream().map(adding).toList();
        return () -> removals.forEach(Runnable::run);
    }

    /**
     * Requests that other rules replace the current ones between two batches of each partition whose records this
     * process processes, once nothing behind these is stored. A partition that it takes over later continues by the
     * version of its last commit, so this must be called again unless {@link #isRequested}.
     *
     * @param number number of the version
     * @return completes with the smallest position from which it processes records, or exceptionally if the pipeline
     *     ends or another request comes first
     */
    public CompletableFuture<Long> change(long number, PipelinePlan plan) {
        return active().stream()
                .map(rules -> rules.change(number, plan))
                .reduce((a, b) -> a.thenCombine(b, Math::min))
                .orElseThrow();
    }

    /**
     * Returns whether this version, or a later one, is used or requested for each partition whose records this process
     * processes.
     */
    public boolean isRequested(long number) {
        return active().stream().allMatch(rules -> rules.isRequested(number));
    }
}
