package io.millrace.pipeline.run;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.commit.OutputVersion;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import org.jspecify.annotations.Nullable;

/** Decides by which version of the rules a {@link PartitionLoop} processes records. Called on its thread. */
public interface RulesControl {

    /**
     * Called once, before the process claims its first term.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer: call again
     */
    void start();

    /**
     * Makes the version current by which a term begins, and returns it. The commit's own version must be returned
     * unless the commit is clean, because records behind its position may be stored by that version.
     *
     * @param last the commit from which the term continues, or null if there is none
     * @throws io.millrace.store.error.StoreException if the store does not answer: call again
     */
    OutputVersion begin(@Nullable Commit last);

    /** Returns whether another version waits to become the current one. */
    boolean changeRequested();

    /**
     * Makes the version that waits the current one, and returns it. Everything that the former version has processed is
     * stored.
     */
    OutputVersion change();

    /**
     * Called when it is stored by which version records are processed.
     *
     * @param since position from which the current version processes records; 0 for a feed without positions
     * @throws io.millrace.store.error.StoreException if the store does not answer: call again
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void began(Term term, long since);

    /** Called when another process runs the pipeline, and this one waits to take over. Called once or more. */
    void standby();

    /**
     * Called when this process processes no more records until the next {@link #begin}: the pipeline has failed or is
     * restarted. A version that waits is refused.
     *
     * @param why a sentence that begins in lower case
     */
    void end(String why);

    /** Returns the batch that the feed fills for the current version. */
    RecordBatch batch();
}
