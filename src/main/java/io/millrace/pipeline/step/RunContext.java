package io.millrace.pipeline.step;

import io.millrace.codec.RejectSink;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.write.WriterName;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.springframework.messaging.MessageChannel;

/**
 * The running pipeline that a step is part of.
 *
 * @param pipeline name of the pipeline
 * @param schema schema of the batches that the step receives, with the fields that all steps add
 * @param output schema of the batches that the step passes on; another one if the step makes new records
 * @param channels returns the channel of a name, and creates it if necessary
 * @param outputs returns what passes batches to a target
 * @param rejects receives records that a step cannot process
 * @param retry retries store operations
 * @param store returns the store, whose regions are open, to steps that store what they compute
 * @param writers creates writers to regions and outputs
 * @param writer writer name of the partition
 * @param partitions number of partitions of the pipeline
 * @param persistent whether one of its regions is persistent, so that the states of its measures are too
 * @param measures processors of the pipeline's measures that run already, by the name of the measure: steps of another
 *     version of the rules continue with them
 * @param tables provides the rows of tables
 */
@API(status = API.Status.STABLE)
public record RunContext(
        String pipeline,
        Schema schema,
        Schema output,
        Function<String, MessageChannel> channels,
        @API(status = API.Status.INTERNAL) Function<Target, StepOutput> outputs,
        RejectSink rejects,
        @API(status = API.Status.INTERNAL) Retry retry,
        @API(status = API.Status.INTERNAL) Supplier<Store> store,
        @API(status = API.Status.INTERNAL) TargetWriters writers,
        @API(status = API.Status.INTERNAL) WriterName writer,
        @API(status = API.Status.INTERNAL) int partitions,
        @API(status = API.Status.INTERNAL) boolean persistent,
        @API(status = API.Status.INTERNAL) Map<String, MeasureProcessor> measures,
        @API(status = API.Status.INTERNAL) TableRows tables) {

    @API(status = API.Status.INTERNAL)
    public RunContext {}
}
