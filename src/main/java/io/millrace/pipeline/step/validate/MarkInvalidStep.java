package io.millrace.pipeline.step.validate;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.ConstraintCheck;
import io.millrace.codec.RecordBatch;

/** Sets a field of each record that says whether it meets all constraints. */
final class MarkInvalidStep extends ValidateStep {

    private final BooleanCodec valid;

    /** @param valid codec of the field, relative to the added fields of a record */
    MarkInvalidStep(String name, String kind, ConstraintCheck check, BooleanCodec valid) {
        super(name, kind, check);
        this.valid = valid;
    }

    @Override
    protected void process(RecordBatch batch) {
        int before = select(batch);
        int[] selection = batch.selection();
        for (int i = 0; i < before; i++) {
            valid.put(batch.added(), batch.addedOffset(was(i)), false);
        }
        for (int i = 0; i < batch.selected(); i++) {
            valid.put(batch.added(), batch.addedOffset(selection[i]), true);
        }
        for (int i = 0; i < before; i++) {
            selection[i] = was(i);
        }
        batch.select(before);
    }
}
