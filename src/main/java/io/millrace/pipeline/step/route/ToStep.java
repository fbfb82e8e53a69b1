package io.millrace.pipeline.step.route;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Passes all records of a batch to each target, as they are. */
final class ToStep extends BatchStep {

    private final List<OpenTarget> targets;
    private final Counter copied = new Counter();

    /** @param schema schema of the batches */
    ToStep(String name, String kind, Schema schema, List<TargetOutput> outputs) {
        super(name, kind);
        this.targets = outputs.stream()
                .map(output -> new OpenTarget(output, new RecordBatch(schema), new Counter()))
                .toList();
    }

    @Override
    protected void process(RecordBatch batch) {
        copied.add((long) batch.selected() * (targets.size() - 1));
    }

    @Override
    protected @Nullable BatchStep passOn(RecordBatch batch) {
        out().add(batch.selected());
        if (targets.size() == 1) {
            targets.getFirst().send(batch);
            return null;
        }
        // Before the first is sent: who receives a batch may narrow its selection.
        targets.forEach(target -> target.takeAll(batch));
        targets.forEach(OpenTarget::send);
        return null;
    }

    @Override
    public Counter copied() {
        return copied;
    }

    @Override
    public Map<String, Counter> sent() {
        return OpenTarget.sent(targets);
    }
}
