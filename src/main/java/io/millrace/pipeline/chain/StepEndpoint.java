package io.millrace.pipeline.chain;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.core.MessageProducer;
import org.springframework.integration.endpoint.EventDrivenConsumer;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/**
 * Binds a step to its channel: each message with a batch goes to the step of the partition that the message names, and
 * one that names none to the first. Thread-safe.
 */
class StepEndpoint extends AbstractMessageHandler implements MessageProducer {

    private final String name;
    private final StepChannel channel;
    private final AtomicReferenceArray<@Nullable Attached> steps;
    private @Nullable MessageChannel output;
    private @Nullable EventDrivenConsumer consumer;
    private String bean = "";

    /** The step of a partition, and the message that the partition processes. */
    private record Attached(BatchStep step, BatchMessage current) {

        void take(Message<?> message) {
            Message<?> before = current.current();
            current.set(message);
            try {
                takePayload(message.getPayload());
            } finally {
                current.set(before);
            }
        }

        private void takePayload(Object payload) {
            if (payload instanceof RecordBatch batch) {
                step.accept(batch);
            } else if (payload instanceof byte[] records && step instanceof EntryStep entry) {
                entry.accept(records);
            } else {
                throw new IllegalArgumentException("Invalid payload for step '" + step.name() + "': "
                        + payload.getClass().getName()
                        + ". Send record batches, or send bytes to the pipeline's .in channel.");
            }
        }
    }

    /**
     * @param name name of the step
     * @param channel on which it receives batches
     * @param output the channel to which it passes them on; null if it is the last
     * @param partitions number of partitions of the pipeline
     */
    StepEndpoint(String name, StepChannel channel, @Nullable MessageChannel output, int partitions) {
        this.name = name;
        this.channel = channel;
        this.output = output;
        this.steps = new AtomicReferenceArray<>(partitions);
    }

    final String name() {
        return name;
    }

    /** Returns the name of its beans. */
    final String bean() {
        return bean;
    }

    final void setConsumer(EventDrivenConsumer subscriber, String beanName) {
        consumer = subscriber;
        bean = beanName;
    }

    final void start() {
        Objects.requireNonNull(consumer).start();
    }

    final void stop() {
        Objects.requireNonNull(consumer).stop();
    }

    final boolean isRunning() {
        return consumer != null && consumer.isRunning();
    }

    /** Sets the step of a partition. */
    final void set(int partition, BatchStep step, BatchMessage message) {
        steps.set(partition, new Attached(step, message));
    }

    /** Removes the step of a partition, and returns whether it was the last. */
    final boolean remove(int partition) {
        steps.set(partition, null);
        for (int i = 0; i < steps.length(); i++) {
            if (steps.get(i) != null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the step of a partition, or null if it has none here. */
    final @Nullable BatchStep step(int partition) {
        Attached attached = steps.get(partition);
        return attached == null ? null : attached.step();
    }

    @Override
    protected final void handleMessageInternal(Message<?> message) {
        int partition = PartitionChannels.partition(message, steps.length());
        Attached attached = steps.get(partition);
        if (attached == null) {
            // While rules change, partitions have different steps, each with an endpoint of its own.
            if (!channel.hasStep(partition)) {
                throw new IllegalStateException("Partition " + partition + " has no step '" + name + "'.");
            }
        } else if (attached.step() instanceof EntryStep entry) {
            ReentrantLock lock = entry.lock();
            lock.lock();
            try {
                attached.take(message);
            } finally {
                lock.unlock();
            }
        } else {
            attached.take(message);
        }
    }

    @Override
    public final @Nullable MessageChannel getOutputChannel() {
        return output;
    }

    @Override
    public final void setOutputChannel(MessageChannel next) {
        output = next;
    }
}
