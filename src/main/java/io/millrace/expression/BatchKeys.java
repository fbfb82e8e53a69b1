package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import org.apiguardian.api.API;

/** A compiled expression whose values fit a long. Stateless and allocation-free like {@link BatchFilter}. */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface BatchKeys {

    /**
     * Computes the expression for each selected record. A record without a result is passed to the sink and leaves the
     * selection.
     *
     * @param into receives the value of each record that stays in the selection, at the record's index in it; at least
     *     {@link RecordBatch#selected()} long
     */
    void fill(RecordBatch batch, long[] into, RejectSink rejects);
}
