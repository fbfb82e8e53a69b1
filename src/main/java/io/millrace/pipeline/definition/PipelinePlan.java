package io.millrace.pipeline.definition;

import io.millrace.expression.FieldPlace;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A pipeline, checked and compiled, ready to run.
 *
 * @param definition what it was made from
 * @param schema of its records, with all fields that its steps add
 * @param steps in order
 */
public record PipelinePlan(PipelineDefinition definition, Schema schema, List<StepPlan> steps) {

    public String name() {
        return definition.name();
    }

    /** What its expressions became. */
    public PipelineExplanation explanation() {
        return new PipelineExplanation(
                name(),
                schema.name(),
                schema.baseLength(),
                schema.recordLength() - schema.baseLength(),
                steps.stream().map(StepPlan::explanation).toList());
    }

    /** Names of all fields that its expressions read. */
    public Set<String> reads() {
        return steps.stream()
                .flatMap(step -> step.explanation().expressions().stream())
                .map(ExplainedExpression::explanation)
                .filter(Objects::nonNull)
                .flatMap(explanation -> explanation.reads().stream())
                .map(FieldPlace::name)
                .collect(Collectors.toSet());
    }

    /** Names of the regions that records can end in, rejects aside. */
    public Set<String> regions() {
        return definition.regions();
    }
}
