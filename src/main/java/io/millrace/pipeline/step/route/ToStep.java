package io.millrace.pipeline.step.route;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.step.BatchStep;
import java.util.Map;

/** Passes all records of a batch to one target, as they are. */
final class ToStep extends BatchStep {

    private final TargetOutput target;
    private final Counter sent = new Counter();

    ToStep(String name, String kind, TargetOutput target) {
        super(name, kind);
        this.target = target;
    }

    @Override
    protected void process(RecordBatch batch) {
        // only passes it on
    }

    @Override
    protected void forward(RecordBatch batch) {
        int selected = batch.selected();
        out().add(selected);
        target.output().accept(batch);
        sent.add(selected);
    }

    @Override
    public Map<String, Counter> sent() {
        return target.keeps() ? Map.of(target.channel(), sent) : Map.of();
    }
}
