package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.core.MessageProducer;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/**
 * A step of a pipeline as a Spring Integration endpoint: takes a message that carries a batch, works the batch in
 * place, and sends the same message on while any record is alive.
 *
 * <p>Worked by one thread at a time, its pipeline's; the counters may be read by others.
 */
public abstract class BatchStep extends AbstractMessageHandler implements MessageProducer {

    private final StepCounters counters;
    private @Nullable MessageChannel output;

    /**
     * @param name of the step
     * @param kind the word that configuration has for it
     */
    protected BatchStep(String name, String kind) {
        this.counters = new StepCounters(name, kind, new Counter(), new Counter(), new Counter());
    }

    /** Works the batch: narrows its selection, computes its added fields, or hands records over. */
    protected abstract void process(RecordBatch batch);

    @Override
    protected void handleMessageInternal(Message<?> message) {
        if (!(message.getPayload() instanceof RecordBatch batch)) {
            throw new IllegalArgumentException("channel of step " + counters.name() + " carries record batches, not "
                    + message.getPayload().getClass().getName() + "; send bytes to the pipeline's .in channel");
        }
        counters.in().add(batch.selected());
        long began = System.nanoTime();
        process(batch);
        counters.nanos().add(System.nanoTime() - began);
        counters.out().add(batch.selected());
        forward(batch, message);
    }

    /** Sends the batch on, after it was worked; the time that takes is not this step's. */
    protected void forward(RecordBatch batch, Message<?> message) {
        if (output != null && batch.selected() > 0) {
            output.send(message);
        }
    }

    /** What the step has done since it was made. */
    public StepCounters counters() {
        return counters;
    }

    /**
     * What passed one of the step's expressions; any thread may ask. Where all of them are computed for every record,
     * as assignments are, that is what passed the step.
     *
     * @param expression its index among the expressions of the step's plan
     */
    public Flow flow(int expression) {
        // What went out is read first, so that it is never more than what came in.
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
