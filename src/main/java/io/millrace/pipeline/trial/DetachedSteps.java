package io.millrace.pipeline.trial;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.chain.StepChain;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepOutput;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.TableRows;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.write.WriterName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.springframework.integration.channel.NullChannel;

/**
 * The steps of a pipeline without its feed, its channels and a store. The steps are those of a running pipeline. Not
 * thread-safe.
 */
public final class DetachedSteps {

    private final PipelinePlan plan;
    private final RejectSink rejects;
    private final Map<String, MeasureProcessor> measures;
    private final StepChain chain;
    private final Map<String, StepOutput> outputs = new HashMap<>();

    /** Receives what reaches the targets. */
    @FunctionalInterface
    public interface Receiver {

        /** Receives the selected records of a batch, which is valid until the call returns. */
        void receive(Target target, RecordBatch batch);
    }

    /**
     * Creates and connects the steps.
     *
     * @param rejects receives records that a step cannot process
     * @param measures processors of measures, by the name of the measure; others are left out
     */
    public DetachedSteps(
            PipelinePlan plan, RejectSink rejects, Receiver receiver, Map<String, MeasureProcessor> measures) {
        this.plan = plan;
        this.rejects = rejects;
        this.measures = Map.copyOf(measures);
        for (Target target : plan.steps().getLast().targets()) {
            outputs.put(target.channel(plan.name()), batch -> receiver.receive(target, batch));
        }
        // A measure passes all records on and changes none, so it can be left out.
        chain = StepChain.of(
                plan,
                this::context,
                step -> step.measures().stream().allMatch(measure -> measures.containsKey(measure.name())));
        chain.links().forEach(link -> outputs.put(link.place().channel(), StepOutput.to(link.step())));
        chain.connect(this::output);
    }

    private StepOutput output(String channel) {
        return Objects.requireNonNull(outputs.get(channel));
    }

    private RunContext context(Schema records, Schema output) {
        WriterName writer = new WriterName(plan.name(), null, 0, null);
        Retry retry = new Retry(plan.name(), new StopLatch());
        return new RunContext(
                plan.name(),
                records,
                output,
                _ -> new NullChannel(),
                target -> output(target.channel(plan.name())),
                rejects,
                retry,
                DetachedSteps::noStore,
                (_, _, _, _) -> {
                    throw new IllegalStateException("Only measures write rows, and these have no targets.");
                },
                writer,
                1,
                false,
                measures,
                TableRows.CURRENT);
    }

    private static Store noStore() {
        throw new IllegalStateException("Only measures use the store, and these have none.");
    }

    /**
     * Has something observe the batches that a step passes on.
     *
     * @param step name of the step
     * @param observer returns an output that passes each batch on to another one
     */
    public void observe(String step, UnaryOperator<StepOutput> observer) {
        StepOutput next = output(step);
        for (StepChain.Link link : chain.links()) {
            if (link.step().name().equals(step)) {
                link.step().setOutput(observer.apply(next));
            }
        }
    }

    /** Processes the selected records of a batch, which have been admitted. */
    public void accept(RecordBatch batch) {
        output(plan.definition().admittedChannel()).accept(batch);
    }

    /** Returns the steps in order, without measures that are left out. */
    public List<BatchStep> steps() {
        return chain.steps();
    }
}
