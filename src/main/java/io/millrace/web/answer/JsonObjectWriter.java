package io.millrace.web.answer;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Writes what {@link JsonRowWriter} does, from rows that are JSON objects in UTF-8 already. */
final class JsonObjectWriter implements RowWriter<byte[]> {

    private final JsonMapper mapper;
    private final OutputStream out;
    private boolean first = true;

    /**
     * Writes the start of the object and of the array.
     *
     * @param mapper writes the values that follow the rows
     * @param name of the array
     */
    JsonObjectWriter(JsonMapper mapper, String name, OutputStream out) {
        this.mapper = mapper;
        this.out = out;
        write("{\"" + name + "\":[");
    }

    @Override
    public void row(byte[] object) {
        if (!first) {
            write(",");
        }
        first = false;
        write(object);
    }

    @Override
    public void end(Map<String, @Nullable Object> trailer) {
        String members = mapper.writeValueAsString(trailer);
        write((trailer.isEmpty() ? "]" : "],") + members.substring(1));
    }

    @Override
    public void flush() {}

    private void write(String json) {
        write(json.getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] json) {
        try {
            out.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
