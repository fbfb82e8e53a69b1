package io.millrace.pipeline;

import io.millrace.background.LogLimit;
import io.millrace.codec.RejectReason;
import io.millrace.pipeline.chain.PartitionChannels;
import io.millrace.pipeline.chain.StepPlace;
import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.StoreStep;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetWriters;
import io.millrace.schema.Schema;
import io.millrace.store.reject.Reject;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The region and the outputs that receive the rejects of a partition, and the steps that pass them on. */
final class RejectTargets {

    private static final Logger LOG = LoggerFactory.getLogger(RejectTargets.class);

    private final PipelineDefinition definition;
    private final PartitionChannels channels;
    private final RejectBatch held;
    private final RejectCollector collector;
    private final LogLimit unwritten = new LogLimit();

    RejectTargets(PipelineDefinition definition, PartitionChannels channels) {
        this.definition = definition;
        this.channels = channels;
        held = new RejectBatch(schema());
        collector = new RejectCollector(channels.output(definition.rejectedChannel()), held);
    }

    /** Outputs read the fields of rejects, a region does not. */
    private Schema schema() {
        return definition.rejectOutputs().isEmpty() ? RejectBatch.RECORDS : Reject.SCHEMA;
    }

    /** Returns what collects the rejects of all steps. */
    RejectCollector collector() {
        return collector;
    }

    /**
     * Creates the writers, and connects a step for each: the first passes rejects on to the second, and so on.
     *
     * @param name writer name of the partition
     */
    PipelineOutput.Rejects connect(TargetWriters targets, WriterName name, Retry retry) {
        Target region = new Target.RegionTarget(definition.rejectsRegion());
        RegionWriter writer = targets.writer(region, name, schema(), collector);
        Map<String, RegionWriter> outputs = new LinkedHashMap<>();
        String channel = definition.rejectedChannel();
        StoreStep step = new StoreStep(channel, writer, retry);
        for (Target.OutputTarget output : definition.rejectOutputs()) {
            RegionWriter next = targets.writer(
                    output,
                    name.part(WriterName.REJECTS),
                    schema(),
                    (batch, ordinal, reason) -> unwritten(output, reason));
            outputs.put(output.text() + "#" + WriterName.REJECTS, next);
            String after = definition.rejectedChannel() + "-to-" + output.text();
            channels.add(StepPlace.between(channel, after), step);
            step.setOutput(channels.output(after));
            channel = after;
            step = new StoreStep(channel, next, retry);
        }
        channels.add(StepPlace.last(channel), step);
        return new PipelineOutput.Rejects(definition.rejectsRegion(), writer, held, outputs);
    }

    /** Logs a reject that an output can't hold; the region stores it. */
    private void unwritten(Target output, RejectReason reason) {
        if (unwritten.next(System.nanoTime()) != LogLimit.LEFT_OUT) {
            LOG.warn(
                    "Rejected record not written to an output: pipeline={} target={} reason={}",
                    definition.name(),
                    output.text(),
                    reason.detail());
        }
    }
}
