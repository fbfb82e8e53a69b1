package io.millrace.pipeline.step.validate;

import io.millrace.codec.BatchField;
import io.millrace.codec.BooleanCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConstraintCheck;

/** Sets a field of each record that says whether it meets all constraints. */
final class MarkInvalidStep extends ValidateStep {

    private final BatchField<BooleanCodec> valid;

    /** @param valid field that is set */
    MarkInvalidStep(String name, String kind, ConstraintCheck check, BatchField<BooleanCodec> valid) {
        super(name, kind, check);
        this.valid = valid;
    }

    @Override
    protected void process(RecordBatch batch) {
        int before = select(batch);
        int[] selection = batch.selection();
        for (int i = 0; i < before; i++) {
            put(batch, was(i), false);
        }
        for (int i = 0; i < batch.selected(); i++) {
            put(batch, selection[i], true);
        }
        for (int i = 0; i < before; i++) {
            selection[i] = was(i);
        }
        batch.select(before);
    }

    private void put(RecordBatch batch, int ordinal, boolean value) {
        valid.codec().put(valid.bytes(batch), valid.offset(batch, ordinal), value);
    }
}
