package io.millrace.measure.window;

import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import java.util.List;

/** Columns of longs with the keys of records. Stateless. */
final class KeyColumns {

    private KeyColumns() {}

    /** Fills the columns of a key, from {@code first} on. */
    static void fill(GroupKey key, RecordBatch batch, long[][] columns, int first, RejectSink failures) {
        List<Compiled<BatchKeys>> numbers = key.numbers();
        if (numbers.isEmpty()) {
            key.fill(batch, columns, first);
        }
        for (int part = 0; part < numbers.size(); part++) {
            numbers.get(part).loop().fill(batch, columns[first + part], failures);
        }
    }

    /** Returns the array, or a new and longer one if the batch has more records. */
    static long[] room(long[] column, RecordBatch batch) {
        return column.length < batch.selected() ? new long[batch.selection().length] : column;
    }
}
