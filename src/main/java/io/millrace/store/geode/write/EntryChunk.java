package io.millrace.store.geode.write;

import io.millrace.store.geode.region.Values;
import io.millrace.store.query.LatestField;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterCounters;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes to entries that are stored together. Only the last change to a key counts, or of values in the order of a
 * {@linkplain LatestField field} the latest one, so neither the order of changes to different keys nor a repetition
 * after a failure affects the result. Not thread-safe.
 */
final class EntryChunk {

    private static final int FULL = 1024;

    private final Values target;
    private final WriterCounters counters;
    private @Nullable LatestField latest;
    private final Map<Object, byte[]> values = HashMap.newHashMap(FULL);
    private final Set<Object> removals = new HashSet<>();
    private int records;

    EntryChunk(Values target, WriterCounters counters) {
        this.target = target;
        this.counters = counters;
    }

    /** Orders the values of a key by a field from now on; null for the order in which they are put. */
    void order(@Nullable LatestField field) {
        latest = field;
    }

    void put(Object key, byte[] value) {
        LatestField field = latest;
        removals.remove(key);
        byte[] before = field == null ? null : values.get(key);
        if (field == null || before == null || !field.isOlder(key, value, before)) {
            values.put(key, value);
        }
        records++;
    }

    void remove(Object key) {
        values.remove(key);
        removals.add(key);
        records++;
    }

    /** Returns the number of records that caused the changes. */
    int records() {
        return records;
    }

    boolean full() {
        return records >= FULL;
    }

    /**
     * Stores the changes, counts their records as kept, and clears the chunk.
     *
     * @throws io.millrace.store.error.StoreException if a write fails: call this method again
     */
    void store(Term term) {
        counters.pending().set(records);
        if (!values.isEmpty()) {
            long nanos = target.putAll(values, term);
            long bytes = 0;
            for (byte[] value : values.values()) {
                bytes += value.length;
            }
            counters.count(values.size(), bytes, nanos);
        }
        if (!removals.isEmpty()) {
            counters.count(0, 0, target.removeAll(removals, term));
        }
        counters.kept().add(records);
        clear();
    }

    /** Discards all changes. */
    void clear() {
        values.clear();
        removals.clear();
        records = 0;
        counters.pending().set(0);
    }
}
