package io.millrace.measure;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import java.util.Arrays;

/**
 * Computes the distinct keys of records as a column of longs: the key itself or, for a key of several longs, a hash of
 * it; {@link Column#ABSENT} for a record without a key. Not thread-safe.
 */
final class DistinctKey {

    private static final long MIX = 0xBF58_476D_1CE4_E5B9L;

    private final GroupKey key;
    private final long[][] parts;
    /** The long of an absent value in each column. */
    private final long[] absent;

    DistinctKey(GroupKey key) {
        this.key = key;
        this.parts = new long[key.longs()][0];
        this.absent = new long[parts.length];
        Arrays.setAll(absent, key::absent);
    }

    /**
     * Returns the column, filled from the selected records. Records for which the expression has no result are passed
     * to the sink.
     */
    long[] fill(RecordBatch batch, RejectSink failures) {
        for (int part = 0; part < parts.length; part++) {
            parts[part] = Inputs.room(parts[part], batch);
        }
        var numbers = key.numbers();
        if (numbers == null) {
            key.fill(batch, parts, 0);
        } else {
            numbers.loop().fill(batch, parts[0], failures);
        }
        if (parts.length > 1 || key.value().optional()) {
            combineParts(batch.selected());
        }
        return parts[0];
    }

    private void combineParts(int count) {
        boolean optional = key.value().optional();
        for (int i = 0; i < count; i++) {
            boolean missing = optional;
            long hash = 0;
            for (int part = 0; part < parts.length; part++) {
                missing &= parts[part][i] == absent[part];
                hash = (hash ^ parts[part][i]) * MIX;
                hash ^= hash >>> 29;
            }
            parts[0][i] = missing ? Column.ABSENT : hash;
        }
    }
}
