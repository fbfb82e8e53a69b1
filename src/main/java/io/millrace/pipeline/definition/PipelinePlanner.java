package io.millrace.pipeline.definition;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.STEP_ORDER;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import io.millrace.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Compiles a pipeline's definition into a plan: extends the schema step by step, because each step reads the fields
 * that earlier steps added, and compiles every expression. Continues after an error, so that it reports all errors.
 *
 * <p>Not thread-safe; used once.
 */
public final class PipelinePlanner {

    private final PipelineDefinition definition;
    private final Map<String, Optional<Table>> tables;
    private final Set<String> targets;
    private final FunctionRegistry functions;
    private final Consumer<Problem> problems;
    private Schema schema;

    /**
     * @param definition the definition to compile
     * @param feedSchema schema of the feed's records
     * @param tables tables by name; empty for a table that could not be loaded, which has been reported
     * @param targets all targets that are no channels, each as a configuration writes it
     * @param functions functions that expressions may call
     * @param problems receives each error
     */
    public PipelinePlanner(
            PipelineDefinition definition,
            Schema feedSchema,
            Map<String, Optional<Table>> tables,
            Set<String> targets,
            FunctionRegistry functions,
            Consumer<Problem> problems) {
        this.definition = definition;
        this.schema = feedSchema;
        this.tables = tables;
        this.targets = targets;
        this.functions = functions;
        this.problems = problems;
    }

    /** Returns the plan. It must not be used if an error was reported. */
    public PipelinePlan plan() {
        List<PipelinePlan.Stage> stages = new ArrayList<>();
        List<StepPlan> steps = new ArrayList<>();
        List<StepDefinition> definitions = definition.steps();
        for (int i = 0; i < definitions.size(); i++) {
            StepDefinition step = definitions.get(i);
            boolean last = i == definitions.size() - 1;
            PropertyCheck check = new PropertyCheck(
                    property() + ".steps[" + i + "]." + step.kind(),
                    (property, message) -> problems.accept(new Problem(property, message)));
            if (last != step.endsPipeline()) {
                check.problem(
                        STEP_ORDER,
                        "",
                        last
                                ? "The last step has no target. End the steps with 'route' or 'to'."
                                : "Steps after this one get no records. Move it to the end.");
            }
            PlanContext context =
                    new PlanContext(definition.stepName(i), step.kind(), schema, tables, targets, functions, check);
            StepPlan plan = step.plan(context);
            if (plan != null) {
                steps.add(plan);
            }
            schema = context.schema();
            Schema made = context.made();
            if (made != null) {
                stages.add(new PipelinePlan.Stage(schema, steps));
                steps = new ArrayList<>();
                schema = made;
            }
        }
        if (definitions.isEmpty()) {
            problems.accept(new Problem(
                    property() + ".steps",
                    MISSING_VALUE.message("Missing steps. Add at least 'to' with the name of a region.")));
        }
        stages.add(new PipelinePlan.Stage(schema, steps));
        return new PipelinePlan(definition, stages);
    }

    private String property() {
        return "millrace.pipelines." + definition.name();
    }
}
