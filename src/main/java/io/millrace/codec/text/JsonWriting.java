package io.millrace.codec.text;

import io.millrace.codec.ChildRows;
import io.millrace.codec.json.JsonBuffer;
import io.millrace.codec.json.RowToJson;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes records as JSON lines in UTF-8. Not thread-safe. */
final class JsonWriting implements RecordWriter {

    private static final int FLUSH_BYTES = 1 << 16;

    private final RowToJson rows;
    private final JsonBuffer json = new JsonBuffer();
    private final OutputStream out;

    JsonWriting(Schema schema, OutputStream out) {
        rows = new RowToJson(schema);
        this.out = out;
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) throws IOException {
        rows.write(row, at, children, ordinal, json);
        json.put('\n');
        if (json.length() >= FLUSH_BYTES) {
            flush();
        }
    }

    @Override
    public void flush() throws IOException {
        json.flushTo(out);
        out.flush();
    }
}
