package io.millrace.config.plan;

import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.JsonText;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.RecordBuffer;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.StreamWindow;
import io.millrace.codec.text.csv.CsvText;
import io.millrace.config.properties.RuleTestProperties;
import io.millrace.schema.Schema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Encodes the record of a test of rules. Used once. */
final class RuleTestRecord {

    private final Schema schema;

    /** @param schema schema of the pipeline's records */
    RuleTestRecord(Schema schema) {
        this.schema = schema.base();
    }

    /** A record as written in the configuration: the name of the property, and its text. */
    record Form(String property, String text) {}

    /** A record, or why there is none. */
    record Encoded(byte[] bytes, List<String> reasons) {}

    /** Returns all forms of the record that are set. */
    List<Form> forms(RuleTestProperties test) {
        List<Form> forms = new ArrayList<>();
        if (!test.record().isEmpty()) {
            forms.add(new Form("record", new JsonMapper().writeValueAsString(nested(test.record()))));
        }
        add(forms, "json", test.json());
        add(forms, "csv", test.csv());
        add(forms, "hex", test.hex());
        return forms;
    }

    private static void add(List<Form> forms, String property, @Nullable String text) {
        if (text != null) {
            forms.add(new Form(property, text));
        }
    }

    /**
     * Returns the value with lists where the binder, which does not know the type, made maps of indexes; without empty
     * values, which mean absent as in CSV: the binder makes empty texts of empty lists and of null.
     */
    private static Object nested(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        if (!map.isEmpty() && IntStream.range(0, map.size()).allMatch(i -> map.containsKey(String.valueOf(i)))) {
            return IntStream.range(0, map.size())
                    .mapToObj(i -> nested(Objects.requireNonNull(map.get(String.valueOf(i)))))
                    .toList();
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((name, member) -> {
            if (!member.equals("")) {
                members.put(String.valueOf(name), nested(member));
            }
        });
        return members;
    }

    Encoded encode(Form form) {
        if (form.property().equals("hex")) {
            try {
                return new Encoded(HexFormat.of().parseHex(form.text().replaceAll("\\s", "")), List.of());
            } catch (IllegalArgumentException _) {
                return refused(
                        "Invalid hexadecimal text. Use two digits from 0 to 9 and a to f for each byte, in quotes.");
            }
        }
        if (schema.layout().variesInLength() && !schema.layout().nests()) {
            return refused("Records of the tagged layout have no text form. Use 'hex'.");
        }
        return form.property().equals("csv")
                ? encode(new CsvText(schema), form.text())
                : encode(new JsonText(schema), form.text());
    }

    private Encoded encode(RecordText form, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        RecordBuffer records = new RecordBuffer(schema);
        try {
            LineSplitter lines = form.split(new StreamWindow(new ByteArrayInputStream(bytes)), true);
            form.readHead(lines);
            LineSplitter.Next next = lines.next();
            if (next == LineSplitter.Next.TOO_LONG) {
                return refused(lines.lengthProblem());
            }
            List<String> reasons = next == LineSplitter.Next.LINE
                    ? form.read(lines.bytes(), lines.start(), lines.length(), records)
                    : List.of();
            if (reasons.isEmpty() && records.length() == 0) {
                return refused("The record is missing. Write one record.");
            }
            lines.consume();
            if (!isBlank(lines)) {
                return refused("Invalid record. Write one record.");
            }
            return new Encoded(Arrays.copyOf(records.bytes(), records.length()), reasons);
        } catch (CsvException e) {
            return refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether no text follows. */
    private static boolean isBlank(LineSplitter lines) throws IOException {
        LineSplitter.Next next = lines.next();
        while (next == LineSplitter.Next.LINE
                && new String(lines.bytes(), lines.start(), lines.length(), StandardCharsets.UTF_8).isBlank()) {
            lines.consume();
            next = lines.next();
        }
        return next == LineSplitter.Next.END;
    }

    private static Encoded refused(String reason) {
        return new Encoded(new byte[0], List.of(reason));
    }
}
