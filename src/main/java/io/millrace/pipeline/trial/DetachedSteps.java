package io.millrace.pipeline.trial;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.TableRows;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.messaging.MessageChannel;

/**
 * The steps of a pipeline without its feed and a store, connected by channels of their own. The steps are those of a
 * running pipeline. Not thread-safe.
 */
public final class DetachedSteps {

    private final PipelinePlan plan;
    private final RejectSink rejects;
    private final Map<String, MeasureProcessor> measures;
    private final Map<String, DirectChannel> channels = new HashMap<>();
    private final List<BatchStep> steps = new ArrayList<>();

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
        connect();
        plan.steps().getLast().targets().stream()
                .distinct()
                .forEach(target -> channel(target.channel(plan.name()))
                        .subscribe(message -> receiver.receive(target, (RecordBatch) message.getPayload())));
    }

    private void connect() {
        String input = plan.definition().admittedChannel();
        for (int i = 0; i < plan.stages().size(); i++) {
            Schema records = plan.stages().get(i).schema();
            Schema output =
                    plan.stages().get(Math.min(i + 1, plan.stages().size() - 1)).schema();
            for (StepPlan planned : plan.stages().get(i).steps()) {
                // A measure passes all records on and changes none, so it can be left out.
                if (planned.measures().stream().allMatch(measure -> measures.containsKey(measure.name()))) {
                    BatchStep step = planned.create(context(records, output));
                    if (planned.targets().isEmpty()) {
                        step.setOutputChannel(channel(step.name()));
                    }
                    channel(input).subscribe(step);
                    steps.add(step);
                    input = step.name();
                }
            }
        }
    }

    private RunContext context(Schema records, Schema output) {
        WriterName writer = new WriterName(plan.name(), null, 0, null);
        Retry retry = new Retry(plan.name(), new StopLatch());
        return new RunContext(
                plan.name(),
                records,
                output,
                this::channel,
                rejects,
                retry,
                DetachedSteps::noStore,
                writer,
                false,
                measures,
                TableRows.CURRENT);
    }

    private static Store noStore() {
        throw new IllegalStateException("Only measures use the store, and these have none.");
    }

    /** Returns the channel of a name, such as that of a step which sends to it. */
    public DirectChannel channel(String name) {
        return channels.computeIfAbsent(name, _ -> new DirectChannel());
    }

    /** Returns the channel that receives batches of admitted records. */
    public MessageChannel input() {
        return channel(plan.definition().admittedChannel());
    }

    /** Returns the steps in order, without measures that are left out. */
    public List<BatchStep> steps() {
        return List.copyOf(steps);
    }
}
