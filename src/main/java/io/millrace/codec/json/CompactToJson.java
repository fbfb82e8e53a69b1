package io.millrace.codec.json;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactCodec;
import io.millrace.schema.Schema;
import java.util.List;

/** Writes compact records as JSON objects, as {@link RowToJson} does. Not thread-safe. */
public final class CompactToJson {

    private final RecordBatch batch;
    private final CompactCodec codec;
    private final Admission admission;
    private final RowToJson rows;

    /** @param schema schema of the compact layout */
    public CompactToJson(Schema schema) {
        Schema whole = schema.base();
        batch = new RecordBatch(whole);
        codec = new CompactCodec(whole);
        admission = codec.admission();
        rows = new RowToJson(whole);
    }

    /**
     * Appends a record.
     *
     * @param from offset of the record
     * @param end offset past the record
     * @throws JsonRecordException if the bytes are not a record; nothing is appended
     */
    public void write(byte[] bytes, int from, int end, JsonBuffer json) {
        codec.show(batch, bytes, from, end);
        admission.admit(batch, (_, _, reason) -> {
            throw new JsonRecordException(List.of(reason.detail()));
        });
        rows.write(batch.added(), batch.addedOffset(0), batch.childRows(), 0, json);
    }
}
