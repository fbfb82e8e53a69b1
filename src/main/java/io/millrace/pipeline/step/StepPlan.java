package io.millrace.pipeline.step;

import io.millrace.measure.MeasurePlan;
import java.util.List;
import java.util.function.Function;

/**
 * A validated and compiled step.
 *
 * @param explanation explanation of the step and its compiled expressions
 * @param reads names of the fields that the step reads in addition to those of its expressions
 * @param targets targets of the records, if the step ends the pipeline; otherwise empty
 * @param measures measures that the step computes
 * @param factory creates the running step
 */
public record StepPlan(
        StepExplanation explanation,
        List<String> reads,
        List<Target> targets,
        List<MeasurePlan> measures,
        Function<RunContext, BatchStep> factory) {

    public StepPlan {
        reads = List.copyOf(reads);
        targets = List.copyOf(targets);
        measures = List.copyOf(measures);
    }

    /** A step that forwards records and computes no measure. */
    public StepPlan(StepExplanation explanation, Function<RunContext, BatchStep> factory) {
        this(explanation, List.of(), List.of(), List.of(), factory);
    }

    /** Returns the name of the step and of its output channel. */
    public String name() {
        return explanation.name();
    }

    /** Returns the kind of the step in the configuration. */
    public String kind() {
        return explanation.kind();
    }

    /** Returns a new running step. */
    public BatchStep create(RunContext context) {
        return factory.apply(context);
    }
}
