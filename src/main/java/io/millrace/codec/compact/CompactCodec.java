package io.millrace.codec.compact;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldLocator;
import io.millrace.codec.LayoutCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import java.util.List;

/** Reads records of the compact layout: finds their values and elements and writes them to rows. */
public final class CompactCodec implements LayoutCodec {

    private final Schema schema;
    private final int[] bounds = new int[2];

    /** @param schema schema of the compact layout */
    public CompactCodec(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Admission admission() {
        return CompactFinder.admission(schema);
    }

    @Override
    public Admission finder() {
        return CompactFinder.of(schema);
    }

    @Override
    public FieldLocator locator() {
        return (_, _, _) -> List.of();
    }

    @Override
    public PartReader part(String name) {
        return CompactPartReader.of(schema, name);
    }

    /** A compact record is delimited only by its length, so the message is one record. */
    @Override
    public int frame(RecordBatch batch, byte[] message) {
        show(batch, message, 0, message.length);
        return 0;
    }

    @Override
    public void show(RecordBatch batch, byte[] bytes, int start, int end) {
        bounds[0] = start;
        bounds[1] = end;
        batch.fill(bytes, bounds, 1, RecordBatch.NO_POSITION);
    }
}
