package io.millrace.expression.bytecode;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;

/**
 * A generated loop that filters a part of a batch's selection. Stateless; allocates as {@link LoopCompiler} describes.
 */
@FunctionalInterface
public interface FilterLoop {

    /**
     * Evaluates the condition for the records at indexes {@code from} (inclusive) to {@code to} (exclusive) of the
     * selection, and moves the ordinals of those for which it holds to the front. Records without a result are passed
     * to the sink. The batch's count of selected records is not changed.
     *
     * @param kept the number of ordinals already selected at the front, at most {@code from}
     * @return the new number of ordinals selected at the front
     */
    int run(RecordBatch batch, RejectSink rejects, int from, int to, int kept);
}
