package io.millrace.store.geode.query;

import io.millrace.store.scan.RecordScan;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A cache of compiled queries that are not running, for a caller that repeats them: a dashboard every few seconds, or
 * the next partial scan of the same query. Stores the most recently used ones by soft reference, as long as memory
 * allows. Thread-safe.
 */
final class IdleScans<S extends RecordScan> {

    private static final int MAX_IDLE = 16;

    /**
     * A query without its limit.
     *
     * @param schema fingerprint of the version of the schema that the query is compiled for
     * @param versions number of earlier versions that it reads
     */
    record Key(String region, long schema, int versions, Record query) {}

    private final Map<Key, SoftReference<S>> idle = new LinkedHashMap<>();

    /** Returns a scan for a query, for exclusive use until it is given back. */
    S take(Key key, Supplier<S> compile) {
        SoftReference<S> held;
        synchronized (this) {
            held = idle.remove(key);
        }
        S scan = held == null ? null : held.get();
        return scan == null ? compile.get() : scan;
    }

    void release(Key key, S scan) {
        scan.reset();
        synchronized (this) {
            idle.remove(key);
            idle.put(key, new SoftReference<>(scan));
            if (idle.size() > MAX_IDLE) {
                idle.remove(idle.keySet().iterator().next());
            }
        }
    }
}
