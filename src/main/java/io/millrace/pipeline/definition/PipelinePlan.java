package io.millrace.pipeline.definition;

import io.millrace.schema.Schema;
import java.util.List;
import java.util.Set;

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

    /** Names of the regions that records can end in, rejects aside. */
    public Set<String> regions() {
        return definition.regions();
    }
}
