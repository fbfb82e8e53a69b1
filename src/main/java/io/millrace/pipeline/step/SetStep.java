package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.definition.StepPlan.SetPlan;

/** Computes fields of each record. */
public final class SetStep extends BatchStep {

    private final SetPlan plan;
    private final RejectSink rejects;

    public SetStep(SetPlan plan, RejectSink rejects) {
        super(plan.name(), plan.kind());
        this.plan = plan;
        this.rejects = rejects;
    }

    @Override
    protected void process(RecordBatch batch) {
        plan.setter().apply(batch, rejects);
    }
}
