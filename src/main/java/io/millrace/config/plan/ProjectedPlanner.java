package io.millrace.config.plan;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans pipelines so that they read no fields in vain. If records vary in length, plans each pipeline twice: the second
 * plan parses only what the first one reads. Outputs receive all fields.
 *
 * @param tables tables by name; empty for a table that could not be loaded, which has been reported
 * @param targets all targets that are no channels, each as a configuration writes it
 * @param functions functions that expressions may call
 * @param regionPlanner knows which fields the regions read
 * @param problems receives each error
 */
record ProjectedPlanner(
        Map<String, Optional<Table>> tables,
        Set<String> targets,
        FunctionRegistry functions,
        RegionPlanner regionPlanner,
        PlanProblems problems) {

    /** Returns the plan. It must not be used if an error was reported. */
    PipelinePlan plan(PipelineDefinition definition, Schema schema) {
        PipelinePlan whole = new PipelinePlanner(definition, schema, tables, targets, functions, problems::add).plan();
        if (!schema.layout().variesInLength()
                || !problems.isEmpty()
                || !definition.outputs().isEmpty()) {
            return whole;
        }
        Set<String> used = new HashSet<>(whole.reads());
        whole.regions().forEach(region -> used.addAll(regionPlanner.reads(region, whole.targetSchema())));
        if (definition.keepRaw() != null) {
            used.addAll(regionPlanner.reads(definition.keepRaw(), whole.schema()));
        }
        List<Problem> unseen = new ArrayList<>();
        PipelinePlan projected =
                new PipelinePlanner(definition, schema.project(used), tables, targets, functions, unseen::add).plan();
        // An expression may name a field that its compiled form does not read.
        return unseen.isEmpty() ? projected : whole;
    }
}
