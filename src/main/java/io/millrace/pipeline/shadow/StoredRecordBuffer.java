package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import java.util.Arrays;

/** Collects stored records, without the fields that steps have added, to batches. Not thread-safe. */
final class StoredRecordBuffer {

    private static final int RECORDS = 4096;

    private final RecordBatch batch;
    private final boolean varied;
    private final int prefixLength;
    private final int baseLength;
    private final int[] bounds = new int[RECORDS + 1];
    private byte[] bytes = new byte[1 << 16];
    private int count;

    /**
     * Creates an empty buffer.
     *
     * @param schema schema of the batches
     * @param prefixLength bytes of added fields before a stored record
     */
    StoredRecordBuffer(Schema schema, int prefixLength) {
        this.batch = new RecordBatch(schema);
        this.varied = schema.layout().variesInLength();
        this.prefixLength = prefixLength;
        this.baseLength = schema.baseLength();
    }

    /** Adds a record in its stored form, and returns true. */
    boolean add(byte[] stored, int from, int to) {
        int start = from + prefixLength;
        int length = varied ? to - start : baseLength;
        int at = bounds[count];
        if (bytes.length - at < length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, at + length));
        }
        System.arraycopy(stored, start, bytes, at, length);
        bounds[++count] = at + length;
        return true;
    }

    boolean isFull() {
        return count == RECORDS;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns the records, which are valid until the next call of {@link #add}. */
    RecordBatch take() {
        if (varied) {
            batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
        } else {
            batch.fill(bytes, 0, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        }
        count = 0;
        return batch;
    }
}
