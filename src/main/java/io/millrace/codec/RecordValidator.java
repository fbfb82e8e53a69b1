package io.millrace.codec;

import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds records whose bytes are no values of their fields' types, or break a constraint on a number, before anything
 * computes with them: so that no step ever sees a code without a name. Fields that steps add are not looked at.
 *
 * <p>Immutable, so safe for use by many threads, each with a batch of its own. Allocates nothing while all is valid.
 */
public final class RecordValidator implements Admission {

    private final List<FieldCodec> checked;
    private final ColumnCheck[] checks;

    private RecordValidator(Schema schema) {
        checked = RecordCodec.of(schema).codecs().stream()
                .filter(codec -> !schema.isAdded(codec.field()))
                .filter(ColumnCheck::isNeeded)
                .toList();
        checks = checked.stream().map(ColumnCheck::of).toArray(ColumnCheck[]::new);
    }

    /** The validator of a schema's records. */
    public static RecordValidator of(Schema schema) {
        return new RecordValidator(schema);
    }

    /**
     * Takes each record that holds an invalid value out of the selection and hands it to the sink, with the first such
     * field's name and value.
     */
    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        // Nearly always all is valid: that is found column by column, in loops without a branch on the data.
        for (ColumnCheck check : checks) {
            if (check.anyInvalid(batch.bytes(), batch.start(), batch.schema().baseLength(), batch.count())) {
                rejectInvalid(batch, rejects);
                return;
            }
        }
    }

    private void rejectInvalid(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            String fault = fault(batch.bytes(), batch.offset(ordinal));
            if (fault == null) {
                selection[kept++] = ordinal;
            } else {
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, fault));
            }
        }
        batch.select(kept);
    }

    /** Returns whether there are bytes that are invalid. */
    boolean canReject() {
        return checks.length > 0;
    }

    private @Nullable String fault(byte[] bytes, int record) {
        for (FieldCodec codec : checked) {
            String fault = codec.fault(bytes, record);
            if (fault != null) {
                return FieldValueException.message(codec.field(), codec.raw(bytes, record), fault);
            }
        }
        return null;
    }
}
