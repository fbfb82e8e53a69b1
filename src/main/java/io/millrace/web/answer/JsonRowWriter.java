package io.millrace.web.answer;

import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Writes an object whose first member is the array of rows, followed by other values as members. */
final class JsonRowWriter implements RowWriter<Map<String, @Nullable Object>> {

    private final JsonGenerator json;

    /**
     * Writes the start of the object and of the array.
     *
     * @param name of the array
     */
    JsonRowWriter(JsonMapper mapper, String name, OutputStream out) {
        json = mapper.createGenerator(out);
        json.writeStartObject();
        json.writeName(name);
        json.writeStartArray();
    }

    @Override
    public void row(Map<String, @Nullable Object> row) {
        json.writePOJO(row);
    }

    @Override
    public void end(Map<String, @Nullable Object> trailer) {
        json.writeEndArray();
        trailer.forEach(json::writePOJOProperty);
        json.writeEndObject();
    }

    @Override
    public void flush() {
        json.flush();
    }
}
