package io.millrace.codec.text.format;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.codec.text.InvalidRecordException;
import io.millrace.codec.text.RowSink;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Checks binary records and passes them on as rows. Not thread-safe. */
final class BinaryToRow implements BinarySink {

    private final RecordCodec codec;
    private final RecordBatch batch;
    private final LayoutCodec layout;
    private final Admission admission;
    private final boolean varies;
    private final RowSink rows;

    /** @param schema schema without added fields */
    BinaryToRow(Schema schema, RowSink rows) {
        codec = RecordCodec.of(schema);
        batch = new RecordBatch(schema);
        layout = LayoutCodecs.of(schema);
        admission = layout.admission();
        varies = schema.layout().variesInLength();
        this.rows = rows;
    }

    @Override
    public List<String> write(byte[] bytes, int length) throws IOException {
        List<String> reasons = new ArrayList<>();
        layout.show(batch, bytes, 0, length);
        admission.admit(batch, (_, _, reason) -> explain(bytes, reason.detail(), reasons));
        if (!reasons.isEmpty()) {
            return reasons;
        }
        try {
            if (varies) {
                rows.write(batch.added(), batch.addedOffset(0), batch.childRows(), 0);
            } else {
                rows.write(bytes, 0, List.of(), 0);
            }
        } catch (IllegalArgumentException e) {
            return InvalidRecordException.reasons(e);
        }
        return List.of();
    }

    /** Adds one reason for each invalid value of a fixed record, or the first of another one. */
    private void explain(byte[] bytes, String first, List<String> reasons) {
        List<FieldCodec> fields = varies ? List.of() : codec.codecs();
        for (FieldCodec field : fields) {
            try {
                field.text(bytes, 0);
            } catch (FieldValueException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        if (reasons.isEmpty()) {
            reasons.add(first);
        }
    }
}
