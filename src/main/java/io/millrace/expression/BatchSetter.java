package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import org.apiguardian.api.API;

/** Compiled assignments. Stateless and allocation-free like {@link BatchFilter}. */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface BatchSetter {

    /**
     * Computes the expressions for each selected record, in order, and writes each result to its field. A record for
     * which an expression has no result, or one that its field cannot hold, is passed to the sink and leaves the
     * selection. Assignments that were made to it before are not undone.
     */
    void apply(RecordBatch batch, RejectSink rejects);
}
