package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.EntryStep;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.trial.DetachedSteps;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Rules that run on batches of others, and store nothing. They leave the batches as they are, and their own have the
 * same ordinals. Not thread-safe.
 */
final class Candidate {

    private final EntryStep.Reading reading;
    private final DetachedSteps steps;
    private final Decisions decisions;
    private final MadeRecords made;
    private final boolean copies;
    private final boolean admits;
    private byte[] bytes = new byte[0];
    private int[] starts = new int[0];
    private int[] ends = new int[0];
    private int[] admitted = new int[0];
    private int admittedCount;

    /**
     * Creates the steps.
     *
     * @param destinations of the records
     * @param regions returns the schema of the records that a region stores
     * @param maxMade maximum number of bytes of records that steps {@code unnest} make of a batch
     * @param copies whether the bytes of records are copied, because steps of these rules or of those that share the
     *     batches overwrite fields
     * @param admitted whether the records of the batches have been admitted
     * @param measures processors of measures, by the name of the measure; others are left out
     */
    Candidate(
            PipelinePlan plan,
            Destinations destinations,
            Function<String, Schema> regions,
            long maxMade,
            boolean copies,
            boolean admitted,
            Map<String, MeasureProcessor> measures) {
        this.copies = copies;
        // Admission of records that vary in length also finds the fields that these rules read.
        this.admits = !admitted || plan.schema().layout().variesInLength();
        reading = EntryStep.Reading.of(plan.schema());
        List<Target> targets = destinations.targets();
        decisions = new Decisions(destinations);
        made = new MadeRecords(plan, decisions, destinations, Kept.of(targets, plan, regions), maxMade);
        steps = new DetachedSteps(
                plan, this::reject, (target, batch) -> reach(batch, targets.indexOf(target)), measures);
        made.observe(steps);
    }

    private void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        if (!made.reject(batch, ordinal, reason)) {
            decisions.reject(ordinal, reason);
        }
    }

    private void reach(RecordBatch batch, int target) {
        if (!made.reach(batch, target)) {
            decisions.reach(batch, target);
        }
    }

    /** Runs the rules on the selected records of a batch. */
    void run(RecordBatch source) {
        take(source);
        decisions.begin(source.count());
        made.begin(source.count());
        if (admits) {
            reading.admission().admit(batch(), (_, ordinal, reason) -> decisions.reject(ordinal, reason));
        }
        if (batch().selected() > 0) {
            steps.accept(batch());
        }
        made.end();
    }

    private void take(RecordBatch source) {
        int count = source.count();
        int from = source.offset(0);
        int length = source.offset(count - 1) + source.length(count - 1) - from;
        byte[] records = source.bytes();
        int at = from;
        if (copies) {
            if (bytes.length < length) {
                bytes = new byte[length];
            }
            System.arraycopy(records, from, bytes, 0, length);
            records = bytes;
            at = 0;
        }
        if (source.schema().layout().variesInLength()) {
            if (starts.length < count) {
                starts = new int[count];
                ends = new int[count];
            }
            for (int i = 0; i < count; i++) {
                starts[i] = source.offset(i) - from + at;
                ends[i] = starts[i] + source.length(i);
            }
            batch().fill(records, starts, ends, count, null);
        } else {
            batch().fill(records, at, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        }
        admittedCount = source.selected();
        if (admitted.length < admittedCount) {
            admitted = new int[source.selection().length];
        }
        System.arraycopy(source.selection(), 0, admitted, 0, admittedCount);
        System.arraycopy(admitted, 0, batch().selection(), 0, admittedCount);
        batch().select(admittedCount);
    }

    private RecordBatch batch() {
        return reading.batch();
    }

    /** Forgets the records that were made of those of the last batch. */
    void release() {
        made.release();
    }

    /** Returns what the rules did with the records of the last batch. */
    Results results() {
        return new Results(batch(), decisions, made);
    }

    /** Returns the ordinals of the records of the last batch on which the rules ran. */
    int[] admitted() {
        return admitted;
    }

    /** Returns the number of these records. */
    int admittedCount() {
        return admittedCount;
    }

    /** Returns the time that the steps have taken so far, without measures, in nanoseconds. */
    long stepNanos() {
        long nanos = 0;
        for (BatchStep step : steps.steps()) {
            nanos += step.measures().isEmpty() ? step.nanos().get() : 0;
        }
        return nanos;
    }
}
