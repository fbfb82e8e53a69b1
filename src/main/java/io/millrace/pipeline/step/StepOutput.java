package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Receives the batches that a step passes on. Not thread-safe: it belongs to a partition of a pipeline. */
@FunctionalInterface
@API(status = API.Status.STABLE)
public interface StepOutput {

    /**
     * Processes the selected records of a batch.
     *
     * @param batch valid until the call returns; its selection may be changed, as may fields of its records
     */
    void accept(RecordBatch batch);

    /**
     * Returns the step that alone would receive a batch now, so that the caller can have it process the batch instead
     * of calling {@link #accept}; null if there is none, or if others would receive it too.
     */
    @API(status = API.Status.INTERNAL)
    default @Nullable BatchStep onlyReceiver() {
        return null;
    }

    /** Returns an output that passes batches to a step alone. */
    @API(status = API.Status.INTERNAL)
    static StepOutput to(BatchStep step) {
        return new StepOutput() {
            @Override
            public void accept(RecordBatch batch) {
                step.accept(batch);
            }

            @Override
            public BatchStep onlyReceiver() {
                return step;
            }
        };
    }
}
