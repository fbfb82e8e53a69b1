package io.millrace.codec.json;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of values from JSON objects, in one pass without a tree. The names of an object's members are those of
 * the schema; parts that repeat are arrays. A value is a number, a truth value, or a text as in other text files; null
 * and a missing member mean absent. In the fixed layout the row is the record.
 *
 * <p>Common values go from bytes to bytes: numbers, texts, names, dates and instants in ISO 8601. Others become strings
 * that the {@linkplain FieldCodec codec} reads.
 *
 * <p>All errors of a record are reported at once, with their paths; an error in the syntax is the last. Not
 * thread-safe. Allocates for values that become strings, and to grow buffers.
 */
public final class JsonToRow {

    private final JsonInput json = new JsonInput();
    private final byte[] blank;
    private final byte[] row;
    private final List<ChildRows> children;
    private final ReadGroup root;

    /** @param schema schema of the fixed or the compact layout */
    public JsonToRow(Schema schema) {
        Schema whole = schema.base();
        blank = RecordCodec.of(whole).blank();
        row = blank.clone();
        children = whole.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
        root = whole.layout() instanceof CompactLayout layout
                ? group(whole, layout.root(), "", whole::field)
                : new ReadGroup("", values(whole));
    }

    private static Map<String, ReadNode> values(Schema schema) {
        Map<String, ReadNode> members = new LinkedHashMap<>();
        schema.fields().forEach(field -> members.put(field.name(), ReadValue.of(field.name(), FieldCodecs.of(field))));
        return members;
    }

    /** Returns the row of the record's single values. */
    public byte[] row() {
        return row;
    }

    /** Returns the elements of the record's repeating parts, of which the record is parent 0. */
    public List<ChildRows> children() {
        return children;
    }

    /**
     * Reads a record into the row and the children.
     *
     * @param bytes UTF-8 that contains one JSON object
     * @throws JsonRecordException if the text is not a valid record; the row is undefined
     */
    public void read(byte[] bytes, int from, int length) {
        json.reset(bytes, from, length);
        System.arraycopy(blank, 0, row, 0, row.length);
        children.forEach(ChildRows::clear);
        try {
            JsonScanner scanner = json.scanner();
            if (scanner.peek() != '{') {
                throw new JsonRecordException(List.of("Invalid record: not a JSON object."));
            }
            root.read(json, row, 0, 0);
            if (scanner.peek() >= 0) {
                json.error("Unexpected content after the JSON object.");
            }
        } catch (MalformedJsonException e) {
            json.error(Objects.requireNonNull(e.getMessage()));
        }
        if (!json.errors().isEmpty()) {
            throw new JsonRecordException(json.errors());
        }
    }

    private ReadGroup group(
            Schema schema, CompactGroup group, String prefix, Function<String, @Nullable Field> fields) {
        Map<String, ReadNode> members = new LinkedHashMap<>();
        for (CompactMember member : group.members()) {
            switch (member) {
                case CompactValue value ->
                    members.put(value.path().substring(prefix.length()), value(value, field(fields, value.path())));
                case CompactPart part
                when part.repeats() -> {
                    String name =
                            part.path().substring(prefix.length(), part.path().length() - 2);
                    members.put(name, list(schema, part));
                }
                case CompactPart part -> {
                    ReadGroup inner = group(schema, part.group(), part.path() + ".", fields);
                    int presence =
                            part.optional() ? field(fields, part.presence()).offset() : -1;
                    members.put(part.path().substring(prefix.length()), new ReadPart(part.path(), inner, presence));
                }
            }
        }
        return new ReadGroup(prefix, members);
    }

    private static Field field(Function<String, @Nullable Field> fields, String path) {
        return Objects.requireNonNull(fields.apply(path), path);
    }

    private static ReadValue value(CompactValue value, Field field) {
        return ReadValue.of(value.path(), FieldCodecs.of(field));
    }

    private ReadList list(Schema schema, CompactPart part) {
        int index = schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(part.path());
        RepeatedGroup rows = schema.groups().get(index);
        ReadNode element = part.bare()
                ? value((CompactValue) part.group().members().getFirst(), field(rows::field, part.path()))
                : new ReadPart(part.path(), group(schema, part.group(), part.path() + ".", rows::field), -1);
        byte[] emptyRow = new byte[rows.rowLength()];
        rows.fields().stream().filter(Field::nullFlag).forEach(field -> emptyRow[field.nullFlagAt()] = 1);
        return new ReadList(part, children.get(index), element, emptyRow, CompactFinder.rowBytes(schema, index));
    }
}
