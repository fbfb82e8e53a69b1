package io.millrace.codec.text;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConditionChecks;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;

/** Passes on the records that meet the conditions of their schema, and refuses others. Not thread-safe. */
public final class ConditionSink implements RowSink {

    private final ConditionChecks checks;
    private final RecordBatch batch;
    private final RowSink next;

    private ConditionSink(Schema schema, ConditionChecks checks, RowSink next) {
        this.checks = checks;
        this.batch = new RecordBatch(schema);
        this.next = next;
    }

    /**
     * Returns a sink that refuses records that do not meet the conditions of a schema.
     *
     * @param next receives the other records
     */
    public static RowSink of(Schema schema, RowSink next) {
        Schema whole = schema.base();
        ConditionChecks checks = ConditionChecks.of(whole);
        return checks.isEmpty() ? next : new ConditionSink(whole, checks, next);
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) throws IOException {
        batch.fillRow(row, at, children, ordinal);
        int record = batch.selection()[0];
        checks.select(batch);
        if (batch.selected() == 0) {
            throw new InvalidRecordException(checks.violations(batch, record).stream()
                    .map(ConditionChecks.Violated::toString)
                    .toList());
        }
        next.write(row, at, children, ordinal);
    }
}
