package io.millrace.pipeline;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.run.PartitionState;
import io.millrace.pipeline.step.StoppablePauses;
import io.millrace.pipeline.version.LiveRules;
import io.millrace.pipeline.version.RuleSource;
import java.time.Duration;
import java.util.List;

/** Runs a pipeline on threads of the caller instead of its own. */
public final class FiberPipeline {

    private FiberPipeline() {}

    /**
     * Returns the pipeline.
     *
     * @param pauses of its threads
     */
    public static Pipeline assemble(
            PipelineAssembler assembler, PipelinePlan plan, RuleSource source, StoppablePauses pauses) {
        return assembler.assemble(plan, source, pauses);
    }

    /** Starts its endpoints. */
    public static void listen(Pipeline pipeline) {
        pipeline.listen();
    }

    /** Runs a lane until the pipeline stops. */
    public static void run(Pipeline pipeline, int lane) {
        pipeline.run(lane);
    }

    /** A mutant: does a turn of a partition while a lane does one. */
    public static void turn(Pipeline pipeline, int partition) {
        Partition turned = pipeline.partitions().get(partition);
        if (turned.task().busy() && turned.loop().state() == PartitionState.RUNNING) {
            var _ = turned.loop().turn(Duration.ZERO);
        }
    }

    /** Returns the state of a partition. */
    public static PipelineState state(Pipeline pipeline, int partition) {
        return pipeline.partitions().get(partition).state();
    }

    /** Returns the number of the version by which a partition processes records; 0 before it is known. */
    public static long version(Pipeline pipeline, int partition) {
        return new LiveRules(
                        List.of(pipeline.partitions().get(partition).parts().rules()))
                .version();
    }

    /** Asks it to stop, without waiting. */
    public static void stop(Pipeline pipeline) {
        pipeline.askToStop();
    }
}
