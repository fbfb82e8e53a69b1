package io.millrace.pipeline.step.measure;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.Retry;
import java.util.List;

/** Adds records to a measure and forwards all of them. */
final class MeasureStep extends BatchStep {

    private final MeasureProcessor measure;
    private final Retry retry;

    /** @param retry retries the store if rows must be stored before more records can be processed */
    MeasureStep(String name, MeasureProcessor measure, Retry retry) {
        super(name, "measure");
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

    @Override
    public List<MeasureProcessor> measures() {
        return List.of(measure);
    }
}
