package io.millrace.measure;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import org.jspecify.annotations.Nullable;

/**
 * All that a measure looks at of records, in columns. Filling them allocates nothing unless batches grow. Not
 * thread-safe.
 */
final class Inputs implements RejectSink {

    private final MeasurePlan plan;
    private final GroupKey[] groupKeys;
    private final Column[] columns;
    private final long[][] keys;
    private final long[][] values;
    private final DistinctKey[] identities;
    private final long[][] identityColumns;
    private long[] times = new long[0];
    private long failed;
    private @Nullable String firstFailure;

    Inputs(MeasurePlan plan) {
        this.plan = plan;
        groupKeys = plan.keys().toArray(new GroupKey[0]);
        columns = plan.layout().columns().toArray(new Column[0]);
        keys = new long[plan.keyWidth()][0];
        values = new long[plan.layout().columns().size()][0];
        identities = plan.identities().stream().map(DistinctKey::new).toArray(DistinctKey[]::new);
        identityColumns = new long[identities.length][0];
    }

    /** Fills all columns from the selected records. Those without a result are counted and leave the selection. */
    void fill(RecordBatch batch) {
        int before;
        do { // A record that leaves the selection takes its place in the columns filled before with it.
            before = batch.selected();
            fillAll(batch);
        } while (batch.selected() != before);
    }

    private void fillAll(RecordBatch batch) {
        Column time = plan.time();
        if (time != null) {
            times = room(times, batch);
            time.numbers().loop().fill(batch, times, this);
        }
        int part = 0;
        for (GroupKey key : groupKeys) {
            for (int i = 0; i < key.longs(); i++) {
                keys[part + i] = room(keys[part + i], batch);
            }
            var numbers = key.numbers();
            if (numbers == null) {
                key.fill(batch, keys, part);
            } else {
                numbers.loop().fill(batch, keys[part], this);
            }
            part += key.longs();
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = room(values[i], batch);
            columns[i].numbers().loop().fill(batch, values[i], this);
        }
        for (int i = 0; i < identities.length; i++) {
            identityColumns[i] = identities[i].fill(batch, this);
        }
    }

    /** The same array, or a longer one where a batch has more records. */
    static long[] room(long[] column, RecordBatch batch) {
        return column.length < batch.selected() ? new long[batch.selection().length] : column;
    }

    /** When the records happened, in the units of their field. */
    long[] times() {
        return times;
    }

    /** For each long of a group's key those of the records. */
    long[][] keys() {
        return keys;
    }

    /** The columns that figures are told from. */
    long[][] values() {
        return values;
    }

    /** The columns of what is told apart. */
    long[][] identities() {
        return identityColumns;
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        fail(reason.detail());
    }

    /** Counts a record that can't be measured. */
    void fail(String why) {
        failed++;
        if (firstFailure == null) {
            firstFailure = why;
        }
    }

    /** How many records could not be measured. */
    long failed() {
        return failed;
    }

    /** Why the first of them could not, null where there is none. */
    @Nullable
    String firstFailure() {
        return firstFailure;
    }

    /** Goes on counting from a number. */
    void countFrom(long alreadyFailed) {
        failed = alreadyFailed;
    }
}
