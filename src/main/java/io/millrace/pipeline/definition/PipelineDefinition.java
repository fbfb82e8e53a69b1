package io.millrace.pipeline.definition;

import io.millrace.pipeline.definition.StepDefinition.BranchDefinition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as configuration has it, nothing of it checked yet but its form.
 *
 * @param name unique
 * @param feed where records come from
 * @param schema name of the records' schema
 * @param steps in order; the last is a route or a target
 * @param rejects name of the region for records that can't be processed; null for one named after the pipeline
 * @param rejectThresholds shares of rejected records at which it warns or fails
 * @param rulesMayChange whether it may continue by other rules where some of its regions are ahead of others
 * @param readsKnownFeed whether it may read a feed that a removed pipeline has read
 */
public record PipelineDefinition(
        String name,
        FeedDefinition feed,
        String schema,
        List<StepDefinition> steps,
        @Nullable String rejects,
        RejectThresholds rejectThresholds,
        boolean rulesMayChange,
        boolean readsKnownFeed) {

    /** Names of all regions that its steps name as targets. */
    public Set<String> regions() {
        return steps.stream()
                .flatMap(PipelineDefinition::targets)
                .map(Target::parse)
                .filter(Target.RegionTarget.class::isInstance)
                .map(Target::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<String> targets(StepDefinition step) {
        return switch (step) {
            case StepDefinition.RouteDefinition route ->
                route.branches().stream().map(BranchDefinition::target);
            case StepDefinition.ToDefinition to -> Stream.of(to.target());
            default -> Stream.empty();
        };
    }

    /** Names of all regions that its measures write to. */
    public Set<String> measureRegions() {
        return steps.stream()
                .filter(StepDefinition.MeasureStepDefinition.class::isInstance)
                .flatMap(step -> ((StepDefinition.MeasureStepDefinition) step).measure().regions().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The region for records that can't be processed. */
    public String rejectsRegion() {
        return rejects == null ? name + "-rejected" : rejects;
    }

    /** Name of the channel that the pipeline's records come in by. */
    public String inputChannel() {
        return name + ".in";
    }

    /** Name of the channel that carries the records that were admitted, to the first step. */
    public String admittedChannel() {
        return name + ".admitted";
    }

    /** Name of the channel that carries records that can't be processed. */
    public String rejectedChannel() {
        return name + ".rejected";
    }

    /** Name of a step, counted from 0, and of the channel that carries what it lets through. */
    public String stepName(int index) {
        return name + "." + (index + 1) + "-" + steps.get(index).kind();
    }

    /** Name of the channel that carries a batch to a region's store. */
    public String storeChannel(String region) {
        return name + ".to-" + region;
    }
}
