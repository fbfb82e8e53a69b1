package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/** Compiled conditions, asked in order for each record. Stateless and allocation-free like {@link BatchFilter}. */
@FunctionalInterface
public interface BatchRouter {

    /** Branch of a record for which no condition holds. */
    int NONE = -1;

    /**
     * Finds for each selected record the first condition that holds. A record for which that can't be decided is passed
     * to the sink and leaves the selection.
     *
     * @param branches receives, for each record then in the selection (same index), the condition's index or
     *     {@link #NONE}; at least {@link RecordBatch#selected()} long
     */
    void route(RecordBatch batch, int[] branches, RejectSink rejects);
}
