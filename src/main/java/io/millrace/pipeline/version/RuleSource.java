package io.millrace.pipeline.version;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows the versions of a pipeline's rules. The pipeline's thread calls it when a term begins and after a change. */
public interface RuleSource {

    /**
     * A compiled version.
     *
     * @param number number of the version; 0 if it is not known yet
     */
    record Rules(long number, PipelinePlan plan) {}

    /** Continues with the configured rules, whose changes are not recorded. */
    RuleSource CONFIGURED = new RuleSource() {
        @Override
        public Rules select(Rules current, @Nullable Commit last) {
            return current;
        }

        @Override
        public void began(Term term, long number, long since) {
            // not recorded
        }
    };

    /**
     * Called once, before the process asks for its first term.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer: called again
     */
    default void start() {}

    /**
     * Returns the version by which a term begins: that of the commit, or any if the commit is clean.
     *
     * @param current the version that the pipeline has now
     * @param last the commit from which the term continues, or null if there is none
     * @throws io.millrace.store.error.StoreException if the store does not answer: called again
     * @throws IllegalStateException if the version can't be used in this process
     */
    Rules select(Rules current, @Nullable Commit last);

    /**
     * Returns the fingerprints of the same rules with the earlier versions of the schema with which the pipeline has
     * read records, and records that it now reads them with this one.
     *
     * @throws io.millrace.store.error.StoreException if the store does not answer: called again
     */
    default Set<String> earlierRules(PipelinePlan plan) {
        return Set.of();
    }

    /**
     * Records that a version processes records.
     *
     * @param term of the pipeline's writer
     * @param since position from which it does; 0 for a feed without positions
     * @throws io.millrace.store.error.StoreException if the store does not answer: called again
     * @throws io.millrace.store.error.SupersededException if the term has ended
     */
    void began(Term term, long number, long since);
}
