package io.millrace.pipeline.step.validate;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.codec.check.ConstraintCheck;
import java.util.List;

/** Rejects records that violate a constraint. */
final class RejectInvalidStep extends ValidateStep {

    /** Further violations of a record are counted, so that a reject is not much longer than its record. */
    private static final int MAX_SHOWN = 10;

    private final RejectSink rejects;

    RejectInvalidStep(String name, String kind, ConstraintCheck check, RejectSink rejects) {
        super(name, kind, check);
        this.rejects = rejects;
    }

    @Override
    protected void process(RecordBatch batch) {
        int before = select(batch);
        int[] selection = batch.selection();
        int next = 0;
        for (int i = 0; i < before; i++) {
            int ordinal = was(i);
            if (next < batch.selected() && selection[next] == ordinal) {
                next++;
            } else {
                String detail = detail(violations(batch, ordinal));
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, detail));
            }
        }
    }

    private static String detail(List<String> violations) {
        return violations.size() <= MAX_SHOWN
                ? String.join(" ", violations)
                : String.join(" ", violations.subList(0, MAX_SHOWN)) + " And " + (violations.size() - MAX_SHOWN)
                        + " more.";
    }
}
