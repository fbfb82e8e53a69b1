package io.millrace.model;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes schemas as YAML: a line for each field, and a block for each group and type. Stateless. */
public final class ModelWriter {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_./+-]*|-?[0-9]+(\\.[0-9]+)?");
    private static final String STEP = "    ";

    private ModelWriter() {}

    /** Returns the text of a schema, which ends with a line feed. */
    public static String write(ModelSchema schema) {
        StringBuilder text = new StringBuilder();
        schema.head().forEach(line -> text.append(line).append('\n'));
        schema.attributes().forEach((key, value) -> {
            if (!key.equals(ModelSchema.CONSTRAINTS)) {
                text.append(key).append(": ").append(value(value)).append('\n');
            }
        });
        if (!schema.types().isEmpty()) {
            text.append("types:\n");
        }
        schema.types().forEach(type -> writeType(type, text));
        if (!schema.fields().isEmpty()) {
            text.append("fields:\n");
        }
        schema.fields().forEach(field -> write(field, "  ", text));
        if (!schema.constraints().isEmpty()) {
            text.append(ModelSchema.CONSTRAINTS).append(":\n");
        }
        schema.constraints().forEach(constraint -> {
            String start = "  - ";
            for (Map.Entry<String, String> entry : constraint.entrySet()) {
                text.append(start).append(entry.getKey()).append(": ");
                text.append(scalar(entry.getValue())).append('\n');
                start = "    ";
            }
        });
        schema.tail().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static void writeType(ModelField type, StringBuilder text) {
        type.remarks().forEach(line -> text.append("  ").append(line).append('\n'));
        text.append("  ").append(scalar(type.name())).append(':');
        text.append(comment(type)).append('\n');
        type.attributes()
                .forEach((key, value) -> text.append(STEP)
                        .append(key)
                        .append(": ")
                        .append(value(value))
                        .append('\n'));
        if (!type.fields().isEmpty()) {
            text.append(STEP).append("fields:\n");
        }
        type.fields().forEach(field -> write(field, STEP + "  ", text));
    }

    private static String comment(ModelField field) {
        return field.comment().isEmpty() ? "" : "  # " + field.comment();
    }

    private static void write(ModelField field, String indent, StringBuilder text) {
        field.remarks().forEach(line -> text.append(indent).append(line).append('\n'));
        String comment = comment(field);
        if (field.fields().isEmpty()) {
            text.append(indent).append("- { name: ").append(scalar(field.name()));
            field.attributes()
                    .forEach((key, value) ->
                            text.append(", ").append(key).append(": ").append(value(value)));
            text.append(" }").append(comment).append('\n');
            return;
        }
        text.append(indent)
                .append("- name: ")
                .append(scalar(field.name()))
                .append(comment)
                .append('\n');
        field.attributes()
                .forEach((key, value) -> text.append(indent)
                        .append("  ")
                        .append(key)
                        .append(": ")
                        .append(value(value))
                        .append('\n'));
        text.append(indent).append("  fields:\n");
        field.fields().forEach(inner -> write(inner, indent + STEP, text));
    }

    private static String value(Object value) {
        return switch (value) {
            case List<?> list ->
                list.stream().map(element -> scalar(element.toString())).collect(Collectors.joining(", ", "[", "]"));
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(entry -> scalar(entry.getKey().toString()) + ": "
                                + scalar(entry.getValue().toString()))
                        .collect(Collectors.joining(", ", "{ ", " }"));
            default -> scalar(value.toString());
        };
    }

    /** Returns a text as YAML, in double quotes unless it means itself without them. */
    private static String scalar(String text) {
        if (PLAIN.matcher(text).matches()) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                default -> {
                    if (isPrintable(c)) {
                        quoted.append(c);
                    } else {
                        quoted.append(String.format("\\u%04X", (int) c));
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    /** Returns whether YAML allows a character without an escape, and a reader can see it. */
    private static boolean isPrintable(char c) {
        return Character.isSurrogate(c)
                || (!Character.isISOControl(c)
                        && c != '\uFEFF'
                        && c < '\uFFFE'
                        && Character.getType(c) != Character.FORMAT
                        && Character.getType(c) != Character.LINE_SEPARATOR
                        && Character.getType(c) != Character.PARAGRAPH_SEPARATOR);
    }
}
