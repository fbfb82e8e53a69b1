package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/** A compiled text that is looked up among others. Stateless and allocation-free like {@link BatchFilter}. */
@FunctionalInterface
public interface BatchTexts {

    /**
     * Computes the text for each selected record. A record for which there is none is handed to the sink and leaves the
     * selection.
     *
     * @param into receives, for each record then in the selection (same order), the text, padded to the width that the
     *     loop was compiled for, and one byte more: 0, or 1 where the text is too long to be one of that width
     */
    void fill(RecordBatch batch, byte[] into, RejectSink rejects);
}
