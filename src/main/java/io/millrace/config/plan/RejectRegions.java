package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_REGION;
import static io.millrace.schema.ProblemCode.SHARED_REGION;

import io.millrace.config.properties.RegionProperties;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.RegionNames;
import io.millrace.store.region.Retention;
import io.millrace.store.reject.Reject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Plans the regions of rejects. A region that is not configured has default retention. Each region has the most
 * redundant copies of any region that its pipelines write to, and is persistent if one of those is.
 */
final class RejectRegions {

    /** Default of {@code retain.size}. */
    private static final long DEFAULT_BYTES = 64L << 20;

    private final Map<String, RegionProperties> configured;
    private final List<PipelinePlan> plans;
    private final BiConsumer<String, String> problems;

    /**
     * @param configured all regions of the configuration
     * @param problems receives each error: the property and the message
     */
    RejectRegions(
            Map<String, RegionProperties> configured, List<PipelinePlan> plans, BiConsumer<String, String> problems) {
        this.configured = configured;
        this.plans = plans;
        this.problems = problems;
    }

    List<RegionDefinition> definitions() {
        Map<String, List<PipelinePlan>> pipelines = new LinkedHashMap<>();
        for (PipelinePlan plan : plans) {
            pipelines
                    .computeIfAbsent(plan.definition().rejectsRegion(), _ -> new ArrayList<>())
                    .add(plan);
        }
        List<RegionDefinition> definitions = new ArrayList<>();
        pipelines.forEach((name, writers) -> {
            RegionDefinition definition = definition(name, writers);
            if (definition != null) {
                definitions.add(definition);
            }
        });
        return definitions;
    }

    private @Nullable RegionDefinition definition(String name, List<PipelinePlan> writers) {
        String property = "pipelines." + writers.getFirst().name() + ".rejects";
        String refusal = RegionNames.refusal(name);
        if (refusal != null) {
            problems.accept(property, INVALID_NAME.message(refusal));
            return null;
        }
        if (plans.stream()
                .anyMatch(plan -> plan.definition().recordRegions().contains(name)
                        || plan.definition().measureRegions().contains(name))) {
            problems.accept(
                    property,
                    SHARED_REGION.message(
                            "Region '" + name + "' stores records. Use a region of its own for rejects."));
            return null;
        }
        List<RegionProperties> targets = writers.stream()
                .flatMap(plan -> plan.definition().recordRegions().stream())
                .map(configured::get)
                .filter(Objects::nonNull)
                .toList();
        int copies = targets.stream()
                .mapToInt(region -> Math.clamp(region.redundantCopies(), 0, RegionDefinition.MAX_COPIES))
                .max()
                .orElse(0);
        // Outputs remain, so the rejects of their records do too.
        boolean persistent = targets.stream().anyMatch(RegionProperties::persistent)
                || writers.stream().anyMatch(plan -> plan.definition().hasOutputs());
        RegionProperties own = configured.get(name);
        try {
            if (own == null) {
                return Reject.region(name, copies, persistent, new Retention(null, DEFAULT_BYTES), Memory.HEAP);
            }
            requireOnlyStorage(name, own, persistent);
            Retention retention = own.retain() == null ? new Retention(null, DEFAULT_BYTES) : own.retention();
            return Reject.region(
                    name, Math.max(copies, own.redundantCopies()), persistent, retention, own.memoryOptions());
        } catch (IllegalArgumentException e) {
            problems.accept("regions." + name, INVALID_REGION.message(String.valueOf(e.getMessage())));
            return null;
        }
    }

    private void requireOnlyStorage(String name, RegionProperties own, boolean persistent) {
        if (own.layout() != Layout.BLOCKS
                || own.encoding() != BlockEncoding.ROWS
                || !own.key().isEmpty()
                || own.remove() != null
                || own.latest() != null
                || !own.keepAdded()
                || (own.schema() != null && !own.schema().equals(Reject.SCHEMA.name()))
                || own.blockRecords() != RegionDefinition.DEFAULT_BLOCK_RECORDS) {
            problems.accept(
                    "regions." + name,
                    INVALID_REGION.message(
                            "A region of rejects may have 'retain', 'redundant-copies', 'max-memory' and 'off-heap' only."));
        }
        if (own.persistent() && !persistent) {
            problems.accept(
                    "regions." + name + ".persistent",
                    INVALID_REGION.message(
                            "Rejects are stored on disk if another region of their pipeline is. Here, none is."));
        }
    }
}
