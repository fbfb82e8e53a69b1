package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import org.apiguardian.api.API;

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
}
