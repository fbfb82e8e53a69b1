package io.millrace.codec.text.format;

import io.millrace.codec.ChildRows;
import io.millrace.codec.json.RowToJson;
import io.millrace.codec.text.RecordWriter;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes records as JSON lines in UTF-8. Not thread-safe. */
final class JsonWriting implements RecordWriter {

    private final RowToJson rows;
    private final JsonLines lines;

    JsonWriting(Schema schema, OutputStream out) {
        rows = new RowToJson(schema);
        lines = new JsonLines(out);
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) throws IOException {
        int before = lines.json().length();
        try {
            rows.write(row, at, children, ordinal, lines.json());
        } catch (RuntimeException e) {
            lines.json().truncate(before);
            throw e;
        }
        lines.end();
    }

    @Override
    public void flush() throws IOException {
        lines.flush();
    }
}
