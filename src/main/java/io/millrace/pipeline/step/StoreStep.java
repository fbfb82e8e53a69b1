package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.store.RegionWriter;
import io.millrace.store.RejectWriter;

/** Hands records to a region's writer. Where the store fails it tries again, and the feed waits meanwhile. */
public final class StoreStep extends BatchStep {

    private final RegionWriter writer;
    private final RejectWriter rejects;
    private final Retry retry;

    /** @param rejects flushed before each batch: a stored position must not pass a reject that is not stored */
    public StoreStep(String name, RegionWriter writer, RejectWriter rejects, Retry retry) {
        super(name, "store");
        this.writer = writer;
        this.rejects = rejects;
        this.retry = retry;
    }

    @Override
    protected void process(RecordBatch batch) {
        retry.run(rejects::flush);
        retry.run(() -> writer.append(batch));
    }
}
