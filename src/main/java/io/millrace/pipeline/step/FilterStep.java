package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.definition.StepPlan.FilterPlan;

/** Keeps the records for which a condition holds and drops the others. */
public final class FilterStep extends BatchStep {

    private final FilterPlan plan;
    private final CountingRejects rejects;
    private final Counter dropped = new Counter();

    public FilterStep(FilterPlan plan, RejectSink rejects) {
        super(plan.name(), plan.kind());
        this.plan = plan;
        this.rejects = new CountingRejects(rejects);
    }

    @Override
    protected void process(RecordBatch batch) {
        int before = batch.selected();
        rejects.reset();
        plan.filter().apply(batch, rejects);
        dropped.add(before - batch.selected() - rejects.count());
    }

    @Override
    public Counter dropped() {
        return dropped;
    }
}
