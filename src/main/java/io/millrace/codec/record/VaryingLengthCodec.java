package io.millrace.codec.record;

import io.millrace.codec.RecordBatch;

/** Reads records that vary in length and are delimited only by it, so that each message is one record. */
public abstract class VaryingLengthCodec implements LayoutCodec {

    private final int[] bounds = new int[2];

    @Override
    public final int frame(RecordBatch batch, byte[] message) {
        show(batch, message, 0, message.length);
        return 0;
    }

    @Override
    public final void show(RecordBatch batch, byte[] bytes, int start, int end) {
        bounds[0] = start;
        bounds[1] = end;
        batch.fill(bytes, bounds, 1, RecordBatch.NO_POSITION);
    }
}
