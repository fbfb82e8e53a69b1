package io.millrace.pipeline.step.route;

import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.schema.Schema;
import java.util.List;

/** Sends all records to each of some targets: a route without conditions. */
public record ToDefinition(TargetNames to) implements StepDefinition {

    private static final String KIND = "to";

    /**
     * Returns a step that sends all records to each of these targets.
     *
     * @param names names of regions, or {@code channel:} followed by the name of a channel
     */
    public static ToDefinition of(String... names) {
        return new ToDefinition(new TargetNames(List.of(names)));
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void validate(PropertyCheck check) {
        to.validate("", check);
    }

    @Override
    public StepPlan plan(PlanContext context) {
        to.requireKnown("", context, true);
        String name = context.name();
        return new StepPlan(
                new StepExplanation(name, KIND, 0, List.of(), List.of(new ExplainedExpression(KIND, to.text(), null))),
                List.of(),
                to.targets(),
                List.of(),
                run -> new ToStep(name, KIND, run.schema(), TargetOutput.of(to, run)));
    }

    @Override
    public List<String> rule(Schema records) {
        return List.of(KIND, to.text());
    }

    @Override
    public boolean endsPipeline() {
        return true;
    }

    @Override
    public List<Target> targets() {
        return to.targets();
    }
}
