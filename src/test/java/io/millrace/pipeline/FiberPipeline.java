package io.millrace.pipeline;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.StoppablePauses;

/** Runs a pipeline on a thread of the caller instead of one of its own. */
public final class FiberPipeline {

    private FiberPipeline() {}

    /**
     * Returns the pipeline.
     *
     * @param pauses of its thread
     */
    public static Pipeline assemble(
            PipelineAssembler assembler, PipelinePlan plan, RuleSource source, StoppablePauses pauses) {
        return assembler.assemble(plan, source, pauses);
    }

    /** Runs it until it stops or fails. */
    public static void run(Pipeline pipeline) {
        pipeline.listen();
        pipeline.run();
    }

    /** Asks it to stop, without waiting. */
    public static void stop(Pipeline pipeline) {
        pipeline.askToStop();
    }
}
