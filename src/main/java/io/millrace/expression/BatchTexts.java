package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import org.apiguardian.api.API;

/** A compiled text that is a key of a table. Stateless and allocation-free like {@link BatchFilter}. */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface BatchTexts {

    /**
     * Computes the text for each selected record. A record without a text is passed to the sink and leaves the
     * selection.
     *
     * @param into receives, for each record that stays in the selection and in the same order, the text, padded to the
     *     width that the loop was compiled for, and one more byte: 0, or 1 if the text is longer than that width
     */
    void fill(RecordBatch batch, byte[] into, RejectSink rejects);
}
