package io.millrace.config.plan;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what needs more order than the partitions of a pipeline keep: each has its own, and there is none among them.
 */
final class PartitionsCheck {

    /** Kinds of steps that change no fields but those that they name. */
    private static final Set<String> KEEPING = Set.of("enrich", "filter", "measure", "route", "set", "to", "validate");

    private PartitionsCheck() {}

    /**
     * Returns why a plan needs one partition; empty if it does not, or has only one.
     *
     * @param regions all regions
     */
    static List<String> mistakes(PipelinePlan plan, Collection<RegionDefinition> regions) {
        List<String> mistakes = new ArrayList<>();
        if (plan.definition().parallelism().partitions() == 1) {
            return mistakes;
        }
        Set<String> splitBy = splitBy(plan);
        for (RegionDefinition region : regions) {
            if (region.layout() == Layout.ENTRIES
                    && region.latest() == null
                    && Collections.disjoint(region.keyFields(), splitBy)
                    && plan.definition().recordRegions().contains(region.name())) {
                mistakes.add("Region '" + region.name()
                        + "' contains the latest record of each key, and several partitions have no common order."
                        + " Set 'latest' of the region to a field that orders its records, use 'layout: blocks', or set"
                        + " partitions: 1.");
            }
        }
        return mistakes;
    }

    /** Returns the fields of the records as they are stored of which each decides the partition of a record. */
    private static Set<String> splitBy(PipelinePlan plan) {
        boolean isKnown = plan.stages().size() == 1
                && KEEPING.containsAll(plan.definition().steps().stream()
                        .map(StepDefinition::kind)
                        .toList());
        if (!isKnown) {
            return Set.of();
        }
        Set<String> fields =
                new HashSet<>(plan.definition().feed().splitBy(plan.schema().base()));
        plan.steps().forEach(step -> step.explanation().writes().forEach(place -> fields.remove(place.name())));
        return fields;
    }
}
