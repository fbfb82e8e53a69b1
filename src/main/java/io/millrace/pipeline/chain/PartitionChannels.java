package io.millrace.pipeline.chain;

import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.StepOutput;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/** The channels of a pipeline as one of its partitions uses them. Thread-safe, except for its outputs. */
public final class PartitionChannels {

    /** The header with the number of the partition, of pipelines with several partitions. */
    public static final String PARTITION_HEADER = "millrace_partition";

    private final Endpoints endpoints;
    private final int partition;
    private final BatchMessage message;
    private final Map<String, StepOutput> outputs = new ConcurrentHashMap<>();

    PartitionChannels(Endpoints endpoints, int partition, int partitions) {
        this.endpoints = endpoints;
        this.partition = partition;
        this.message = new BatchMessage(partitions == 1 ? null : partition);
    }

    /**
     * Returns the number of the partition that processes a message: that of its header if there is such a partition,
     * otherwise the first.
     */
    public static int partition(Message<?> message, int partitions) {
        return message.getHeaders().get(PARTITION_HEADER) instanceof Integer partition
                        && partition >= 0
                        && partition < partitions
                ? partition
                : 0;
    }

    /** Returns the channel of a name, and creates it if necessary. */
    public MessageChannel channel(String name) {
        return endpoints.channel(name);
    }

    /** Returns what passes batches of the partition to the channel of a name. */
    public StepOutput output(String channel) {
        return outputs.computeIfAbsent(
                channel, name -> new ChannelOutput(endpoints.stepChannel(name), partition, message));
    }

    /** Has a step process the batches of the partition that its channel receives. */
    public void add(StepPlace place, BatchStep step) {
        endpoints.add(partition, place, step, message);
    }

    /** Ends what {@link #add} has begun. */
    public void remove(StepPlace place) {
        endpoints.remove(partition, place);
    }
}
