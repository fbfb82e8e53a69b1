package io.millrace.pipeline.step;

import io.millrace.measure.plan.MeasurePlan;
import java.util.List;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A validated and compiled step.
 *
 * @param explanation explanation of the step and its compiled expressions
 * @param reads names of the fields that the step reads in addition to those of its expressions
 * @param targets targets of the records, if the step ends the pipeline; otherwise empty
 * @param measures measures that the step computes
 * @param factory creates the running step
 */
@API(status = API.Status.STABLE)
public record StepPlan(
        StepExplanation explanation,
        List<String> reads,
        @API(status = API.Status.INTERNAL) List<Target> targets,
        @API(status = API.Status.INTERNAL) List<MeasurePlan> measures,
        Function<RunContext, BatchStep> factory) {

    @API(status = API.Status.INTERNAL)
    public StepPlan {
        reads = List.copyOf(reads);
        targets = List.copyOf(targets);
        measures = List.copyOf(measures);
    }

    /** A step that forwards records and reads only the fields of its expressions. */
    public StepPlan(StepExplanation explanation, Function<RunContext, BatchStep> factory) {
        this(explanation, List.of(), factory);
    }

    /**
     * A step that forwards records.
     *
     * @param reads names of the fields that the step reads in addition to those of its expressions
     */
    public StepPlan(StepExplanation explanation, List<String> reads, Function<RunContext, BatchStep> factory) {
        this(explanation, reads, List.of(), List.of(), factory);
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
