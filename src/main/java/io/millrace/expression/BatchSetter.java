package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/** Compiled assignments. Stateless and allocation-free like {@link BatchFilter}. */
@FunctionalInterface
public interface BatchSetter {

    /**
     * Computes the expressions for each selected record, in order, and writes each result to its field. A record for
     * which one has no result, or one that its field cannot hold, is handed to the sink and leaves the selection; what
     * was assigned to it before stays.
     */
    void apply(RecordBatch batch, RejectSink rejects);
}
