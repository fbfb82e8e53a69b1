package io.millrace.store.geode;

import io.millrace.store.Commit;
import io.millrace.store.StoreException;
import io.millrace.store.Term;
import io.millrace.store.WriterName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far pipelines have read their feeds, for tools. Not thread-safe. */
final class StoredPositions {

    private static final Logger LOG = LoggerFactory.getLogger(StoredPositions.class);

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
            new StoredCommits(shared.commits(persistent)).all().forEach(all::putIfAbsent);
        }
        return all;
    }

    /** Returns what was done by hand, oldest first. */
    Map<String, String> audit() {
        SharedMap<String> audit = shared.audit(true);
        Map<String, String> entries = new TreeMap<>();
        for (String time : audit.keys()) {
            String entry = audit.get(time);
            if (entry != null) {
                entries.put(time, entry);
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
            if (shared.writers(persistent).get(writer) != null) {
                reset(name, claims.claim(name, persistent));
            }
        }
        audit("positions reset writer=" + writer + " position=" + commit.position() + " feed='" + commit.feed() + "'");
    }

    /** Records, and logs, what was done by hand. */
    void audit(String what) {
        String entry = what + " user=" + System.getProperty("user.name") + " process=" + ProcessName.self();
        shared.audit(true).put(Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(), entry, null);
        LOG.info("{}", entry);
    }

    private void reset(WriterName name, Term term) {
        for (boolean persistent : kinds) {
            shared.commits(persistent).remove(name.text(), term);
        }
        removeStates(name, term);
        claims.forget(term);
    }

    private void removeStates(WriterName name, Term term) {
        SharedMap<byte[]> states;
        try {
            states = shared.states(term.persistent());
        } catch (StoreException e) {
            return; // no measure has ever been here
        }
        for (String key : keys(states)) {
            int end = key.indexOf('/', key.indexOf('/') + 1);
            if (belongsTo(end < 0 ? key : key.substring(0, end), name)) {
                states.remove(key, term);
            }
        }
    }

    /** Servers that run no measures have no such region. */
    private static Iterable<String> keys(SharedMap<byte[]> states) {
        try {
            return states.keys();
        } catch (StoreException e) {
            return List.of();
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
