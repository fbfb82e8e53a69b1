package io.millrace.pipeline.version;

import io.millrace.background.FailureCode;
import io.millrace.memory.OffHeap;
import io.millrace.pipeline.commit.OutputVersion;
import io.millrace.pipeline.step.TableRows;
import io.millrace.store.Store;
import io.millrace.store.write.Commit;
import io.millrace.store.write.TableUse;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import io.millrace.table.PackedTable;
import io.millrace.table.PinnedTable;
import io.millrace.table.ServedTable;
import io.millrace.table.TableException;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of files as one pipeline reads them. Their rows are pinned: they change between two batches only, and only
 * after a commit names the new ones. A term begins with the rows that the last commit names, which are read from the
 * store if this process has loaded others.
 *
 * <p>The pipeline's thread calls it; any thread may create steps and read the versions.
 */
public final class PipelineTables {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineTables.class);

    private final WriterName writer;
    private final String instance;
    private final boolean replayable;
    private final boolean persistent;
    private final boolean rulesMayChange;
    private final Store store;
    private final Map<String, Pinned> tables = new ConcurrentHashMap<>();

    /** A table, and which rows of its file have been considered. */
    private static final class Pinned {

        private final PinnedTable table;
        /** The version of the pinned rows. That of rows of an earlier schema stays the same when they are converted. */
        private volatile String version;

        /** The rows of the file that are used already, or wait to be, or are known to be outdated. */
        private PackedTable considered;

        private boolean changed;

        /** The rows that the last commit of this process names, to which a term returns that ends before the next. */
        private PackedTable committed;

        private String committedVersion;

        Pinned(ServedTable served) {
            table = new PinnedTable(served);
            considered = table.pinned();
            version = considered.version();
            committed = considered;
            committedVersion = version;
        }

        void commit() {
            committed = table.pinned();
            committedVersion = version;
        }

        /** Uses the rows that the file has now. */
        void pinServed() {
            considered = table.served();
            changed = false;
            pin(considered, considered.version());
        }

        void pin(PackedTable rows, String ofVersion) {
            table.pin(rows);
            version = ofVersion;
        }

        /** Returns whether the file was reloaded, or had new rows at the start of the term. */
        boolean hasChanged() {
            PackedTable served = table.served();
            if (served != considered) {
                considered = served;
                changed = !served.version().equals(version);
            }
            return changed;
        }
    }

    /**
     * @param writer writer name of the pipeline
     * @param instance name of this process among those that run the same pipelines
     * @param replayable whether records are processed again after a crash
     * @param persistent whether one of the pipeline's regions is persistent
     * @param rulesMayChange whether the pipeline may continue with other rows although records behind the commit may be
     *     stored
     */
    public PipelineTables(
            WriterName writer,
            String instance,
            boolean replayable,
            boolean persistent,
            boolean rulesMayChange,
            Store store) {
        this.writer = writer;
        this.instance = instance;
        this.replayable = replayable;
        this.persistent = persistent;
        this.rulesMayChange = rulesMayChange;
        this.store = store;
    }

    /**
     * Returns readers of the pinned rows, and of the current rows of tables that follow regions.
     *
     * @param used receives the names of the tables and fields that are read
     */
    TableRows collecting(Map<String, Set<String>> used) {
        return (table, fields) -> {
            if (!(table instanceof ServedTable served)) {
                return table.reader();
            }
            used.computeIfAbsent(table.name(), _ -> new HashSet<>()).addAll(fields);
            return tables.computeIfAbsent(table.name(), _ -> new Pinned(served))
                    .table
                    .reader();
        };
    }

    private Pinned pinned(String table) {
        return Objects.requireNonNull(tables.get(table));
    }

    private TableVersions versions() {
        return store.tableVersions(persistent);
    }

    /**
     * Pins the rows by which a term begins: those of the commit, or the newest ones if nothing is behind the commit.
     *
     * @param last the commit from which the term continues, or null if there is none
     * @param used names of tables, each with those of the fields that are read
     * @throws io.millrace.store.error.StoreException if the store does not answer: call again
     * @throws IllegalStateException if the rows of the commit are not available
     */
    Map<String, OutputVersion.Rows> begin(@Nullable Commit last, Map<String, Set<String>> used) {
        used.forEach((name, fields) -> begin(name, pinned(name), fields, last));
        return rows(used.keySet());
    }

    private void begin(String name, Pinned pinned, Set<String> fields, @Nullable Commit last) {
        String committed = last == null ? null : last.tables().get(name);
        PackedTable served = pinned.table.served();
        if (last == null || committed == null || committed.equals(served.version())) {
            pinned.pinServed();
            return;
        }
        boolean changed = isChanged(name, served.version(), committed);
        if (last.clean() && changed) {
            pinned.pinServed();
            return;
        }
        if (!changed) {
            LOG.info(
                    "Table differs from its file: pipeline={} table={} version={} file={}. This version of the file is"
                            + " not new, so the rows stay.",
                    writer.pipeline(),
                    name,
                    committed,
                    served.version());
        }
        if (!committed.equals(pinned.version)) {
            PackedTable rows = committed.equals(pinned.committedVersion)
                    ? pinned.committed
                    : stored(name, committed, pinned.table, fields);
            if (rows == null) {
                useOthers(name, committed, pinned, last.clean());
                return;
            }
            pinned.pin(rows, committed);
        }
        pinned.considered = served;
        pinned.changed = changed;
    }

    /**
     * Returns whether the rows that this process has loaded replace those of the commit. In a cluster, they don't if
     * another process has used them before: a node with the file of yesterday changes nothing. Only an instance that
     * had the newest rows when it processed records last can go back to earlier ones.
     */
    private boolean isChanged(String name, String loaded, String committed) {
        TableVersions versions = versions();
        if (!versions.shared()) {
            return true;
        }
        String before = versions.loaded(writer, name, instance);
        if (loaded.equals(before)) {
            return false;
        }
        return committed.equals(before)
                || versions.uses(writer, name).stream().map(TableUse::version).noneMatch(loaded::equals);
    }

    /** Returns the stored rows of a version; null if they are not stored, or have another form. */
    private @Nullable PackedTable stored(String name, String version, PinnedTable table, Set<String> fields) {
        TableVersions versions = versions();
        long bytes = versions.bytes(writer, name, version);
        if (bytes < 0) {
            return null;
        }
        MemorySegment rows = OffHeap.allocate(bytes);
        versions.read(writer, name, version, rows);
        try {
            return table.converted(PackedTable.restore(name, "version " + version, rows), fields);
        } catch (TableException e) {
            throw new IllegalStateException(FailureCode.CORRUPT_DATA.message(String.valueOf(e.getMessage())), e);
        }
    }

    private void useOthers(String name, String committed, Pinned pinned, boolean clean) {
        String served = pinned.table.served().version();
        if (!clean && !rulesMayChange) {
            throw new IllegalStateException(FailureCode.CHANGED_TABLE.message(
                    "The rows of table '" + name + "' have changed, but pipeline '" + writer.pipeline()
                            + "' was not stopped in an orderly way: records behind its last commit may be stored by the rows of version "
                            + committed
                            + ", which can't be used. Start it once with the file of this version and stop it, or set"
                            + " on-rules-change: continue; some of these records may be stored twice or not at all"
                            + " then."));
        }
        LOG.warn(
                "Table rows are not stored, those of the file are used: pipeline={} table={} version={} file={}",
                writer.pipeline(),
                name,
                committed,
                served);
        pinned.pinServed();
    }

    /** Returns whether one of these tables has rows that wait to be used. */
    boolean haveChanged(Map<String, Set<String>> used) {
        boolean changed = false;
        for (String name : used.keySet()) {
            changed |= pinned(name).hasChanged();
        }
        return changed;
    }

    /** Pins the newest rows of these tables, and returns them. */
    Map<String, OutputVersion.Rows> change(Map<String, Set<String>> used) {
        used.keySet().forEach(name -> {
            Pinned pinned = pinned(name);
            if (pinned.hasChanged()) {
                LOG.info(
                        "Table changes: pipeline={} table={} version={} before={}",
                        writer.pipeline(),
                        name,
                        pinned.considered.version(),
                        pinned.version);
                pinned.pinServed();
            }
        });
        return rows(used.keySet());
    }

    private Map<String, OutputVersion.Rows> rows(Set<String> names) {
        Map<String, OutputVersion.Rows> rows = new TreeMap<>();
        names.forEach(name -> {
            Pinned pinned = pinned(name);
            rows.put(
                    name,
                    new OutputVersion.Rows(pinned.version, pinned.table.pinned().memory()));
        });
        return rows;
    }

    /** Returns the versions of the pinned rows of these tables. */
    Map<String, String> versions(Set<String> names) {
        Map<String, String> versions = new TreeMap<>();
        names.forEach(name -> versions.put(name, pinned(name).version));
        return versions;
    }

    /** Called after the commit that names the pinned rows. Stores which rows this instance has loaded, in a cluster. */
    void began(Term term, Map<String, Set<String>> used) {
        used.keySet().forEach(name -> pinned(name).commit());
        if (!replayable) {
            return;
        }
        TableVersions versions = versions();
        if (!versions.shared()) {
            return;
        }
        used.keySet().forEach(name -> {
            Pinned pinned = pinned(name);
            String loaded = pinned.considered.version();
            if (!pinned.changed && !loaded.equals(versions.loaded(writer, name, instance))) {
                versions.setLoaded(term, name, instance, loaded);
            }
        });
    }
}
