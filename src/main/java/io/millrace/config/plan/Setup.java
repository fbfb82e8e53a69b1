package io.millrace.config.plan;

import io.millrace.output.OutputDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.store.catalog.StoredDefinition;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.StoredDefinitions;
import io.millrace.table.Tables;
import io.millrace.web.page.PlaceMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A configuration that has been checked and compiled.
 *
 * @param pipelines plans of all pipelines, in the order of the configuration
 * @param regions all regions, of records and of rejects
 * @param outputs all outputs, by name
 * @param tables all tables; those of files are loaded
 * @param map map of the page; null if there is none
 */
public record Setup(
        List<PipelinePlan> pipelines,
        List<RegionDefinition> regions,
        Map<String, OutputDefinition> outputs,
        Tables tables,
        @Nullable PlaceMap map) {

    /**
     * Returns whether the states of measures are stored on disk: both values if some are and others are not, and none
     * if there are no measures.
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

    /** Returns what is stored on disk, by name in the catalog: regions, and measures with their states. */
    public Map<String, StoredDefinition> stored() {
        Map<String, StoredDefinition> stored = new LinkedHashMap<>();
        regions.stream()
                .filter(RegionDefinition::persistent)
                .forEach(region ->
                        stored.put(region.name(), StoredDefinitions.of(region, GeodeOptions.DEFAULT_BUCKETS)));
        Set<String> onDisk = Set.copyOf(stored.keySet());
        pipelines.stream()
                .filter(pipeline -> pipeline.keepsOnDisk(onDisk::contains))
                .forEach(pipeline -> pipeline.measures()
                        .forEach(measure -> stored.put(
                                StoredDefinition.measureName(pipeline.name(), measure.name()), measure.stored())));
        return stored;
    }
}
