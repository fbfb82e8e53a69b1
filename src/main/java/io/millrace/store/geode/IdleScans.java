package io.millrace.store.geode;

import io.millrace.store.RecordScan;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Compiled queries that are not being run, for the caller the same again: a dashboard every few seconds, or the next
 * stretch of the same answer. Keeps the last few, as long as memory is not short. Thread-safe.
 */
final class IdleScans<S extends RecordScan> {

    private static final int MOST = 16;

    /** A query, but for how many records it wants. */
    record Key(String region, Record query) {}

    private final Map<Key, SoftReference<S>> idle = new LinkedHashMap<>();

    /** One for this query, which nobody else has until it is given back. */
    S take(Key key, Supplier<S> compile) {
        SoftReference<S> held;
        synchronized (this) {
            held = idle.remove(key);
        }
        S scan = held == null ? null : held.get();
        return scan == null ? compile.get() : scan;
    }

    void giveBack(Key key, S scan) {
        scan.reset();
        synchronized (this) {
            idle.remove(key);
            idle.put(key, new SoftReference<>(scan));
            if (idle.size() > MOST) {
                idle.remove(idle.keySet().iterator().next());
            }
        }
    }
}
