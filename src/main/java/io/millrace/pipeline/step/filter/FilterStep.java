package io.millrace.pipeline.step.filter;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.pipeline.step.BatchStep;

/** Keeps the records for which a condition holds and drops the others. */
final class FilterStep extends BatchStep {

    private final BatchFilter filter;
    private final CountingRejects rejects;
    private final Counter dropped = new Counter();

    FilterStep(String name, BatchFilter filter, RejectSink rejects) {
        super(name, "filter");
        this.filter = filter;
        this.rejects = new CountingRejects(rejects);
    }

    @Override
    protected void process(RecordBatch batch) {
        int before = batch.selected();
        rejects.reset();
        filter.apply(batch, rejects);
        dropped.add(before - batch.selected() - rejects.count());
    }

    @Override
    public Counter dropped() {
        return dropped;
    }
}
