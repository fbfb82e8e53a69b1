package io.millrace.pipeline.step.set;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchSetter;
import io.millrace.pipeline.step.BatchStep;

/** Computes fields of each record. */
final class SetStep extends BatchStep {

    private final BatchSetter setter;
    private final RejectSink rejects;

    SetStep(String name, BatchSetter setter, RejectSink rejects) {
        super(name, "set");
        this.setter = setter;
        this.rejects = rejects;
    }

    @Override
    protected void process(RecordBatch batch) {
        setter.apply(batch, rejects);
    }
}
