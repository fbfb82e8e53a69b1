package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.millrace.expression.FieldPlace;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.definition.PipelineExplanation;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.Flow;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.pipeline.step.StepExplanation;
import java.util.ArrayList;
import java.util.List;

/**
 * The compiled expressions of a running pipeline with their metrics, in JSON: a {@link PipelineExplanation} with
 * additional numbers.
 */
record ExplanationView(
        String name, String source, String schema, int recordBytes, int addedBytes, List<StepView> steps) {

    /**
     * A step.
     *
     * @param status metrics of the step; their time is that of the one loop that runs all its expressions
     */
    record StepView(
            @JsonUnwrapped PipelineStatus.Step status,
            int codeBytes,
            List<FieldPlace> writes,
            List<String> constraints,
            List<ExpressionView> expressions) {}

    record ExpressionView(
            @JsonUnwrapped ExplainedExpression expression,
            @JsonUnwrapped Flow flow) {}

    static ExplanationView of(Pipeline pipeline) {
        return pipeline.rules().read(ExplanationView::of);
    }

    private static ExplanationView of(PipelinePlan plan, List<StepCounters> counters) {
        PipelineExplanation explained = plan.explanation().shown();
        List<StepView> steps = new ArrayList<>();
        for (int i = 0; i < explained.steps().size(); i++) {
            steps.add(view(explained.steps().get(i), counters.get(i)));
        }
        return new ExplanationView(
                explained.name(),
                explained.source(),
                explained.schema(),
                explained.recordBytes(),
                explained.addedBytes(),
                steps);
    }

    private static StepView view(StepExplanation explained, StepCounters step) {
        List<ExpressionView> expressions = new ArrayList<>();
        for (int i = 0; i < explained.expressions().size(); i++) {
            expressions.add(new ExpressionView(explained.expressions().get(i), step.flow(i)));
        }
        return new StepView(
                PipelineStatus.Step.of(step),
                explained.codeBytes(),
                explained.writes(),
                explained.constraints(),
                expressions);
    }
}
