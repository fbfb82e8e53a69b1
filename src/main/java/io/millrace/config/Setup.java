package io.millrace.config;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.store.RegionDefinition;
import io.millrace.table.Tables;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that a configuration asks for, checked and compiled.
 *
 * @param pipelines plans, in the order of the configuration
 * @param regions all regions of records
 * @param rejectRegions all regions of rejects
 * @param tables all tables, loaded as far as they come from files
 */
public record Setup(
        List<PipelinePlan> pipelines, List<RegionDefinition> regions, List<RejectRegion> rejectRegions, Tables tables) {

    /**
     * Whether states of pipelines are kept on disk: both where some are and others not, nothing where there are none.
     */
    public Set<Boolean> statePersistence() {
        Set<String> onDisk = regions.stream()
                .filter(RegionDefinition::persistent)
                .map(RegionDefinition::name)
                .collect(Collectors.toSet());
        return pipelines.stream()
                .filter(plan -> !plan.measures().isEmpty())
                .map(plan -> plan.keepsOnDisk(onDisk::contains))
                .collect(Collectors.toSet());
    }

    /**
     * A region of rejects. It is as safe as the safest region that its pipelines write to.
     *
     * @param copies how many more members keep each reject
     */
    public record RejectRegion(String name, int copies, boolean persistent) {}
}
