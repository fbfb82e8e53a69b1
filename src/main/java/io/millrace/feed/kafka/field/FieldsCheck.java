package io.millrace.feed.kafka.field;

import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.SCHEMA_MISMATCH;
import static io.millrace.schema.ProblemCode.TYPE_MISMATCH;
import static io.millrace.schema.ProblemCode.UNKNOWN_FIELD;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.extension.PropertyCheck;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the configuration of fields that are parts of messages. */
public final class FieldsCheck {

    private static final String PROPERTY = "fields";

    private FieldsCheck() {}

    /**
     * Reports texts that name no part of a message.
     *
     * @param fields names of fields, each with the text that names a part
     */
    public static void check(Map<String, String> fields, PropertyCheck check) {
        fields.forEach((name, part) -> {
            if (MessagePart.parse(part) == null) {
                check.problem(
                        INVALID_VALUE, property(name), "Invalid value '" + part + "'. Use " + MessagePart.NAMES + ".");
            }
        });
    }

    /**
     * Returns the names of the fields that have the key of a message such that two keys never are the same value: not
     * numbers of texts, for which 1 and 01 are the same, and not optional fields, because messages without a key are in
     * any partition.
     */
    public static Set<String> keys(Map<String, String> fields, Schema schema) {
        return fields.keySet().stream()
                .filter(name -> isKey(MessagePart.parse(Objects.requireNonNull(fields.get(name))), schema.field(name)))
                .collect(Collectors.toSet());
    }

    private static boolean isKey(@Nullable MessagePart part, @Nullable Field field) {
        return part instanceof MessagePart.Content content
                && content.header() == null
                && field != null
                && !field.optional()
                && (content.isText()
                        ? field.type() instanceof FieldType.StringType
                        : !(field.type() instanceof FieldType.FloatType));
    }

    private static String property(String field) {
        return PROPERTY + "[" + field + "]";
    }

    /** Reports fields that records of a schema can't have from a message. */
    public static void check(Map<String, String> fields, Schema schema, PropertyCheck check) {
        if (fields.isEmpty()) {
            return;
        }
        if (schema.baseLength() == 0) {
            check.problem(
                    SCHEMA_MISMATCH,
                    PROPERTY,
                    "'fields' needs records of one length, but those of schema '" + schema.name() + "' vary.");
            return;
        }
        fields.forEach((name, part) -> {
            Field field = schema.field(name);
            MessagePart parsed = MessagePart.parse(part);
            if (field == null) {
                check.problem(
                        UNKNOWN_FIELD,
                        property(name),
                        "Unknown field '" + name + "' in schema '" + schema.name() + "'"
                                + NearestName.hint(name, schema.names()));
            } else if (parsed != null) {
                String hint = mismatch(parsed, field.type());
                if (!hint.isEmpty()) {
                    check.problem(
                            TYPE_MISMATCH,
                            property(name),
                            "Type mismatch: '" + part + "' can't be stored in a field of type "
                                    + field.type().describe() + ". " + hint);
                }
            }
        });
        List<Field> found = fields.keySet().stream()
                .map(schema::field)
                .filter(Objects::nonNull)
                .toList();
        if (found.size() == fields.size()) {
            checkPlace(schema, found, check);
            fields.forEach((name, part) -> {
                if (MessagePart.parse(part) instanceof MessagePart.Tombstone) {
                    checkTombstone(schema, found, name, check);
                }
            });
        }
    }

    /** Returns what to use instead; empty if a field of the type can have the part. */
    private static String mismatch(MessagePart part, FieldType type) {
        return switch (part) {
            case MessagePart.Offset _, MessagePart.Partition _ ->
                type instanceof FieldType.IntegerType ? "" : "Use an integer.";
            case MessagePart.Timestamp _ -> {
                boolean isExact = !(type instanceof FieldType.InstantType instant)
                        || instant.unit().compareTo(TimeUnit.MILLISECONDS) <= 0;
                yield (type instanceof FieldType.InstantType || type instanceof FieldType.IntegerType) && isExact
                        ? ""
                        : "Use an instant with the unit milliseconds, microseconds or nanoseconds, or an integer.";
            }
            case MessagePart.Tombstone _ -> type instanceof FieldType.BooleanType ? "" : "Use a boolean.";
            case MessagePart.Topic _ -> type instanceof FieldType.BytesType ? "Use a string." : "";
            case MessagePart.Content content -> mismatch(content, type);
        };
    }

    /** A record of a message without a value has fields that are absent or zero, which must be valid values. */
    private static void checkTombstone(Schema schema, List<Field> found, String name, PropertyCheck check) {
        MessageFields.valueFields(schema, found).forEach(field -> {
            FieldCodec codec = FieldCodecs.of(field);
            byte[] record = new byte[schema.baseLength()];
            codec.clear(record, 0);
            if (codec.violation(record, 0) != null) {
                check.problem(
                        SCHEMA_MISMATCH,
                        property(name),
                        "Messages without a value have no '" + field.name()
                                + "', and zero is not a value of it. Set optional: true in the schema.");
            }
        });
    }

    private static String mismatch(MessagePart.Content content, FieldType type) {
        if (content.isText() && type instanceof FieldType.BytesType) {
            return "Use " + (content.header() == null ? "key-bytes" : "header-bytes:" + content.header()) + ".";
        }
        return !content.isText()
                        && type instanceof FieldType.Numbered numbered
                        && !numbered.storage().wholeWord()
                ? "Use a field without 'bits'."
                : "";
    }

    /** The value of a message has the bytes before the fields, so no other fields may be behind or between them. */
    private static void checkPlace(Schema schema, List<Field> found, PropertyCheck check) {
        int first = MessageFields.valueLength(schema, found);
        if (first == 0) {
            check.problem(
                    SCHEMA_MISMATCH,
                    PROPERTY,
                    "No field is left for the value of a message: the first one is among 'fields'.");
        }
        schema.fields().stream()
                .filter(field -> field.end() > first && field.end() <= schema.baseLength() && !found.contains(field))
                .findFirst()
                .ifPresent(field -> check.problem(
                        SCHEMA_MISMATCH,
                        PROPERTY,
                        "Field '" + field.name()
                                + "' is behind the first one of 'fields', which must be the last ones of"
                                + " the record. Move it in the schema."));
    }
}
