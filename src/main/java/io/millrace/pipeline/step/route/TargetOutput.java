package io.millrace.pipeline.step.route;

import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepOutput;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import java.util.List;

/**
 * What passes batches to a target.
 *
 * @param channel name of the channel that leads to the target
 * @param output passes batches to the channel
 * @param keeps whether passing a record on counts as keeping it, as for a channel of the application; a region counts
 *     the records that it has stored
 */
record TargetOutput(String channel, StepOutput output, boolean keeps) {

    static List<TargetOutput> of(TargetNames names, RunContext run) {
        return names.targets().stream().map(target -> of(target, run)).toList();
    }

    private static TargetOutput of(Target target, RunContext run) {
        return new TargetOutput(
                target.channel(run.pipeline()), run.outputs().apply(target), target instanceof Target.ChannelTarget);
    }
}
