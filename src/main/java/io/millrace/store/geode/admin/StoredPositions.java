package io.millrace.store.geode.admin;

import io.millrace.store.error.NotStoredException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.geode.shared.AuditTrail;
import io.millrace.store.geode.shared.SharedMap;
import io.millrace.store.geode.shared.SharedMaps;
import io.millrace.store.geode.shared.StoredCommits;
import io.millrace.store.geode.shared.StoredRules;
import io.millrace.store.geode.shared.StoredTables;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The positions of pipelines in their feeds, for tools. Not thread-safe. */
final class StoredPositions {

    private final SharedMaps shared;
    private final WriterClaims claims;
    private final boolean[] kinds;

    /** @param inMemory whether there are positions in memory too */
    StoredPositions(SharedMaps shared, WriterClaims claims, boolean inMemory) {
        this.shared = shared;
        this.claims = claims;
        this.kinds = inMemory ? new boolean[] {true, false} : new boolean[] {true};
    }

    /** Returns the commits of all pipelines, by the text of their writers' names. */
    Map<String, Commit> all() {
        Map<String, Commit> all = new TreeMap<>();
        for (boolean persistent : kinds) {
            orElse(() -> new StoredCommits(shared.commits(persistent)).all(), Map.<String, Commit>of())
                    .forEach(all::putIfAbsent);
        }
        return all;
    }

    /** Returns the log of manual changes, oldest first. */
    Map<String, String> audit() {
        Map<String, String> entries = new TreeMap<>();
        for (boolean persistent : kinds) {
            entries.putAll(orElse(() -> new AuditTrail(shared.audit(persistent)).all(), Map.<String, String>of()));
        }
        return entries;
    }

    /**
     * Removes a pipeline's position in its feed and the states of its measures: it starts at the beginning of the feed,
     * as if it had never run. Its stored records stay.
     *
     * @throws StoreException if the writer is unknown or in use
     */
    void reset(String writer) {
        WriterName name = WriterName.parse(writer);
        Commit commit = all().get(writer);
        if (commit == null) {
            throw new NotStoredException(
                    "Unknown writer '" + writer + "'. Use one of: " + String.join(", ", all().keySet()) + ".");
        }
        for (boolean persistent : kinds) {
            if (orElse(() -> shared.writers(persistent).keys(), Set.<String>of())
                    .contains(writer)) {
                reset(name, claims.claim(name, persistent));
            }
        }
        audit("positions reset writer=" + writer + " position=" + commit.position() + " feed='" + commit.feed() + "'");
    }

    /** Logs a manual change: on disk, if the servers have one. */
    void audit(String what) {
        String entry = what + " user=" + System.getProperty("user.name") + " process=" + ProcessName.self();
        if (!orElse(() -> put(shared.audit(true), entry), false)) {
            put(shared.audit(false), entry);
        }
    }

    private static boolean put(SharedMap<String> audit, String entry) {
        new AuditTrail(audit).add(entry);
        return true;
    }

    /** Removes states first: without the commit, nothing would show what there is to reset. */
    private void reset(WriterName name, Term term) {
        removeStates(name, term);
        for (boolean persistent : kinds) {
            orElse(() -> remove(persistent, term), false);
            orElse(() -> removeTables(persistent, term), false);
        }
        claims.forget(term);
    }

    private boolean remove(boolean persistent, Term term) {
        new StoredCommits(shared.commits(persistent)).remove(term);
        new StoredRules(shared.rules(persistent)).removeUses(term);
        return true;
    }

    private boolean removeTables(boolean persistent, Term term) {
        new StoredTables(shared.tables(persistent), 0, false).remove(term);
        return true;
    }

    private void removeStates(WriterName name, Term term) {
        SharedMap<byte[]> states = shared.states(term.persistent());
        for (String key : orElse(states::keys, Set.<String>of())) {
            int end = key.indexOf('/', key.indexOf('/') + 1);
            if (belongsTo(end < 0 ? key : key.substring(0, end), name)) {
                states.remove(key, term);
            }
        }
    }

    /**
     * Returns the content of a map, or a default if the servers have no such region because nothing has needed it yet.
     */
    private static <T> T orElse(Supplier<T> query, T defaultValue) {
        try {
            return query.get();
        } catch (StoreException e) {
            if (Causes.isMissingRegion(e)) {
                return defaultValue;
            }
            throw e;
        }
    }

    private static boolean belongsTo(String key, WriterName name) {
        try {
            return WriterName.parse(key).whole().equals(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
