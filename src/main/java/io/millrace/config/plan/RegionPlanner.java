package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.INVALID_REGION;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static io.millrace.schema.ProblemCode.SHARED_REGION;
import static io.millrace.schema.ProblemCode.UNKNOWN_REGION;
import static io.millrace.schema.ProblemCode.UNUSED_REGION;

import io.millrace.config.properties.RegionProperties;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.Compiled;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.Removals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives the schema of each region from the pipelines that write to it, which must agree. Not thread-safe; used once.
 */
final class RegionPlanner {

    private final Map<String, RegionProperties> configured;
    private final ConfiguredSchemas schemas;
    private final FunctionRegistry functions;
    private final PlanProblems problems;
    private final List<RegionDefinition> regions = new ArrayList<>();

    /** @param problems receives what is wrong */
    RegionPlanner(
            Map<String, RegionProperties> configured,
            ConfiguredSchemas schemas,
            FunctionRegistry functions,
            PlanProblems problems) {
        this.configured = configured;
        this.schemas = schemas;
        this.functions = functions;
        this.problems = problems;
    }

    /**
     * Returns the regions of records, measures and rejects. An invalid region is left out.
     *
     * @param allRead whether all steps of all pipelines are known; if not, a region may have writers that are unknown
     */
    List<RegionDefinition> regions(List<PipelineDefinition> definitions, List<PipelinePlan> plans, boolean allRead) {
        MeasureRegions measures = new MeasureRegions(plans, problems::add);
        Set<String> rejects =
                plans.stream().map(plan -> plan.definition().rejectsRegion()).collect(Collectors.toSet());
        definitions.forEach(this::requireRaw);
        configured.forEach((name, region) -> {
            if (!rejects.contains(name)) {
                plan(name, region, definitions, plans, measures, allRead);
            }
        });
        regions.addAll(new RejectRegions(configured, plans, problems::add).definitions());
        return regions;
    }

    private void requireRaw(PipelineDefinition definition) {
        String region = definition.keepRaw();
        if (region != null && !configured.containsKey(region)) {
            problems.add(
                    "pipelines." + definition.name() + ".keep-raw",
                    UNKNOWN_REGION.message("Unknown region '" + region + "'"
                            + NearestName.hint(region, configured.keySet())
                            + " Regions are defined under 'millrace.regions'."));
        }
    }

    private void plan(
            String name,
            RegionProperties region,
            List<PipelineDefinition> definitions,
            List<PipelinePlan> plans,
            MeasureRegions measures,
            boolean allRead) {
        boolean written = definitions.stream()
                .anyMatch(definition -> definition.recordRegions().contains(name)
                        || definition.measureRegions().contains(name));
        Schema given = schemas.find("regions." + name + ".schema", region.schema());
        if (allRead && !written && region.schema() == null && !isMisspelt(name, definitions)) {
            problems.add(
                    "regions." + name,
                    UNUSED_REGION.message("No pipeline sends records to region '" + name
                            + "'. To query what is stored in it, set" + " 'millrace.regions." + name + ".schema'."));
        }
        if (region.layout() == Layout.ENTRIES && region.key().isEmpty()) {
            problems.add(
                    "regions." + name,
                    MISSING_VALUE.message(
                            "Missing 'key'. A region with 'layout: entries' needs the field whose value identifies an"
                                    + " entry."));
            return;
        }
        List<PipelinePlan> writers =
                plans.stream().filter(plan -> plan.regions().contains(name)).toList();
        List<PipelinePlan> raw = plans.stream()
                .filter(plan -> name.equals(plan.definition().keepRaw()))
                .toList();
        String refusal = raw.isEmpty() ? null : rawRefusal(name, region, !writers.isEmpty());
        if (refusal != null) {
            problems.add("pipelines." + raw.getFirst().name() + ".keep-raw", refusal);
            return;
        }
        Schema measured = measures.schema(name, !writers.isEmpty() || !raw.isEmpty());
        if (!written && given != null) {
            // A region to which no pipeline writes, such as that of a removed pipeline, can be queried.
            add(name, region, given, List.of(given));
        } else if (measured != null) {
            requireGiven(name, given, measured);
            add(name, region, measured, List.of(measured));
        } else if (!raw.isEmpty()) {
            Schema schema = rawSchema(raw.getFirst());
            raw.forEach(other -> requireSame(name, raw.getFirst().name(), schema, other.name(), rawSchema(other)));
            requireGiven(name, given, schema);
            add(name, region, schema, raw.stream().map(PipelinePlan::schema).toList());
        } else if (!writers.isEmpty()) {
            Schema schema = storedSchema(writers.getFirst(), region);
            writers.forEach(other ->
                    requireSame(name, writers.getFirst().name(), schema, other.name(), storedSchema(other, region)));
            requireGiven(name, given, schema);
            add(
                    name,
                    region,
                    schema,
                    writers.stream().map(PipelinePlan::targetSchema).toList());
        }
    }

