package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/** A compiled expression whose values fit a long. Stateless and allocation-free like {@link BatchFilter}. */
@FunctionalInterface
public interface BatchKeys {

    /**
     * Computes the expression for each selected record. A record for which it has no result is handed to the sink and
     * leaves the selection.
     *
     * @param into receives, for each record then in the selection (same index), the value; at least
     *     {@link RecordBatch#selected()} long
     */
    void fill(RecordBatch batch, long[] into, RejectSink rejects);
}
