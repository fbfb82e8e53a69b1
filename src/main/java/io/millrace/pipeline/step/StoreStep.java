package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.store.RegionWriter;

/** Hands records to a region's writer. Where the store fails it tries again, and the feed waits meanwhile. */
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
