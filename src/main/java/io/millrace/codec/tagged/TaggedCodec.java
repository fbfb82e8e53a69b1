package io.millrace.codec.tagged;

import io.millrace.codec.Admission;
import io.millrace.codec.FieldLocator;
import io.millrace.codec.LayoutCodec;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

/** Reads records of the tagged layout: finds their fields and writes them to rows. */
public final class TaggedCodec implements LayoutCodec {

    private final Schema schema;
    private final int[] bounds = new int[2];

    /** @param schema schema of the tagged layout */
    public TaggedCodec(Schema schema) {
        this.schema = schema;
    }

    @Override
    public Admission admission() {
        return finder();
    }

    @Override
    public Admission finder() {
        return TaggedFinder.of(schema);
    }

    @Override
    public FieldLocator locator() {
        return TaggedFieldLocations.of(schema);
    }

    /** A tagged record is delimited only by its length, so the message is one record. */
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
