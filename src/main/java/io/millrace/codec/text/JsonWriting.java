package io.millrace.codec.text;

import io.millrace.codec.ChildRows;
import io.millrace.codec.json.RowToJson;
import io.millrace.schema.Schema;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Writes records as JSON lines in UTF-8. Not thread-safe. */
final class JsonWriting implements RecordWriter {

    private final RowToJson rows;
    private final JsonGenerator json;

    JsonWriting(Schema schema, OutputStream out) {
        rows = new RowToJson(schema);
        json = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .rootValueSeparator("")
                .build()
                .createGenerator(ObjectWriteContext.empty(), out);
    }

    @Override
    public void write(byte[] row, int at, List<ChildRows> children, int ordinal) {
        rows.write(row, at, children, ordinal, json);
        json.writeRaw('\n');
    }

    @Override
    public void flush() {
        json.flush();
    }
}
