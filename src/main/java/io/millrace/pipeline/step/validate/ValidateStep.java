package io.millrace.pipeline.step.validate;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConstraintCheck;
import io.millrace.pipeline.step.BatchStep;
import java.util.List;

/** Finds the records of a batch that violate a constraint. */
abstract class ValidateStep extends BatchStep {

    private final ConstraintCheck check;
    private int[] all = new int[0];

    ValidateStep(String name, String kind, ConstraintCheck check) {
        super(name, kind);
        this.check = check;
    }

    /** Narrows the selection of a batch to the valid records, and returns how many were selected before. */
    final int select(RecordBatch batch) {
        int selected = batch.selected();
        if (all.length < selected) {
            all = new int[batch.selection().length];
        }
        System.arraycopy(batch.selection(), 0, all, 0, selected);
        check.select(batch);
        return selected;
    }

    /** Returns a record that was selected before. */
    final int was(int index) {
        return all[index];
    }

    final List<String> violations(RecordBatch batch, int ordinal) {
        return check.violations(batch, ordinal);
    }
}
