package io.millrace.pipeline.trial;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.StoredForm;
import io.millrace.store.reject.Reject;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/**
 * The steps of a pipeline without its feed, its measures and a store: records go in one at a time, and what becomes of
 * each comes out. The steps are those of a running pipeline. Tables of files have their rows, those of regions are
 * empty. Not thread-safe.
 */
public final class PipelineTrial {

    private final PipelinePlan plan;
    private final EntryStep entry;
    private final List<BatchStep> steps = new ArrayList<>();
    private final RejectCollector rejects;
    private final Map<String, DirectChannel> channels = new HashMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    public PipelineTrial(PipelinePlan plan) {
        this.plan = plan;
        PipelineDefinition definition = plan.definition();
        rejects = new RejectCollector(channel(definition.rejectedChannel()), new RejectBatch());
        entry = new EntryStep(
                definition.inputChannel(), EntryStep.Reading.of(plan.schema()), rejects, new ReentrantLock());
        connect();
        listen();
        entry.open();
    }

    private void connect() {
        String admitted = plan.definition().admittedChannel();
        entry.setOutputChannel(channel(admitted));
        String input = admitted;
        for (int i = 0; i < plan.stages().size(); i++) {
            Schema records = plan.stages().get(i).schema();
            Schema output =
                    plan.stages().get(Math.min(i + 1, plan.stages().size() - 1)).schema();
            for (StepPlan planned : plan.stages().get(i).steps()) {
                // A measure passes all records on and changes none.
                if (planned.measures().isEmpty()) {
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
                PipelineTrial::noStore,
                writer,
                false,
                Map.of());
    }

    private static Store noStore() {
        throw new IllegalStateException("Only measures use the store, and a trial leaves them out.");
    }

    private DirectChannel channel(String name) {
        return channels.computeIfAbsent(name, _ -> new DirectChannel());
    }

    private void listen() {
        Schema schema = plan.targetSchema().stored();
        StoredForm form = StoredForm.of(schema);
        StoredRecords records = StoredRecords.of(schema);
        plan.steps().getLast().targets().stream().distinct().forEach(target -> {
            String name =
                    target instanceof Target.ChannelTarget ? Target.CHANNEL_PREFIX + target.name() : target.name();
            channel(target.channel(plan.name()))
                    .subscribe(message -> forEach(
                            message,
                            (batch, ordinal) -> outcomes.add(
                                    new Outcome.Sent(name, records.decode(form.copy(batch, ordinal), 0)))));
        });
        channel(plan.definition().rejectedChannel())
                .subscribe(message -> forEach(message, (batch, ordinal) -> {
                    int start = batch.offset(ordinal);
                    Reject reject = Reject.decode(batch.bytes(), start, start + batch.length(ordinal));
                    outcomes.add(new Outcome.Rejected(reject.kind(), reject.detail()));
                }));
    }

    /** Receives the records of a batch. */
    private interface Receiver {
        void receive(RecordBatch batch, int ordinal);
    }

    private static void forEach(Message<?> message, Receiver receiver) {
        RecordBatch batch = (RecordBatch) message.getPayload();
        IntConsumer each = ordinal -> receiver.receive(batch, ordinal);
        Arrays.stream(batch.selection(), 0, batch.selected()).forEach(each);
    }

    /**
     * Returns what becomes of a record: one outcome, or one for each record that was made of it, in the order in which
     * they reach their targets, then those that were dropped, then rejects.
     *
     * @param record bytes of one record
     */
    public List<Outcome> run(byte[] record) {
        outcomes.clear();
        long[] before = steps.stream().mapToLong(PipelineTrial::dropped).toArray();
        entry.handleMessage(new GenericMessage<>(record));
        List<Outcome> all = new ArrayList<>(outcomes);
        all.sort((a, b) -> Boolean.compare(a instanceof Outcome.Rejected, b instanceof Outcome.Rejected));
        int sent = (int) all.stream().filter(Outcome.Sent.class::isInstance).count();
        for (int i = 0; i < before.length; i++) {
            for (long drop = before[i]; drop < dropped(steps.get(i)); drop++) {
                all.add(sent++, new Outcome.Dropped(steps.get(i).name()));
            }
        }
        return List.copyOf(all);
    }

    private static long dropped(StepCounters step) {
        Counter dropped = step.dropped();
        return dropped == null ? 0 : dropped.get();
    }

    /** Returns the counters of the steps, without measures, since the trial was created. */
    public List<StepCounters> steps() {
        return List.copyOf(steps);
    }
}
