package io.millrace.store.geode;

import io.millrace.store.Commit;
import io.millrace.store.StoreException;
import io.millrace.store.Term;
import io.millrace.store.WriterName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** How far pipelines have read their feeds, for tools. Not thread-safe. */
final class StoredPositions {

    private final SharedMaps shared;
    private final WriterClaims claims;
    private final boolean[] kinds;

    /** @param inMemory whether there are such in memory too */
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

    /** Returns what was done by hand, oldest first. */
    Map<String, String> audit() {
        Map<String, String> entries = new TreeMap<>();
        for (boolean persistent : kinds) {
            SharedMap<String> audit = shared.audit(persistent);
            for (String time : orElse(audit::keys, Set.<String>of())) {
                String entry = audit.get(time);
                if (entry != null) {
                    entries.put(time, entry);
                }
            }
        }
        return entries;
    }

    /**
     * Forgets how far a pipeline has read its feed, and what its measures have counted: it begins at the feed's
     * beginning as if it had never run. What it has stored stays.
     *
     * @throws StoreException where nothing is known of the writer, or it is in use
     */
    void reset(String writer) {
        WriterName name = WriterName.parse(writer);
        Commit commit = all().get(writer);
        if (commit == null) {
            throw new StoreException("Nothing is known of '" + writer + "'. Known are: " + all().keySet());
        }
        for (boolean persistent : kinds) {
            if (orElse(() -> shared.writers(persistent).keys(), Set.<String>of())
                    .contains(writer)) {
                reset(name, claims.claim(name, persistent));
            }
        }
        audit("positions reset writer=" + writer + " position=" + commit.position() + " feed='" + commit.feed() + "'");
    }

    /** Records what was done by hand: on disk, where servers have one. */
    void audit(String what) {
        String entry = what + " user=" + System.getProperty("user.name") + " process=" + ProcessName.self();
        if (!orElse(() -> put(shared.audit(true), entry), false)) {
            put(shared.audit(false), entry);
        }
    }

    private static boolean put(SharedMap<String> audit, String entry) {
        String time = Instant.now().truncatedTo(ChronoUnit.MICROS).toString();
        String key = time;
        for (int i = 2; audit.putIfAbsent(key, entry) != null; i++) {
            key = time + "#" + i;
        }
        return true;
    }

    /** States first: once the commit is gone, nothing says any more what there is to reset. */
    private void reset(WriterName name, Term term) {
        removeStates(name, term);
        for (boolean persistent : kinds) {
            SharedMap<String> commits = shared.commits(persistent);
            if (orElse(commits::keys, Set.<String>of()).contains(name.text())) {
                commits.remove(name.text(), term);
            }
        }
        claims.forget(term);
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

    /** Returns what a map has, or something else where servers have no such region: nothing has needed it yet. */
    private static <T> T orElse(Supplier<T> query, T otherwise) {
        try {
            return query.get();
        } catch (StoreException e) {
            if (Causes.isMissingRegion(e)) {
                return otherwise;
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
