package io.millrace.aggregate;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;

/**
 * The numbers of a column for the selected records of a batch, and which of them are values. Not thread-safe; allocates
 * only to grow.
 */
public final class ColumnValues {

    private final Column column;
    private long[] numbers = new long[0];
    private long[] presence = new long[0];

    public ColumnValues(Column column) {
        this.column = column;
    }

    /**
     * Computes the column. Records without a result are passed to the sink and leave the selection: all columns that
     * were filled before must then be filled again.
     */
    public void fill(RecordBatch batch, RejectSink failures) {
        numbers = space(numbers, batch);
        column.numbers().loop().fill(batch, numbers, failures);
        if (column.optional()) {
            presence = space(presence, batch);
            fillPresence(batch, failures);
        }
    }

    private void fillPresence(RecordBatch batch, RejectSink failures) {
        int selected = batch.selected();
        long present = 0;
        for (int i = 0; i < selected; i++) {
            presence[i] = numbers[i] == Column.ABSENT ? 0 : 1;
            present += presence[i];
        }
        Compiled<BatchKeys> exact = column.presence();
        if (exact != null && present < selected) {
            exact.loop().fill(batch, presence, failures);
        }
    }

    private static long[] space(long[] array, RecordBatch batch) {
        return array.length < batch.selected() ? new long[batch.selection().length] : array;
    }

    /** Returns the column. */
    public Column column() {
        return column;
    }

    /** Returns the number of each record; that of an absent value is {@link Column#ABSENT}. */
    public long[] numbers() {
        return numbers;
    }

    /** Returns whether each record has a value, so that {@link #presence} is not valid. */
    public boolean complete() {
        return !column.optional();
    }

    /** Returns whether a record has a value. */
    public boolean isPresent(int index) {
        return complete() || presence[index] != 0;
    }

    /** Returns for each record 1 if it has a value, otherwise 0. */
    public long[] presence() {
        return presence;
    }
}
