package io.millrace.measure.window;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.ColumnValues;
import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.measure.plan.MeasurePlan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The columns that a measure reads of a batch. Filling them allocates nothing unless batches grow. Not thread-safe. */
final class Inputs implements RejectSink {

    private final GroupKey[] groupKeys;
    private final long[][] keys;
    private final ColumnValues[] values;
    private final DistinctKey[] identities;
    private final @Nullable ColumnValues times;
    private long failed;
    private @Nullable String firstFailure;

    Inputs(MeasurePlan plan) {
        groupKeys = plan.keys().toArray(new GroupKey[0]);
        keys = new long[plan.keyWidth()][0];
        values = plan.layout().columns().stream().map(ColumnValues::new).toArray(ColumnValues[]::new);
        identities = plan.identities().stream().map(DistinctKey::new).toArray(DistinctKey[]::new);
        Column time = plan.time();
        times = time == null ? null : new ColumnValues(time);
    }

    /** Returns the columns of a plan that continues this one, with the same counts. */
    Inputs with(MeasurePlan next) {
        Inputs inputs = new Inputs(next);
        inputs.failed = failed;
        inputs.firstFailure = firstFailure;
        return inputs;
    }

    /**
     * Fills all columns from the selected records. Records for which an expression has no result are counted as failed
     * and leave the selection.
     */
    void fill(RecordBatch batch) {
        int before;
        do { // If records leave the selection, the columns filled before still have entries for them: fill all again.
            before = batch.selected();
            fillAll(batch);
        } while (batch.selected() != before);
    }

    private void fillAll(RecordBatch batch) {
        if (times != null) {
            times.fill(batch, this);
        }
        int part = 0;
        for (GroupKey key : groupKeys) {
            for (int i = 0; i < key.longs(); i++) {
                keys[part + i] = KeyColumns.room(keys[part + i], batch);
            }
            KeyColumns.fill(key, batch, keys, part, this);
            part += key.longs();
        }
        for (ColumnValues column : values) {
            column.fill(batch, this);
        }
        for (DistinctKey identity : identities) {
            identity.fill(batch, this);
        }
    }

    /** Returns the event times of the records, in the unit of their field. There must be a time. */
    ColumnValues times() {
        return Objects.requireNonNull(times);
    }

    /** Returns the key columns: one column for each long of a group's key. */
    long[][] keys() {
        return keys;
    }

    /** Returns the columns that aggregates are computed from. */
    ColumnValues[] values() {
        return values;
    }

    /** Returns the distinct keys. */
    DistinctKey[] identities() {
        return identities;
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        fail(reason.detail());
    }

    /** Counts a record that could not be measured. */
    void fail(String detail) {
        failed++;
        if (firstFailure == null) {
            firstFailure = detail;
        }
    }

    /** Returns the number of records that could not be measured. */
    long failed() {
        return failed;
    }

    /** Returns why the first record could not be measured, or null if all could. */
    @Nullable
    String firstFailure() {
        return firstFailure;
    }

    /** Sets the number of records that could not be measured. */
    void countFrom(long alreadyFailed) {
        failed = alreadyFailed;
    }
}
