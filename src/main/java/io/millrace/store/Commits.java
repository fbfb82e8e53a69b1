package io.millrace.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores the {@linkplain Commit commits} of pipelines. Thread-safe. */
public interface Commits {

    /**
     * Returns a writer's last commit, or null if there is none.
     *
     * @throws StoreException if the store does not answer
     */
    @Nullable
    Commit get(WriterName writer);

    /**
     * Stores a commit of the term's writer, which replaces the previous one.
     *
     * @throws StoreException if that fails: call again
     * @throws SupersededException if the term has ended
     */
    void put(Term term, Commit commit);

    /**
     * Returns all commits by the text of their writers' names.
     *
     * @throws StoreException if the store does not answer
     */
    Map<String, Commit> all();
}
