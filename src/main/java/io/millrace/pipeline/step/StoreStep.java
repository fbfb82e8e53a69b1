package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.store.write.RegionWriter;

/**
 * Passes records to a region's writer, and on if there is an output channel. If the store fails, it retries while the
 * feed waits.
 */
public final class StoreStep extends BatchStep {

    private final RegionWriter writer;
    private final Retry retry;

    public StoreStep(String name, RegionWriter writer, Retry retry) {
        super(name, "store");
        this.writer = writer;
        this.retry = retry;
    }

    @Override
    protected void process(RecordBatch batch) {
        retry.run(() -> writer.append(batch));
    }
}
