package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import org.apiguardian.api.API;

/**
 * A compiled condition. Stateless, so safe for use by many threads, each with its own batch. Allocates nothing, with
 * the exceptions that {@link ExpressionCompiler} lists.
 */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface BatchFilter {

    /**
     * Reduces the batch's selection to the records for which the condition holds. A record for which it has no result
     * is passed to the sink and leaves the selection too.
     */
    void apply(RecordBatch batch, RejectSink rejects);
}
