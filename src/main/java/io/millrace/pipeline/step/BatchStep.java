package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.run.MeasureProcessor;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A running step of a partition of a pipeline: it processes a batch in place, and passes it on while any record is
 * selected. The {@link StepPlan} that created it is immutable and shared by all partitions; a step has what changes
 * with each batch.
 *
 * <p>A step that removes records from the selection passes each of them to the sink of its {@link RunContext}, or
 * counts it in {@link #dropped()}: a record that is neither passed on, rejected nor dropped remains in flight.
 *
 * <p>Not thread-safe: one thread at a time processes the batches of a partition. Any thread may read the counters.
 */
@API(status = API.Status.STABLE)
public abstract class BatchStep implements StepCounters {

    private static final StepOutput NONE = _ -> {};

    private final String name;
    private final String kind;
    private final Counter in = new Counter();
    private final Counter out = new Counter();
    private final Counter nanos = new Counter();
    private long continuedIn;
    private long continuedOut;
    private StepOutput output = NONE;

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

    /**
     * Processes a batch, counts and times that, and passes on what is still selected. The steps that follow one another
     * without other receivers are called in a loop: a pipeline can have more of them than calls fit in a stack.
     */
    @API(status = API.Status.INTERNAL)
    public void accept(RecordBatch batch) {
        for (BatchStep step = this; step != null; step = step.passOn(batch)) {
            step.in.add(batch.selected());
            long startNanos = System.nanoTime();
            step.process(batch);
            step.nanos.add(System.nanoTime() - startNanos);
        }
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
        addAll(copied(), former.copied());
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

    /**
     * Counts and passes on the records of the processed batch. The step's time does not include this call.
     *
     * @return the step that is to process the same batch next, if nothing else receives it; otherwise null, and all
     *     that receive it have processed it
     */
    @API(status = API.Status.INTERNAL)
    protected @Nullable BatchStep passOn(RecordBatch batch) {
        out.add(batch.selected());
        if (batch.selected() == 0) {
            return null;
        }
        BatchStep next = output.onlyReceiver();
        if (next == null) {
            output.accept(batch);
        }
        return next;
    }

    /** Counts the records of another batch than the processed one, and passes them on. */
    @API(status = API.Status.INTERNAL)
    protected final void forward(RecordBatch batch) {
        out.add(batch.selected());
        if (batch.selected() > 0) {
            output.accept(batch);
        }
    }

    /** Sets what receives the batches from now on; nothing does before. */
    @API(status = API.Status.INTERNAL)
    public final void setOutput(StepOutput next) {
        output = next;
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
}
