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
}
