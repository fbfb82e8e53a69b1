package io.millrace.codec.check;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rejects records with bytes that are invalid for the type of a field, or that violate a constraint on a number. No
 * step receives, for example, a code without a name. Fields that steps add are not checked.
 *
 * <p>Immutable, so safe for use by many threads, each with its own batch. Allocates nothing if all records are valid.
 */
public final class RecordValidator implements Admission {

    private final List<FieldCodec> checked;
    private final ColumnCheck[] checks;

    private RecordValidator(Schema schema) {
        checked = RecordCodec.of(schema).codecs().stream()
                .filter(codec -> !schema.isAdded(codec.field()))
                .filter(FieldCodec::canBeInvalid)
                .toList();
        checks = checked.stream().map(ColumnCheck::of).toArray(ColumnCheck[]::new);
    }

    /** Returns the validator of a schema's records. */
    public static RecordValidator of(Schema schema) {
        return new RecordValidator(schema);
    }

    /**
     * Removes each record with an invalid value from the selection and sends it to the sink, with name and value of the
     * first invalid field.
     */
    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        // Usually all records are valid. Checking by column uses loops without branches on the data.
        for (ColumnCheck check : checks) {
            if (check.anyInvalid(batch.bytes(), batch.start(), batch.schema().baseLength(), batch.count())) {
                rejectInvalid(batch, rejects);
                return;
            }
        }
    }

    private void rejectInvalid(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            String fault = fault(batch.bytes(), batch.offset(ordinal));
            if (fault == null) {
                selection[remaining++] = ordinal;
            } else {
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, fault));
            }
        }
        batch.select(remaining);
    }

    @Override
    public String constraints() {
        return checked.stream()
                .map(FieldCodec::field)
                .filter(RecordValidator::isLimited)
                .map(field -> field.name() + " " + field.constraint().min() + " "
                        + field.constraint().max() + "\n")
                .collect(Collectors.joining());
    }

    private static boolean isLimited(Field field) {
        return !(field.type() instanceof FieldType.StringType)
                && (field.constraint().min() != null || field.constraint().max() != null);
    }

    /** Returns whether any bytes are invalid in this schema. */
    public boolean canReject() {
        return checks.length > 0;
    }

    private @Nullable String fault(byte[] bytes, int record) {
        for (FieldCodec codec : checked) {
            String fault = codec.fault(bytes, record);
            if (fault != null) {
                return FieldValueException.message(codec.field(), codec.shown(bytes, record), fault);
            }
        }
        return null;
    }
}
