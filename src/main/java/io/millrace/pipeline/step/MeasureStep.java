package io.millrace.pipeline.step;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.definition.StepPlan.MeasureStepPlan;

/** Measures records; all of them go on. */
public final class MeasureStep extends BatchStep {

    private final MeasureProcessor measure;
    private final Retry retry;

    /** @param retry how the store is tried again where rows have to be kept before more can come */
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
