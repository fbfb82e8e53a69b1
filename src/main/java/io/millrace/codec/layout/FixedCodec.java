package io.millrace.codec.layout;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.RecordValidator;
import io.millrace.codec.frame.FixedFramer;
import io.millrace.codec.record.FieldBytes;
import io.millrace.codec.record.FieldLocator;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.schema.Schema;
import java.util.List;

/** Reads records of the fixed layout, whose fields have offsets in the record. */
final class FixedCodec implements LayoutCodec {

    private final Schema schema;

    FixedCodec(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Admission admission() {
        return RecordValidator.of(schema);
    }

    @Override
    public Admission finder() {
        return (_, _) -> {};
    }

    @Override
    public FieldLocator locator() {
        List<FieldBytes> fields = schema.fields().stream()
                .filter(field -> !schema.isAdded(field))
                .map(field -> new FieldBytes(
                        field.name(), field.offset(), field.type().bytes()))
                .toList();
        return (_, _, _) -> fields;
    }

    @Override
    public int frame(RecordBatch batch, byte[] message) {
        return FixedFramer.of(schema).frame(batch, message, 0, message.length, RecordBatch.NO_POSITION);
    }

    @Override
    public void show(RecordBatch batch, byte[] bytes, int start, int end) {
        batch.fill(bytes, start, 1, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }
}
