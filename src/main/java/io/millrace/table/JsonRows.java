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
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Rows in a file of JSON lines: one object on each line, whose members are fields. A missing or null member is absent.
 * Blank lines are skipped.
 */
final class JsonRows extends TextRows {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
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
        String problem;
        try {
            JsonNode node = JSON.readTree(line);
            Map<String, @Nullable String> members = new LinkedHashMap<>();
            problem = node.isObject() ? null : "Invalid row: not a JSON object.";
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                JsonNode value = member.getValue();
                if (value.isContainer()) {
                    problem = "Invalid value of '" + member.getKey() + "': an object or an array. Use a single value.";
                }
                members.put(
                        member.getKey(),
                        value.isNull() || value.isContainer()
                                ? null
                                : value.isNumber() ? value.decimalValue().toPlainString() : value.asString());
            }
            if (problem == null) {
                return members;
            }
        } catch (JacksonException e) {
            problem = "Invalid JSON. Write one complete object in each line.";
        }
        if (problems != null) {
            problems.problem(number, problem);
        }
        return null;
    }
}
