package io.millrace.pipeline.commit;

import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.TableUse;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of tables that the commits of a pipeline name. They are stored before the first commit that names them, and
 * others are removed after it, so that a replay always finds those of the last commit. Operations of the store are
 * retried. Not thread-safe.
 */
final class CommittedTables {

    private final RegionWriters store;
    private final Retry retry;
    /** Versions of the last commit of this term, by table; null before the first one. */
    private @Nullable Map<String, String> committed;

    /** The commit of the term before, until its versions are known to be among the stored uses. */
    private @Nullable Commit last;

    CommittedTables(RegionWriters store, Retry retry) {
        this.store = store;
        this.retry = retry;
    }

    /**
     * Begins a term.
     *
     * @param commit the one from which it continues, or null if there is none
     */
    void begin(@Nullable Commit commit) {
        committed = null;
        last = commit;
    }

    /** Stores the rows that the next commit names. Those that are larger than the store allows are not stored. */
    void beforeCommit(Term term, OutputVersion version) {
        if (version.tableVersions().equals(committed)) {
            return;
        }
        Commit earlier = last;
        if (earlier != null) {
            // The process may have ended before it stored these uses. The next commit would hide which ones they were.
            addUses(term, earlier.tables(), earlier.position());
            last = null;
        }
        new TreeMap<>(version.tables())
                .forEach((table, rows) -> retry.run(() -> {
                    TableVersions versions = store.tableVersions(term.persistent());
                    if (rows.bytes().byteSize() <= versions.maxBytes()
                            && versions.bytes(term.writer(), table, rows.version()) < 0) {
                        versions.put(term, table, rows.version(), rows.bytes());
                    }
                }));
    }

    /**
     * Stores which versions are used from the position of a commit on, and removes the rows of others.
     *
     * @param position of the commit that has been stored
     */
    void afterCommit(Term term, OutputVersion version, long position) {
        Map<String, String> now = version.tableVersions();
        if (now.equals(committed)) {
            return;
        }
        addUses(term, now, position);
        retry.run(() -> store.tableVersions(term.persistent()).retain(term, now));
        committed = now;
    }

    private void addUses(Term term, Map<String, String> tables, long position) {
        tables.forEach((table, used) -> retry.run(() -> {
            TableVersions versions = store.tableVersions(term.persistent());
            List<TableUse> uses = versions.uses(term.writer(), table);
            if (uses.isEmpty() || !uses.getLast().version().equals(used)) {
                versions.add(term, table, new TableUse(used, position));
            }
        }));
    }
}
