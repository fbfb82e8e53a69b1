package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/**
 * A compiled condition. Stateless, so safe for use by many threads, each with a batch of its own; allocates nothing.
 */
@FunctionalInterface
public interface BatchFilter {

    /**
     * Narrows the batch's selection to the records for which the condition holds. A record for which it has no result
     * is handed to the sink and leaves the selection too.
     */
    void apply(RecordBatch batch, RejectSink rejects);
}
