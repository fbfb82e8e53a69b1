package io.millrace.store.write;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of tables by which writers process records. A commit names the version of each table; its rows are stored
 * here before, so that records behind the commit find the same rows when they are processed again, here or in another
 * process. Every method throws a {@link io.millrace.store.error.StoreException} if the store does not answer; those
 * with a term throw a {@link io.millrace.store.error.SupersededException} if it has ended. Thread-safe.
 */
public interface TableVersions {

    /** Maximum number of {@linkplain #uses uses} that are stored of each table. */
    int MAX_USES = 1000;

    /** Returns whether several processes use them: one that takes over may have loaded older rows than the others. */
    boolean shared();

    /** Returns the maximum size in bytes of a version whose rows can be stored. */
    long maxBytes();

    /** Returns the size in bytes of the stored rows of a version; -1 if they are not stored. */
    long bytes(WriterName writer, String table, String version);

    /**
     * Copies the stored rows of a version into memory of their size.
     *
     * @throws io.millrace.store.error.CorruptDataException if they are not stored completely
     */
    void read(WriterName writer, String table, String version, MemorySegment rows);

    /** Stores the rows of a version. */
    void put(Term term, String table, String version, MemorySegment rows);

    /**
     * Removes the rows of all other versions of a term's writer.
     *
     * @param versions the version of each table that stays
     */
    void retain(Term term, Map<String, String> versions);

    /** Returns the last uses of the versions of a table, oldest first. */
    List<TableUse> uses(WriterName writer, String table);

    /** Adds a use, and removes the oldest one if there are too many. */
    void add(Term term, String table, TableUse use);

    /**
     * Returns the version of a table that an instance has loaded when it processed records last; null if it has not
     * processed any.
     */
    @Nullable
    String loaded(WriterName writer, String table, String instance);

    /** Stores the version of a table that an instance has loaded. */
    void setLoaded(Term term, String table, String instance, String version);
}
