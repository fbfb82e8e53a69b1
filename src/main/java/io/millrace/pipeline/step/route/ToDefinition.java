package io.millrace.pipeline.step.route;

import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import java.util.List;

/**
 * Sends all records to one target: a route without conditions.
 *
 * @param target name of a region, or {@code channel:} followed by the name of a channel
 */
public record ToDefinition(String target) implements StepDefinition {

    private static final String KIND = "to";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public StepPlan plan(PlanContext context) {
        context.requireKnown("", Target.parse(target));
        String name = context.name();
        Target parsed = Target.parse(target);
        return new StepPlan(
                new StepExplanation(name, KIND, 0, List.of(), List.of(new ExplainedExpression(KIND, target, null))),
                List.of(),
                List.of(parsed),
                List.of(),
                run -> new ToStep(name, KIND, TargetOutput.of(parsed, run)));
    }

    @Override
    public List<String> rule(Schema records) {
        return List.of(KIND, target);
    }

    @Override
    public boolean endsPipeline() {
        return true;
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.parse(target));
    }
}
