package io.millrace.pipeline.shadow;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Refuses rules whose results can't be compared. Stateless. */
final class ComparableRules {

    private ComparableRules() {}

    /**
     * Requires that rules can be compared with those of a pipeline, which this process runs.
     *
     * @throws ShadowException if they can't
     */
    static void require(Pipeline pipeline, PipelinePlan plan) {
        String name = pipeline.name();
        PipelineState state = pipeline.state();
        if (state == PipelineState.STANDBY) {
            String owner = Objects.requireNonNullElse(pipeline.owner(), "another process");
            throw new ShadowException("Pipeline '" + name + "' runs in " + owner + ". Send the request there.");
        }
        if (state == PipelineState.FAILED || pipeline.rules().version() == 0) {
            throw new ShadowException("Pipeline '" + name + "' does not run. Repeat the request when it runs.");
        }
        require(pipeline.plan(), plan);
    }

    /** @throws ShadowException if the results of two plans can't be compared */
    static void require(PipelinePlan before, PipelinePlan after) {
        if (!unnested(before).equals(unnested(after))) {
            throw new ShadowException("The 'unnest' steps differ from those of pipeline '" + before.name()
                    + "'. Use the same lists and fields, or test the rules with 'millrace test'.");
        }
    }

    /** Returns the rules of the steps that make records of others. */
    private static List<List<String>> unnested(PipelinePlan plan) {
        Schema records = plan.schema().base();
        List<List<String>> rules = new ArrayList<>();
        int steps = 0;
        for (PipelinePlan.Stage stage : plan.stages().subList(0, plan.stages().size() - 1)) {
            steps += stage.steps().size();
            rules.add(plan.definition().steps().get(steps - 1).rule(records));
        }
        return rules;
    }
}