    /** Whether an unknown region that a pipeline writes to is likely to be this one; that has been reported. */
    private boolean isMisspelt(String region, List<PipelineDefinition> definitions) {
        Set<String> known = configured.keySet();
        return definitions.stream()
                .flatMap(definition ->
                        Stream.concat(definition.recordRegions().stream(), definition.measureRegions().stream()))
                .anyMatch(name -> !known.contains(name) && region.equals(NearestName.of(name, known)));
    }

    /** @param sent schemas of the records that are sent to the region, against which {@code remove} is compiled */
    private void add(String name, RegionProperties region, Schema schema, List<Schema> sent) {
        RegionDefinition definition = problems.attempt("regions." + name, () -> definition(name, region, schema));
        if (definition != null) {
            regions.add(definition);
            sent.forEach(records -> removal(name, region, records));
        }
    }

    private static RegionDefinition definition(String name, RegionProperties region, Schema schema) {
        return new RegionDefinition(
                name,
                region.layout(),
                region.redundantCopies(),
                region.persistent(),
                schema,
                region.key(),
                region.remove(),
                region.latest(),
                region.blockRecords(),
                region.encoding(),
                region.retention(),
                region.memoryOptions(),
                List.of());
    }

    /** Returns the fields of records that a region's key and {@code remove} read. */
    Set<String> reads(String name, Schema schema) {
        RegionProperties region = configured.get(name);
        if (region == null) {
            return Set.of();
        }
        Compiled<BatchRouter> removal = removal(name, region, schema);
        return Stream.of(
                        region.key().stream(),
                        Stream.ofNullable(region.latest()),
                        Stream.ofNullable(removal).flatMap(compiled -> compiled.reads().stream()))
                .flatMap(fields -> fields)
                .collect(Collectors.toSet());
    }

    private @Nullable Compiled<BatchRouter> removal(String name, RegionProperties region, Schema schema) {
        String remove = region.remove();
        return remove == null
                ? null
                : problems.attempt("regions." + name + ".remove", () -> Removals.compile(remove, schema, functions));
    }

    private void requireGiven(String region, @Nullable Schema given, Schema written) {
        if (given != null && given.fingerprint() != written.fingerprint()) {
            problems.add(
                    "regions." + region + ".schema",
                    SCHEMA_MISMATCH.message("Schema '" + given.name()
                            + "' is not that of the records that are sent to the region: "
                            + SentSchemas.difference(given, written.stored())
                            + ". Remove 'schema': it follows from what is sent."));
        }
    }

    private void requireSame(String region, String pipeline, Schema schema, String otherPipeline, Schema other) {
        if (other.fingerprint() != schema.fingerprint()
                || !SentSchemas.unknownCodes(schema, other).isEmpty()) {
            problems.add(
                    "regions." + region,
                    SHARED_REGION.message("Pipelines '" + pipeline + "' and '" + otherPipeline
                            + "' send records of different schemas"
                            + (schema.name().equals(other.name()) || schema.fingerprint() == other.fingerprint()
                                    ? ". In those of '" + otherPipeline + "', " + SentSchemas.difference(schema, other)
                                    : ", '" + schema.name() + "' and '" + other.name() + "'")
                            + ". Use a region for each schema."));
        }
    }

    /** Returns why a region can't store the records before the first step, or null if it can. */
    private static @Nullable String rawRefusal(String name, RegionProperties region, boolean shared) {
        if (shared) {
            return SHARED_REGION.message("A step sends records to region '" + name
                    + "'. Use a region of its own for records before the first step.");
        }
        return region.layout() == Layout.ENTRIES
                ? INVALID_REGION.message("Region '" + name
                        + "' has 'layout: entries', which stores only the latest record of each key."
                        + " Use 'layout: blocks'.")
                : null;
    }

    private static Schema rawSchema(PipelinePlan plan) {
        return plan.schema().base();
    }

    private static Schema storedSchema(PipelinePlan plan, RegionProperties region) {
        return region.keepAdded()
                ? plan.targetSchema().stored()
                : plan.targetSchema().base();
    }
}
