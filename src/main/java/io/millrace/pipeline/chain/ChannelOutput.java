package io.millrace.pipeline.chain;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.StepOutput;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/**
 * Passes the batches of a partition to a channel. If only the next step would receive a batch, it calls that step
 * instead of sending a message, which is decided for each batch.
 */
final class ChannelOutput implements StepOutput {

    private final StepChannel channel;
    private final int partition;
    private final BatchMessage message;

    ChannelOutput(StepChannel channel, int partition, BatchMessage message) {
        this.channel = channel;
        this.partition = partition;
        this.message = message;
    }

    @Override
    public void accept(RecordBatch batch) {
        Message<?> before = message.current();
        try {
            BatchStep next = onlyReceiver();
            if (next == null) {
                channel.channel().send(message.of(batch));
            } else {
                next.accept(batch);
            }
        } finally {
            message.set(before);
        }
    }

    @Override
    public @Nullable BatchStep onlyReceiver() {
        return channel.onlyReceiver(partition);
    }
}
