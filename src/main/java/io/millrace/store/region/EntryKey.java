package io.millrace.store.region;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The key of a record in an entries region.
 *
 * <p>A key of one field is that field's decoded value, such as a {@link Long}, a {@link String} or a
 * {@link java.time.LocalDate}. A key of several fields is a text: their texts, joined by {@code |}, where a {@code |}
 * or {@code \} inside a text is preceded by {@code \}, and an absent value is empty. An empty text in an optional field
 * is {@code \0}. So no two different keys have the same text.
 *
 * <p>Stateless; allocates the key.
 */
public final class EntryKey {

    private static final char SEPARATOR = '|';
    private static final char ESCAPE = '\\';
    /** An empty text, as distinct from an absent value; no other zero is escaped. */
    private static final String EMPTY_TEXT = ESCAPE + "0";

    private final List<FieldCodec> codecs;
    private final int rowLength;

    private EntryKey(List<FieldCodec> codecs, int rowLength) {
        this.codecs = codecs;
        this.rowLength = rowLength;
    }

    /**
     * Returns the key of some fields.
     *
     * @param rows schema of the rows that contain the fields
     * @param fields names of the fields, such as those of a region
     * @throws IllegalArgumentException if the rows lack a field of the key
     */
    public static EntryKey of(Schema rows, List<String> fields) {
        RecordCodec codec = RecordCodec.of(rows);
        return new EntryKey(fields.stream().map(codec::codec).toList(), rows.recordLength());
    }

    /**
     * Throws an exception if there are no fields, or they can't be a key.
     *
     * @param names of stored fields of the schema
     * @throws IllegalArgumentException naming the error
     */
    static void requireAble(String region, Schema schema, List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "Missing key of region '" + region + "'. A region with 'layout: entries' needs one.");
        }
        List<Field> fields = names.stream()
                .map(name -> Objects.requireNonNull(schema.field(name)))
                .toList();
        for (Field field : fields) {
            boolean able = switch (field.type()) {
                case FieldType.FloatType _, FieldType.BytesType _ -> false;
                case FieldType.BooleanType _ -> fields.size() > 1;
                default -> fields.size() > 1 || !field.optional();
            };
            if (!able) {
                throw new IllegalArgumentException("Invalid key '" + field.name() + "' of region '" + region
                        + "'. Use a required number, date, instant, enum, string or address.");
            }
        }
        if (fields.stream().allMatch(Field::optional)) {
            throw new IllegalArgumentException(
                    "Invalid key " + names + " of region '" + region + "'. Use at least one required field.");
        }
    }

    /**
     * Returns the key of a record.
     *
     * @param row holds the record's fields, from {@code at} on
     * @throws FieldValueException if a field's bytes are not a value of its type
     */
    public Object read(byte[] row, int at) {
        if (codecs.size() == 1) {
            return Objects.requireNonNull(codecs.getFirst().value(row, at));
        }
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < codecs.size(); i++) {
            if (i > 0) {
                key.append(SEPARATOR);
            }
            append(codecs.get(i), row, at, key);
        }
        return key.toString();
    }

    private static void append(FieldCodec codec, byte[] row, int at, StringBuilder into) {
        String text = codec.text(row, at);
        if (text.isEmpty() && codec.field().optional() && !codec.isAbsent(row, at)) {
            into.append(EMPTY_TEXT);
        } else {
            escape(text, into);
        }
    }

    private static void escape(String text, StringBuilder into) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == SEPARATOR || letter == ESCAPE) {
                into.append(ESCAPE);
            }
            into.append(letter);
        }
    }

    /**
     * Parses a key: of one field in the format of text files, of several fields in the stored form.
     *
     * @throws FieldValueException if a part is not a value of its field
     * @throws IllegalArgumentException if the number of parts is not the number of fields
     */
    public Object parse(String text) {
        boolean joined = codecs.size() > 1;
        List<String> parts = joined ? split(text) : List.of(text);
        if (parts.size() != codecs.size()) {
            throw new IllegalArgumentException("Invalid key '" + text + "'. Use " + codecs.size()
                    + " parts, separated by '" + SEPARATOR + "': "
                    + codecs.stream().map(codec -> codec.field().name()).collect(Collectors.joining(", ")) + ".");
        }
        byte[] row = new byte[rowLength];
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            if (joined && part.equals(EMPTY_TEXT)) {
                codecs.get(i).setValue(row, 0, "");
            } else {
                codecs.get(i).setText(row, 0, joined ? unescape(part) : part);
            }
        }
        return read(row, 0);
    }

    /** Splits a text into its parts, still escaped. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == SEPARATOR) {
                parts.add(text.substring(start, i));
                start = i + 1;
            } else if (letter == ESCAPE) {
                i++;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static String unescape(String part) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < part.length(); i++) {
            boolean escaped = part.charAt(i) == ESCAPE && i + 1 < part.length();
            text.append(part.charAt(escaped ? ++i : i));
        }
        return text.toString();
    }
}
