package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.StepPlan.MeasureStepPlan;

/** Adds records to a measure and forwards all of them. */
public final class MeasureStep extends BatchStep {

    private final MeasureProcessor measure;
    private final Retry retry;

    /** @param retry retries the store if rows must be stored before more records can be processed */
    public MeasureStep(MeasureStepPlan plan, MeasureProcessor measure, Retry retry) {
        super(plan.name(), plan.kind());
        this.measure = measure;
        this.retry = retry;
    }

    @Override
    protected void process(RecordBatch batch) {
        measure.take(batch);
        if (measure.full()) {
            retry.run(() -> measure.flush(false));
        }
    }
}
