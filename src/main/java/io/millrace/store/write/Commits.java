package io.millrace.store.write;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores the {@linkplain Commit commits} of pipelines. Thread-safe. */
public interface Commits {

    /**
     * Returns a writer's last commit, or null if there is none.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    @Nullable
    Commit get(WriterName writer);

    /**
     * Stores a commit of the term's writer, which replaces the previous one.
     *
     * @throws io.millrace.store.error.StoreException if that fails: call again
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void put(Term term, Commit commit);

    /**
     * Returns all commits by the text of their writers' names.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    Map<String, Commit> all();

    /**
     * Returns the position up to which a writer may have stored entries in a region, by the version of its commit; 0 if
     * unknown. Entries contain no position, so after a crash nothing else shows how far they are ahead of the commit.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer
     */
    long storedUpTo(WriterName writer, String region);

    /**
     * Stores the position up to which the term's writer stores entries in a region, before it does.
     *
     * @throws io.millrace.store.error.StoreException if that fails: call again
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void setStoredUpTo(Term term, String region, long position);
}
