package io.millrace.pipeline.step.validate;

import io.millrace.codec.ConstraintCheck;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.step.BatchStep;
import java.util.List;

/** Rejects records with values that are not allowed. */
final class RejectInvalidStep extends BatchStep {

    /** Further violations of a record are counted, so that a reject is not much longer than its record. */
    private static final int MAX_SHOWN = 10;

    private final ConstraintCheck check;
    private final RejectSink rejects;

    RejectInvalidStep(String name, String kind, ConstraintCheck check, RejectSink rejects) {
        super(name, kind);
        this.check = check;
        this.rejects = rejects;
    }

    @Override
    protected void process(RecordBatch batch) {
        int[] selection = batch.selection();
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            if (check.isValid(batch, ordinal)) {
                selection[remaining++] = ordinal;
            } else {
                String detail = detail(check.violations(batch, ordinal));
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, detail));
            }
        }
        batch.select(remaining);
    }

    private static String detail(List<String> violations) {
        return violations.size() <= MAX_SHOWN
                ? String.join("; ", violations)
                : String.join("; ", violations.subList(0, MAX_SHOWN)) + "; and " + (violations.size() - MAX_SHOWN)
                        + " more";
    }
}
