package io.millrace.pipeline.chain;

import io.millrace.codec.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.messaging.support.MessageBuilder;

/**
 * The message whose batch a partition processes. All messages that steps send of it have its headers. Not thread-safe.
 */
final class BatchMessage {

    private final @Nullable Integer partition;
    private @Nullable Message<?> current;

    /** @param partition number of the partition; null if the pipeline has only one, whose messages need no header */
    BatchMessage(@Nullable Integer partition) {
        this.partition = partition;
    }

    /** Returns the current message; null if the batch comes from the feed, and nothing has needed a message yet. */
    @Nullable
    Message<?> current() {
        return current;
    }

    /** Sets the current message, or none. */
    void set(@Nullable Message<?> message) {
        current = message;
    }

    /** Returns the message of a batch: the current one, or one with its headers. */
    Message<?> of(RecordBatch batch) {
        Message<?> now = current;
        if (now == null) {
            now = partition == null
                    ? new GenericMessage<>(batch)
                    : MessageBuilder.withPayload(batch)
                            .setHeader(PartitionChannels.PARTITION_HEADER, partition)
                            .build();
            current = now;
        }
        return isOf(now, batch) ? now : new GenericMessage<>(batch, now.getHeaders());
    }

    @SuppressWarnings("ReferenceEquality") // a batch is reused
    private static boolean isOf(Message<?> message, RecordBatch batch) {
        return message.getPayload() == batch;
    }
}
