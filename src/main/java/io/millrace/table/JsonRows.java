package io.millrace.table;

import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.StreamWindow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
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

    /** Maximum length of a line in bytes. */
    private static final int MAX_LINE_BYTES = 1 << 26;

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
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
        try (InputStream in = file.open()) {
            LineSplitter lines = new LineSplitter(new StreamWindow(in), false, true, MAX_LINE_BYTES);
            lines.skipByteOrderMark();
            LineSplitter.Next next = lines.next();
            while (next != LineSplitter.Next.END && !stop.test(lines.number())) {
                String line = text(lines, next == LineSplitter.Next.TOO_LONG, problems);
                Map<String, @Nullable String> members =
                        line == null || line.isBlank() ? null : members(line, lines.number(), problems);
                if (members != null) {
                    objects.object(lines.number(), members);
                }
                lines.consume();
                next = lines.next();
            }
        }
    }

    /** Returns a line, or null if it is too long or not UTF-8. */
    private @Nullable String text(LineSplitter lines, boolean tooLong, @Nullable LineSink problems) {
        String problem = lines.lengthProblem();
        if (!tooLong) {
            try {
                return decoder.decode(ByteBuffer.wrap(lines.bytes(), lines.start(), lines.length()))
                        .toString();
            } catch (CharacterCodingException _) {
                problem = "Invalid characters. Use UTF-8.";
            }
        }
        if (problems != null) {
            problems.problem(lines.number(), problem);
        }
        return null;
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
