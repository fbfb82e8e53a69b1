package io.millrace.config.plan;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Finds what needs more order than the partitions of a pipeline keep: each has its own, and there is none among them.
 */
final class PartitionsCheck {

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
        // Fields of records that a step has made of others are not those of the feed.
        Set<String> splitBy = plan.stages().size() == 1
                ? plan.definition().feed().splitBy(plan.schema().base())
                : Set.of();
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
}
