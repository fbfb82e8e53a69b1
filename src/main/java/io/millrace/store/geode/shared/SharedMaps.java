package io.millrace.store.geode.shared;

import io.millrace.store.geode.cache.GeodeCache;
import io.millrace.store.geode.cache.TermCheck;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The data of a store in addition to the values of regions. There are two maps of each kind, one on disk and one in
 * memory, so that it lasts exactly as long as the data it belongs to. Thread-safe.
 */
public final class SharedMaps {

    /** Prefixes of region names. */
    public static final String WRITERS = "millrace-writers";

    static final String COMMITS = "millrace-commits";
    public static final String STATES = "millrace-states";
    static final String AUDIT = "millrace-audit";
    static final String RULES = "millrace-rules";
    static final String TABLES = "millrace-tables";

    private static final String IN_MEMORY = "-in-memory";

    private final GeodeCache cache;
    private final boolean alone;
    private final @Nullable TermCheck check;
    private final Map<String, SharedMap<?>> open = new ConcurrentHashMap<>();

    /**
     * @param alone whether maps in memory are local to this process
     * @param check of writes to commits, states, rules and tables, null for none
     */
    public SharedMaps(GeodeCache cache, boolean alone, @Nullable TermCheck check) {
        this.cache = cache;
        this.alone = alone;
        this.check = check;
    }

    /** Returns the records of writers. */
    public SharedMap<String> writers(boolean persistent) {
        return map(WRITERS, persistent, null);
    }

    /** Returns the committed positions of pipelines in their feeds. */
    public SharedMap<String> commits(boolean persistent) {
        return map(COMMITS, persistent, check);
    }

    /** Returns the states of measures. */
    public SharedMap<byte[]> states(boolean persistent) {
        return map(STATES, persistent, check);
    }

    /** Returns the log of manual changes, by time. */
    public SharedMap<String> audit(boolean persistent) {
        return map(AUDIT, persistent, null);
    }

    /** Returns the versions of the rules of pipelines, which any process may add. */
    public SharedMap<String> rules(boolean persistent) {
        return map(RULES, persistent, check == null ? null : check.optional());
    }

    /** Returns the versions of tables that pipelines use. */
    public SharedMap<byte[]> tables(boolean persistent) {
        return map(TABLES, persistent, check);
    }

    /** Uses these records of writers to regions in memory. */
    public void useWritersInMemory(SharedMap<String> writers) {
        open.put(name(WRITERS, false), writers);
    }

    /** Opens the maps that every writer needs; a member must do so before clients use them. */
    public void open(boolean persistent) {
        var _ = writers(persistent);
        var _ = commits(persistent);
        var _ = audit(persistent);
        var _ = rules(persistent);
        var _ = tables(persistent);
    }

    /** Returns whether a kind of map is open, without opening it. */
    public boolean isOpen(String kind, boolean persistent) {
        return open.containsKey(name(kind, persistent));
    }

    @SuppressWarnings("unchecked") // all maps of one kind have the same type
    private <V> SharedMap<V> map(String kind, boolean persistent, @Nullable TermCheck writeCheck) {
        String name = name(kind, persistent);
        SharedMap<?> known = open.get(name);
        return (SharedMap<V>) (known != null ? known : make(name, persistent, writeCheck));
    }

    private static String name(String kind, boolean persistent) {
        return persistent ? kind : kind + IN_MEMORY;
    }

    /** Not inside the map's own lock: opening a region on disk may wait for other members. */
    private synchronized SharedMap<?> make(String name, boolean persistent, @Nullable TermCheck writeCheck) {
        SharedMap<?> known = open.get(name);
        if (known == null) {
            known = alone && !persistent
                    ? new LocalMap<>()
                    : new RegionMap<>(cache, cache.shared(name, persistent, name.startsWith(TABLES), writeCheck));
            open.put(name, known);
        }
        return known;
    }
}
