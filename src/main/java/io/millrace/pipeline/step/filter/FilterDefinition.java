package io.millrace.pipeline.step.filter;

import io.millrace.expression.BatchFilter;
import io.millrace.expression.Compiled;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps records for which a condition holds and drops the others. */
public record FilterDefinition(String condition) implements StepDefinition {

    private static final String KIND = "filter";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        Compiled<BatchFilter> filter = context.compile("", compiler -> compiler.filter(condition));
        return filter == null
                ? null
                : new StepPlan(
                        new StepExplanation(
                                context.name(),
                                KIND,
                                filter.codeBytes(),
                                List.of(),
                                List.of(new ExplainedExpression(
                                        KIND, null, filter.expressions().getFirst()))),
                        run -> new FilterStep(context.name(), filter.loop(), run.rejects()));
    }

    @Override
    public List<String> rule(Schema records) {
        return List.of(KIND, condition);
    }
}
