package io.millrace.pipeline.trial;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.RejectCollector;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.schema.Schema;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import io.millrace.store.reject.Reject;
import io.millrace.store.reject.RejectBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * The steps of a pipeline without its feed, its measures and a store: records go in one at a time, and what becomes of
 * each comes out. The steps are those of a running pipeline. Tables of files have their rows, those of regions are
 * empty. Not thread-safe.
 */
public final class PipelineTrial {

    private final PipelinePlan plan;
    private final EntryStep entry;
    private final List<BatchStep> steps;
    private final List<Outcome> outcomes = new ArrayList<>();

    public PipelineTrial(PipelinePlan plan) {
        this.plan = plan;
        RejectCollector rejects = new RejectCollector(batch -> forEach(batch, this::addReject), new RejectBatch());
        DetachedSteps detached = new DetachedSteps(plan, rejects, receiver(), Map.of());
        steps = detached.steps();
        entry = new EntryStep(
                plan.definition().inputChannel(), EntryStep.Reading.of(plan.schema()), rejects, new ReentrantLock());
        entry.setOutput(detached::accept);
        entry.open();
    }

    private void addReject(RecordBatch batch, int ordinal) {
        int start = batch.offset(ordinal);
        Reject reject = Reject.decode(batch.bytes(), start, start + batch.length(ordinal));
        outcomes.add(new Outcome.Rejected(reject.kind(), reject.detail()));
    }

    private DetachedSteps.Receiver receiver() {
        Schema schema = plan.targetSchema().stored();
        StoredForm form = StoredForms.of(schema);
        StoredRecords records = StoredRecords.of(schema);
        return (target, sent) -> {
            forEach(
                    sent,
                    (batch, ordinal) -> outcomes.add(
                            new Outcome.Sent(target.text(), records.decode(form.copy(batch, ordinal), 0))));
        };
    }

    /** Receives the records of a batch. */
    private interface Receiver {
        void receive(RecordBatch batch, int ordinal);
    }

    private static void forEach(RecordBatch batch, Receiver receiver) {
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
        entry.accept(record);
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
