package io.millrace.aggregate;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.schema.Field;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One part of the key of a group: longs that are equal if its values are equal. Immutable. */
public abstract sealed class GroupKey permits FieldKey, ComputedKey {

    /** Returns the number of longs. */
    public abstract int longs();

    /** Returns the type of its values, and whether one may be absent. */
    public abstract Field value();

    /** Returns the names of the fields that it reads. */
    public abstract Set<String> reads();

    /** Returns the keys that fill its columns, one for each; empty if {@link #fill} does. */
    public abstract List<Compiled<BatchKeys>> numbers();

    /**
     * Fills its columns from the selected records, unless {@link #numbers} fill them.
     *
     * @param columns as many as its number of longs, from {@code first} on
     */
    public abstract void fill(RecordBatch batch, long[][] columns, int first);

    /**
     * Returns the value that longs represent; null if it is absent.
     *
     * @throws io.millrace.codec.FieldValueException if they do not represent a value
     */
    public abstract @Nullable Object decode(long[] key, int at);

    /** Returns the long in one of its columns for an absent value; undefined if values can't be absent. */
    public abstract long absent(int part);

    /** Returns whether longs represent an absent value. */
    public final boolean isAbsent(long[] key, int at) {
        if (!value().optional()) {
            return false;
        }
        for (int part = 0; part < longs(); part++) {
            if (key[at + part] != absent(part)) {
                return false;
            }
        }
        return true;
    }
}
