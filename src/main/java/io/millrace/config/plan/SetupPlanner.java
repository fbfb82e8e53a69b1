package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.UNKNOWN_OUTPUT;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.properties.MapProperties;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.config.properties.Role;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FinalFeed;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.output.OutputDefinition;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.Problem;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import io.millrace.table.Table;
import io.millrace.table.Tables;
import io.millrace.web.page.PlaceMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks and compiles a whole configuration: loads schemas and tables, plans every pipeline, and derives the schema of
 * each region. Starts nothing. Not thread-safe; used once.
 *
 * <p>A server runs no pipeline and uses pipelines only to derive the schemas of their regions. It needs neither the
 * files and secrets of feeds nor the files of tables whose schema is configured.
 */
public final class SetupPlanner {

    private final MillraceProperties properties;
    private final FunctionRegistry functions;
    private final PipelineReader reader;
    private final PlanProblems problems = new PlanProblems();
    private final ConfiguredSchemas schemas;
    private final RegionPlanner regionPlanner;

    /**
     * @param reader reads the feeds and steps of the pipelines, from the same environment as the properties
     * @param functions functions that expressions may call in addition to the built-in ones
     */
    public SetupPlanner(MillraceProperties properties, PipelineReader reader, FunctionRegistry functions) {
        this.reader = reader;
        this.properties = properties;
        this.functions = functions;
        this.schemas = ConfiguredSchemas.in(properties.schemas(), problems);
        this.regionPlanner = new RegionPlanner(properties.regions(), schemas, functions, problems);
    }

    /**
     * Returns the checked and compiled configuration.
     *
     * @throws ConfigurationException with all mistakes, if there are any
     */
    public Setup plan() {
        new SettingsCheck(problems).check(properties);
        Collection<Problem> structure = reader.structureProblems(properties.role() != Role.SERVER);
        if (!structure.isEmpty()) {
            structure.forEach(problems::add);
            throw new ConfigurationException(problems.all());
        }
        TablePlanner tablePlanner = new TablePlanner(properties, schemas, problems);
        Map<String, Optional<Table>> tables = tablePlanner.tables();
        ProjectedPlanner planner =
                new ProjectedPlanner(tables, targets(properties), functions, regionPlanner, problems);
        // A server runs no pipeline, so it needs the names of outputs only.
        Map<String, OutputDefinition> outputs =
                properties.role() == Role.SERVER ? Map.of() : reader.outputs(properties.outputs(), problems::add);
        List<PipelineDefinition> definitions = new ArrayList<>();
        List<PipelinePlan> plans = new ArrayList<>();
        properties.pipelines().forEach((name, pipeline) -> {
            PipelineProperties read = properties.role() == Role.SERVER ? pipeline.withoutFeed() : pipeline;
            Schema schema = schema(name, read);
            FeedDefinition configured = reader.feed(name, read.feed(), schema, problems::add);
            FeedDefinition feed = properties.exitWhenDone() ? FinalFeed.of(configured) : configured;
            List<StepDefinition> steps = reader.steps(name, read.steps(), problems::add);
            PipelineDefinition definition = new DefinitionReader(name, read, problems::add).read(feed, steps);
            definitions.add(definition);
            if (schema != null && steps.size() == read.steps().size()) {
                plans.add(planner.plan(definition, schema));
            }
        });
        // Measures and targets of steps that could not be read are unknown.
        boolean allRead = plans.size() == definitions.size();
        List<RegionDefinition> regions = regionPlanner.regions(definitions, plans, allRead);
        plans.forEach(plan -> checkPartitions(plan, regions));
        plans.forEach(plan -> checkOutputs(plan, outputs));
        PlaceMap map = allRead ? map(plans, tables) : null;
        if (problems.isEmpty()) {
            tablePlanner.requireFollowable(regions);
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems.all());
        }
        return new Setup(
                plans,
                regions,
                outputs,
                new Tables(tables.values().stream().flatMap(Optional::stream).toList()),
                map);
    }

    /** Returns all targets that are no channels, each as a configuration writes it. */
    static Set<String> targets(MillraceProperties properties) {
        Set<String> targets = new LinkedHashSet<>(properties.regions().keySet());
        properties.outputs().keySet().forEach(name -> targets.add(new Target.OutputTarget(name).text()));
        return targets;
    }

    private void checkOutputs(PipelinePlan plan, Map<String, OutputDefinition> outputs) {
        PipelineDefinition definition = plan.definition();
        definition.outputs().forEach(output -> checkOutput(output, outputs, plan.targetSchema()));
        for (Target.OutputTarget output : definition.rejectOutputs()) {
            if (!properties.outputs().containsKey(output.name())) {
                problems.add(
                        "pipelines." + plan.name() + ".rejects",
                        UNKNOWN_OUTPUT.message("Unknown output '" + output.name() + "'"
                                + NearestName.hint(
                                        output.name(), properties.outputs().keySet())
                                + " Outputs are defined under 'millrace.outputs'."));
            }
            checkOutput(output, outputs, Reject.SCHEMA);
        }
        for (MeasurePlan measure : plan.measures()) {
            checkOutputs(measure.definition().to(), outputs, measure.rowSchema());
            measure.alerts().forEach(alert -> checkOutputs(alert.definition().to(), outputs, alert.schema()));
        }
    }

    private void checkOutputs(List<String> to, Map<String, OutputDefinition> outputs, Schema schema) {
        for (Target target : new TargetNames(to).targets()) {
            if (target instanceof Target.OutputTarget output) {
                checkOutput(output, outputs, schema);
            }
        }
    }

    private void checkOutput(Target.OutputTarget target, Map<String, OutputDefinition> outputs, Schema schema) {
        OutputDefinition output = outputs.get(target.name());
        Map<String, Object> configured = properties.outputs().get(target.name());
        if (output != null && configured != null) {
            reader.check(target.name(), output, configured, schema, problems::add);
        }
    }

    private void checkPartitions(PipelinePlan plan, List<RegionDefinition> regions) {
        String at = "pipelines." + plan.name() + ".partitions";
        FeedDefinition feed = plan.definition().feed();
        if (properties.role() == Role.SERVER) {
            return; // it has no feeds, which decide the order of records
        }
        int partitions = plan.definition().parallelism().partitions();
        if (partitions < feed.leastPartitions()) {
            problems.add(
                    at,
                    CONFLICTING_PROPERTIES.message("The feed needs at least " + feed.leastPartitions()
                            + " partitions: " + feed.describe() + ". Set partitions: " + feed.leastPartitions()
                            + ", or more."));
        }
        if (partitions > 1 && !feed.splittable(plan.schema())) {
            problems.add(
                    at,
                    CONFLICTING_PROPERTIES.message("The feed can't be read in several partitions: " + feed.describe()
                            + ". Set partitions: 1."));
        }
        PartitionsCheck.mistakes(plan, regions)
                .forEach(mistake -> problems.add(at, CONFLICTING_PROPERTIES.message(mistake)));
    }

    private @Nullable Schema schema(String pipeline, PipelineProperties configured) {
        String name = configured.schema();
        return name == null || name.isBlank() ? null : schemas.find("pipelines." + pipeline + ".schema", name);
    }

    /** Returns null for a server, which runs no measures. */
    private @Nullable PlaceMap map(List<PipelinePlan> plans, Map<String, Optional<Table>> tables) {
        MapProperties map = properties.page().map();
        return map == null || properties.role() == Role.SERVER
                ? null
                : new MapPlanner(
                                map,
                                plans,
                                tables,
                                (property, message) -> problems.add("page.map." + property, message))
                        .plan();
    }
}
