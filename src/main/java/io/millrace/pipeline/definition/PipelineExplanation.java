package io.millrace.pipeline.definition;

import io.millrace.expression.Explanation;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.StepExplanation;
import java.util.List;

/**
 * The explanation of a pipeline's compiled expressions.
 *
 * @param name name of the pipeline
 * @param source description of its feed
 * @param schema name of its records' schema
 * @param recordBytes length of a record of the feed, in bytes
 * @param addedBytes length of the fields that steps add to a record, in bytes
 * @param steps explanations of the steps, in order
 */
public record PipelineExplanation(
        String name, String source, String schema, int recordBytes, int addedBytes, List<StepExplanation> steps) {

    /** Returns the explanation as documents show it: see {@link Explanation#shown}. */
    public PipelineExplanation shown() {
        return new PipelineExplanation(
                name,
                source,
                schema,
                recordBytes,
                addedBytes,
                steps.stream().map(PipelineExplanation::shown).toList());
    }

    private static StepExplanation shown(StepExplanation step) {
        return new StepExplanation(
                step.name(),
                step.kind(),
                step.codeBytes(),
                step.writes(),
                step.constraints(),
                step.expressions().stream().map(PipelineExplanation::shown).toList());
    }

    private static ExplainedExpression shown(ExplainedExpression expression) {
        Explanation explanation = expression.explanation();
        return explanation == null
                ? expression
                : new ExplainedExpression(expression.role(), expression.target(), explanation.shown());
    }
}
