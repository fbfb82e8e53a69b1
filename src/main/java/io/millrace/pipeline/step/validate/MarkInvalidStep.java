package io.millrace.pipeline.step.validate;

import io.millrace.codec.BatchField;
import io.millrace.codec.BooleanCodec;
import io.millrace.codec.ConstraintCheck;
import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.step.BatchStep;

/** Sets a field of each record that says whether all its values are allowed. */
final class MarkInvalidStep extends BatchStep {

    private final ConstraintCheck check;
    private final BatchField<BooleanCodec> valid;

    /** @param valid field that is set */
    MarkInvalidStep(String name, String kind, ConstraintCheck check, BatchField<BooleanCodec> valid) {
        super(name, kind);
        this.check = check;
        this.valid = valid;
    }

    @Override
    protected void process(RecordBatch batch) {
        int[] selection = batch.selection();
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            valid.codec().put(valid.bytes(batch), valid.offset(batch, ordinal), check.isValid(batch, ordinal));
        }
    }
}
