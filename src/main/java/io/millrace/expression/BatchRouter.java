package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import org.apiguardian.api.API;

/**
 * Compiled conditions that are evaluated in order for each record. Stateless, and allocation-free like
 * {@link BatchFilter} unless the conditions need several loops.
 */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface BatchRouter {

    /** The branch of a record for which no condition holds. */
    int NONE = -1;

    /**
     * Finds the first condition that holds for each selected record. A record for which a condition has no result is
     * passed to the sink and leaves the selection.
     *
     * @param branches receives, for each record that stays in the selection and at its index there, the index of the
     *     condition or {@link #NONE}; at least {@link RecordBatch#selected()} long
     */
    void route(RecordBatch batch, int[] branches, RejectSink rejects);
}
