package io.millrace.codec.json;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.compact.CompactCodec;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Set;

/**
 * Writes compact records as JSON objects, from byte to byte without rows, as {@link RowToJson} does. One pass checks a
 * record completely and writes it. Not thread-safe.
 */
public final class CompactToJson {

    private final RecordBatch batch;
    private final CompactCodec codec;
    private final Admission admission;
    private final CompactGroupToJson root;

    /** @param schema schema of the compact layout */
    public CompactToJson(Schema schema, JsonForm form) {
        // Admission validates all members, and needs the rows of none.
        Schema none = schema.base().project(Set.of());
        batch = new RecordBatch(none);
        codec = new CompactCodec(none);
        admission = codec.admission();
        root = new CompactGroupToJson(((CompactLayout) schema.layout()).root(), form);
    }

    /**
     * Appends a record.
     *
     * @param from offset of the record
     * @param end offset past the record
     * @throws JsonRecordException if the bytes are not a record, or too long as JSON; nothing is appended
     */
    public void write(byte[] bytes, int from, int end, JsonBuffer json) {
        int before = json.length();
        try {
            if (end - from > CompactLayout.MAX_LENGTH || !root.write(json, bytes, from, end)) {
                json.truncate(before);
                reject(bytes, from, end);
            }
        } catch (JsonTooLongException e) {
            json.truncate(before);
            throw e;
        }
    }

    /** Reads a malformed record again, for the reason. */
    private void reject(byte[] bytes, int from, int end) {
        codec.show(batch, bytes, from, end);
        admission.admit(batch, (_, _, reason) -> {
            throw new JsonRecordException(List.of(reason.detail()));
        });
        throw new IllegalStateException("The record is valid, but was not written.");
    }
}
