package io.millrace.expression.bytecode;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import org.jspecify.annotations.Nullable;

/**
 * A generated loop over a part of a batch's selection. Safe for use by many threads; allocates as {@link LoopCompiler}
 * describes.
 */
@FunctionalInterface
public interface RecordLoop {

    /**
     * Processes the records at indexes {@code from} (inclusive) to {@code to} (exclusive) of the selection, and moves
     * the ordinals of those that it keeps to the front. Records without a result are passed to the sink. The batch's
     * count of selected records is not changed.
     *
     * <p>Loops other than filters run over the whole selection only.
     *
     * @param output receives the results of the records that are kept, at their indexes at the front: the array that
     *     {@link LoopCompiler} names for the kind of loop, null if it computes none
     * @param kept the number of ordinals already selected at the front, at most {@code from}
     * @return the new number of ordinals selected at the front
     */
    int run(RecordBatch batch, @Nullable Object output, RejectSink rejects, int from, int to, int kept);

    /** Processes all selected records, and selects those that are kept. */
    default void runAll(RecordBatch batch, @Nullable Object output, RejectSink rejects) {
        batch.select(run(batch, output, rejects, 0, batch.selected(), 0));
    }
}
