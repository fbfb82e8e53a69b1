package io.millrace.table;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rows in a file of JSON lines: one object on each line, whose members are fields. A missing or null member is absent.
 * Blank lines are skipped.
 */
final class JsonRows extends TextRows {

    private static final String MALFORMED = "Invalid JSON. Write one complete object in each line.";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final SourceFile file;

    JsonRows(SourceFile file) {
        this.file = file;
    }

    /** Receives each object. */
    private interface ObjectSink {
        void object(long line, Map<String, @Nullable String> members) throws IOException;
    }

    @Override
    void lines(LineSink sink) throws IOException {
        Set<String> titles = new LinkedHashSet<>();
        objects(_ -> false, (_, members) -> titles.addAll(members.keySet()), null);
        List<String> columns = List.copyOf(titles);
        sink.titles(columns);
        objects(
                _ -> sink.isFull(),
                (line, members) -> {
                    List<@Nullable String> values = new ArrayList<>();
                    for (String column : columns) {
                        values.add(members.get(column));
                    }
                    sink.line(line, values);
                },
                sink);
    }

    private void objects(Predicate<Long> stop, ObjectSink objects, @Nullable LineSink problems) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8.newDecoder()), 1 << 16)) {
            long number = 1;
            for (String line = lines.readLine(); line != null && !stop.test(number); line = lines.readLine()) {
                if (!line.isBlank()) {
                    Map<String, @Nullable String> members = members(line, number, problems);
                    if (members != null) {
                        objects.object(number, members);
                    }
                }
                number++;
            }
        }
    }

    private static @Nullable Map<String, @Nullable String> members(
            String line, long number, @Nullable LineSink problems) {
        String problem = null;
        String refused = null;
        Map<String, @Nullable String> members = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                problem = "Invalid row: not a JSON object.";
                json.skipChildren();
            }
            while (problem == null && json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                boolean container = json.nextToken().isStructStart();
                if (container) {
                    refused = "Invalid value of '" + name + "': an object or an array. Use a single value.";
                    json.skipChildren();
                }
                // The digits of a number as they are written: the field decides whether it can hold them.
                members.put(name, container || json.currentToken() == JsonToken.VALUE_NULL ? null : json.getString());
            }
            problem = json.nextToken() != null ? MALFORMED : problem == null ? refused : problem;
            if (problem == null) {
                return members;
            }
        } catch (JacksonException e) {
            problem = MALFORMED;
        }
        if (problems != null) {
            problems.problem(number, problem);
        }
        return null;
    }
}
