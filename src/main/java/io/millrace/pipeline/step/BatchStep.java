package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.core.MessageProducer;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/**
 * A step of a pipeline as a Spring Integration endpoint: it receives a message with a batch, processes the batch in
 * place, and forwards the same message while any record is selected.
 *
 * <p>Not thread-safe: one thread at a time processes the batches of a pipeline. Any thread may read the counters.
 */
public abstract class BatchStep extends AbstractMessageHandler implements MessageProducer {

    private final StepCounters counters;
    private @Nullable MessageChannel output;

    /**
     * @param name name of the step
     * @param kind kind of the step in the configuration
     */
    protected BatchStep(String name, String kind) {
        this.counters = new StepCounters(name, kind, new Counter(), new Counter(), new Counter());
    }

    /** Processes the batch: narrows its selection, computes added fields, or passes records on. */
    protected abstract void process(RecordBatch batch);

    @Override
    protected void handleMessageInternal(Message<?> message) {
        if (!(message.getPayload() instanceof RecordBatch batch)) {
            throw new IllegalArgumentException("channel of step " + counters.name() + " carries record batches, not "
                    + message.getPayload().getClass().getName() + "; send bytes to the pipeline's .in channel");
        }
        counters.in().add(batch.selected());
        long startNanos = System.nanoTime();
        process(batch);
        counters.nanos().add(System.nanoTime() - startNanos);
        counters.out().add(batch.selected());
        forward(batch, message);
    }

    /** Forwards the processed batch. The step's time does not include this call. */
    protected void forward(RecordBatch batch, Message<?> message) {
        if (output != null && batch.selected() > 0) {
            output.send(message);
        }
    }

    /** Returns the counters of the step since its creation. */
    public StepCounters counters() {
        return counters;
    }

    /**
     * Returns how many records one of the step's expressions received and passed. If every record evaluates all
     * expressions, as in assignments, these are the records of the step. Any thread may call it.
     *
     * @param expression index among the expressions of the step's plan
     */
    public Flow flow(int expression) {
        // Outgoing records are read first, so that they never exceed the incoming ones.
        long out = counters.out().get();
        return new Flow(counters.in().get(), out);
    }

    @Override
    public void setOutputChannel(MessageChannel channel) {
        output = channel;
    }

    @Override
    public @Nullable MessageChannel getOutputChannel() {
        return output;
    }
}
