package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.MeasureProcessor;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.core.MessageProducer;
import org.springframework.integration.handler.AbstractMessageHandler;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;

/**
 * A step of a pipeline as a Spring Integration endpoint: it receives a message with a batch, processes the batch in
 * place, and forwards the same message while any record is selected.
 *
 * <p>A step that removes records from the selection passes each of them to the sink of its {@link RunContext}, or
 * counts it in {@link #dropped()}: a record that is neither forwarded, rejected nor dropped remains in flight.
 *
 * <p>Not thread-safe: one thread at a time processes the batches of a pipeline. Any thread may read the counters.
 */
@API(status = API.Status.STABLE)
public abstract class BatchStep extends AbstractMessageHandler implements MessageProducer, StepCounters {

    private final String name;
    private final String kind;
    private final Counter in = new Counter();
    private final Counter out = new Counter();
    private final Counter nanos = new Counter();
    private long continuedIn;
    private long continuedOut;
    private @Nullable MessageChannel output;

    /**
     * @param name name of the step
     * @param kind kind of the step in the configuration
     */
    protected BatchStep(String name, String kind) {
        this.name = name;
        this.kind = kind;
    }

    /** Processes the batch: narrows its selection, computes added fields, or passes records on. */
    protected abstract void process(RecordBatch batch);

    @Override
    protected void handleMessageInternal(Message<?> message) {
        if (!(message.getPayload() instanceof RecordBatch batch)) {
            throw new IllegalArgumentException("Invalid payload for step '" + name + "': "
                    + message.getPayload().getClass().getName()
                    + ". Send record batches, or send bytes to the pipeline's .in channel.");
        }
        in.add(batch.selected());
        long startNanos = System.nanoTime();
        process(batch);
        nanos.add(System.nanoTime() - startNanos);
        forward(batch, message);
    }

    /** Returns the measures that the step adds records to. The pipeline opens, flushes and ends them. */
    @API(status = API.Status.INTERNAL)
    public List<MeasureProcessor> measures() {
        return List.of();
    }

    /**
     * Adds the counts of the step that this one replaces, so that those of both add up, except for the flow of
     * expressions, which may differ. Called once, before the first batch.
     *
     * @param former a step of the same name and kind, which receives no more batches
     */
    @API(status = API.Status.INTERNAL)
    public final void continueFrom(StepCounters former) {
        continuedOut = former.out().get();
        continuedIn = former.in().get();
        out.add(continuedOut);
        in.add(continuedIn);
        nanos.add(former.nanos().get());
        addAll(dropped(), former.dropped());
        addAll(made(), former.made());
        meters().forEach(meter -> former.meters().stream()
                .filter(other -> other.name().equals(meter.name()))
                .forEach(other -> addAll(meter.counter(), other.counter())));
    }

    private static void addAll(@Nullable Counter counter, @Nullable Counter former) {
        if (counter != null && former != null) {
            counter.add(former.get());
        }
    }

    @Override
    public Flow flow(int expression) {
        // Outgoing records are read first, so that they never exceed the incoming ones.
        long passed = out.get() - continuedOut;
        return new Flow(in.get() - continuedIn, passed);
    }

    /** Counts and forwards the records of the processed batch. The step's time does not include this call. */
    protected void forward(RecordBatch batch, Message<?> message) {
        out.add(batch.selected());
        if (output != null && batch.selected() > 0) {
            output.send(message);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public Counter in() {
        return in;
    }

    @Override
    public Counter out() {
        return out;
    }

    @Override
    public Counter nanos() {
        return nanos;
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
