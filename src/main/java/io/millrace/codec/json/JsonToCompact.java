package io.millrace.codec.json;

import io.millrace.codec.compact.CompactEncoder;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Objects;

/** Appends compact records from JSON objects, as {@link JsonToRow} reads them, to a buffer. Not thread-safe. */
public final class JsonToCompact {

    private final JsonToRow reader;
    private final CompactEncoder encoder;

    /** @param schema schema of the compact layout */
    public JsonToCompact(Schema schema) {
        reader = new JsonToRow(schema);
        encoder = new CompactEncoder(schema);
    }

    /** Returns the buffer to which records are appended. */
    public CompactEncoder encoder() {
        return encoder;
    }

    /**
     * Appends a record to the {@linkplain #encoder() buffer}.
     *
     * @param bytes UTF-8 that contains one JSON object
     * @throws JsonRecordException if the text is not a valid record; nothing is appended
     */
    public void append(byte[] bytes, int from, int length) {
        reader.read(bytes, from, length);
        try {
            encoder.encode(reader.row(), 0, reader.children(), 0);
        } catch (IllegalArgumentException e) {
            throw new JsonRecordException(List.of(Objects.requireNonNull(e.getMessage())));
        }
    }
}
