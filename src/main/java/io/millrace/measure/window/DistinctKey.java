package io.millrace.measure.window;

import io.millrace.aggregate.GroupKey;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import java.util.Arrays;

/**
 * Computes the distinct keys of records as a column of longs: the key itself or, for a key of several longs, a hash of
 * it. Not thread-safe.
 */
final class DistinctKey {

    private static final long MIX = 0xBF58_476D_1CE4_E5B9L;

    private final GroupKey key;
    private final boolean optional;
    private final long[][] parts;
    /** The long of an absent value in each column. */
    private final long[] absent;

    private boolean[] missing = new boolean[0];

    DistinctKey(GroupKey key) {
        this.key = key;
        this.optional = key.value().optional();
        this.parts = new long[key.longs()][0];
        this.absent = new long[parts.length];
        Arrays.setAll(absent, key::absent);
    }

    /**
     * Fills the column from the selected records. Records for which the expression has no result are passed to the
     * sink.
     */
    void fill(RecordBatch batch, RejectSink failures) {
        for (int part = 0; part < parts.length; part++) {
            parts[part] = KeyColumns.room(parts[part], batch);
        }
        KeyColumns.fill(key, batch, parts, 0, failures);
        if (optional) {
            findMissing(batch.selected());
        }
        if (parts.length > 1) {
            combineParts(batch.selected());
        }
    }

    private void findMissing(int count) {
        if (missing.length < count) {
            missing = new boolean[Math.max(count, 2 * missing.length)];
        }
        for (int i = 0; i < count; i++) {
            boolean all = true;
            for (int part = 0; part < parts.length; part++) {
                all &= parts[part][i] == absent[part];
            }
            missing[i] = all;
        }
    }

    private void combineParts(int count) {
        for (int i = 0; i < count; i++) {
            long hash = 0;
            for (long[] part : parts) {
                hash = (hash ^ part[i]) * MIX;
                hash ^= hash >>> 29;
            }
            parts[0][i] = hash;
        }
    }

    /** Returns the column. Keys of absent values are undefined. */
    long[] keys() {
        return parts[0];
    }

    /** Returns whether a record has no value. */
    boolean isMissing(int index) {
        return optional && missing[index];
    }
}
