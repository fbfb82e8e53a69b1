package io.millrace.expression.bytecode;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/** A generated loop that narrows a part of a batch's selection. Stateless; allocates nothing but for rejects. */
@FunctionalInterface
public interface FilterLoop {

    /**
     * Asks the records whose ordinals lie from one index of the selection up to another, and moves the ordinals of
     * those that pass to the front. Records without a result go to the sink. The batch's count of selected records
     * stays as it is.
     *
     * @param kept how many ordinals at the front of the selection are kept already, at most {@code from}
     * @return how many are now
     */
    int run(RecordBatch batch, RejectSink rejects, int from, int to, int kept);
}
