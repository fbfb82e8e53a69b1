package io.millrace.pipeline.definition;

import io.millrace.feed.FeedDefinition;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.Target;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as configured. Only its form has been checked.
 *
 * @param name unique name
 * @param feed source of records
 * @param schema name of the records' schema
 * @param steps steps in order; the last is a route or a target
 * @param keepRaw name of the region that stores the records before the first step, or null for none
 * @param rejects targets of rejected records: outputs, and at most one region; without a region, they go to one with a
 *     name derived from the pipeline's
 * @param rejectThresholds shares of rejected records at which the pipeline warns or fails
 * @param lateThresholds share of late records of a measure at which the pipeline warns
 * @param rulesMayChange whether the pipeline may continue under different rules although some of its regions are ahead
 *     of others
 * @param readsKnownFeed whether the pipeline may read a feed that a removed pipeline has read
 * @param parallelism number of its partitions and lanes
 */
public record PipelineDefinition(
        String name,
        FeedDefinition feed,
        String schema,
        List<StepDefinition> steps,
        @Nullable String keepRaw,
        List<Target> rejects,
        RejectThresholds rejectThresholds,
        LateThresholds lateThresholds,
        boolean rulesMayChange,
        boolean readsKnownFeed,
        Parallelism parallelism) {

    public PipelineDefinition {
        rejects = List.copyOf(rejects);
    }

    /** Returns the pipeline with other steps. */
    public PipelineDefinition withSteps(List<StepDefinition> others) {
        return new PipelineDefinition(
                name,
                feed,
                schema,
                others,
                keepRaw,
                rejects,
                rejectThresholds,
                lateThresholds,
                rulesMayChange,
                readsKnownFeed,
                parallelism);
    }

    /** Returns the names of all regions that its steps have as targets. */
    public Set<String> regions() {
        return steps.stream()
                .flatMap(step -> step.targets().stream())
                .filter(Target.RegionTarget.class::isInstance)
                .map(Target::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the outputs that its steps have as targets. */
    public List<Target.OutputTarget> outputs() {
        return outputs(steps.stream().flatMap(step -> step.targets().stream()));
    }

    private static List<Target.OutputTarget> outputs(Stream<Target> targets) {
        return targets.filter(Target.OutputTarget.class::isInstance)
                .map(Target.OutputTarget.class::cast)
                .distinct()
                .toList();
    }

    /** Returns the names of all regions that store its records: the targets, and that of {@code keepRaw}. */
    public Set<String> recordRegions() {
        return Stream.concat(regions().stream(), Stream.ofNullable(keepRaw))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the names of all regions that its measures write to. */
    public Set<String> measureRegions() {
        return steps.stream()
                .flatMap(step -> step.measureTargets().stream())
                .filter(Target.RegionTarget.class::isInstance)
                .map(Target::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the name of the region that stores rejected records. */
    public String rejectsRegion() {
        return rejectsRegion(name, rejects);
    }

    /**
     * Returns the name of the region that stores the rejected records of a pipeline.
     *
     * @param targets configured targets of rejected records
     */
    public static String rejectsRegion(String pipeline, List<Target> targets) {
        return targets.stream()
                .filter(Target.RegionTarget.class::isInstance)
                .map(Target::name)
                .findFirst()
                .orElse(pipeline + "-rejected");
    }

    /** Returns the outputs that receive rejected records. */
    public List<Target.OutputTarget> rejectOutputs() {
        return outputs(rejects.stream());
    }

    /** Returns whether any output receives its records, its rejects, or rows or alerts of its measures. */
    public boolean hasOutputs() {
        return Stream.of(
                        steps.stream().flatMap(step -> step.targets().stream()),
                        steps.stream().flatMap(step -> step.measureTargets().stream()),
                        rejects.stream())
                .flatMap(targets -> targets)
                .anyMatch(Target.OutputTarget.class::isInstance);
    }

    /** Returns the name of the channel on which the pipeline receives records. */
    public String inputChannel() {
        return inputChannel(name);
    }

    /** Returns the name of the channel on which a pipeline receives records. */
    public static String inputChannel(String pipeline) {
        return pipeline + ".in";
    }

    /** Returns the name of the channel that carries admitted records to the region of {@code keepRaw}. */
    public String rawChannel() {
        return name + ".raw";
    }

    /** Returns the name of the channel that carries admitted records to the first step. */
    public String admittedChannel() {
        return admittedChannel(name);
    }

    /** Returns the name of the channel that carries a pipeline's admitted records to its first step. */
    public static String admittedChannel(String pipeline) {
        return pipeline + ".admitted";
    }

    /** Returns the name of the channel that carries rejected records. */
    public String rejectedChannel() {
        return rejectedChannel(name);
    }

    /** Returns the name of the channel that carries a pipeline's rejected records. */
    public static String rejectedChannel(String pipeline) {
        return pipeline + ".rejected";
    }

    /**
     * Returns the name of a step, which is also the name of its output channel.
     *
     * @param index index of the step, from 0
     */
    public String stepName(int index) {
        return stepName(name, index, steps.get(index).kind());
    }

    /**
     * Returns the name of a pipeline's step, which is also the name of its output channel.
     *
     * @param index index of the step, from 0
     */
    public static String stepName(String pipeline, int index, String kind) {
        return pipeline + "." + (index + 1) + "-" + kind;
    }
}
