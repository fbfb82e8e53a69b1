package io.millrace.web;

import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Writes rows as an array that is the first member of an object; other values are members behind it. */
final class JsonRows implements RowWriter {

    private final JsonGenerator json;

    /**
     * Begins the object and the array.
     *
     * @param name of the array
     */
    JsonRows(JsonMapper mapper, String name, OutputStream out) {
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
    public void end(Map<String, @Nullable Object> told) {
        json.writeEndArray();
        told.forEach(json::writePOJOProperty);
        json.writeEndObject();
    }

    @Override
    public void flush() {
        json.flush();
    }
}
