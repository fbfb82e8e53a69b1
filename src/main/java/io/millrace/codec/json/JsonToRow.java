package io.millrace.codec.json;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.LongCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.StringCodec;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes rows of values from JSON objects, in one pass without a tree. The names of an object's members are those of
 * the schema; parts that repeat are arrays. A value is a number, a truth value, or a text as in other text files; null
 * and a missing member mean absent. In the fixed layout the row is the record.
 *
 * <p>All errors of a record are reported at once, with their paths. Not thread-safe. Allocates for the parser, for
 * texts, and to grow buffers.
 */
public final class JsonToRow {

    private static final int MAX_ERRORS = 20;

    private final JsonFactory json = new JsonFactory();
    private final byte[] blank;
    private final byte[] row;
    private final List<ChildRows> children;
    private final GroupNode root;
    private final List<String> errors = new ArrayList<>();
    private long elementBytes;

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
                : new GroupNode("", values(whole));
    }

    private Map<String, Node> values(Schema schema) {
        Map<String, Node> members = new LinkedHashMap<>();
        schema.fields().forEach(field -> members.put(field.name(), new ValueNode(field.name(), FieldCodec.of(field))));
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
        errors.clear();
        elementBytes = 0;
        System.arraycopy(blank, 0, row, 0, row.length);
        children.forEach(ChildRows::clear);
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), bytes, from, length)) {
            JsonToken first = parser.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw new JsonRecordException(List.of("Invalid record: not a JSON object."));
            }
            root.read(parser, row, 0, 0);
            if (parser.nextToken() != null) {
                error("Unexpected content after the JSON object.");
            }
        } catch (JacksonException e) {
            error("Invalid JSON at byte "
                    + Math.max(0, e.getLocation() == null ? 0 : e.getLocation().getByteOffset()) + ": "
                    + e.getOriginalMessage());
        }
        if (!errors.isEmpty()) {
            throw new JsonRecordException(errors);
        }
    }

    private void error(String message) {
        if (errors.size() < MAX_ERRORS) {
            errors.add(message);
        }
    }

    /** Reads a member's value, whose first token the parser has read. */
    private interface Node {
        void read(JsonParser parser, byte[] into, int at, int parent);

        boolean required();
    }

    private GroupNode group(
            Schema schema, CompactGroup group, String prefix, Function<String, @Nullable Field> fields) {
        Map<String, Node> members = new LinkedHashMap<>();
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
                    GroupNode inner = group(schema, part.group(), part.path() + ".", fields);
                    int presence =
                            part.optional() ? field(fields, part.presence()).offset() : -1;
                    members.put(part.path().substring(prefix.length()), new PartNode(part.path(), inner, presence));
                }
            }
        }
        return new GroupNode(prefix, members);
    }

    private static Field field(Function<String, @Nullable Field> fields, String path) {
        return Objects.requireNonNull(fields.apply(path), path);
    }

    private ValueNode value(CompactValue value, Field field) {
        return new ValueNode(value.path(), FieldCodec.of(field));
    }

    private ListNode list(Schema schema, CompactPart part) {
        int index = schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(part.path());
        RepeatedGroup rows = schema.groups().get(index);
        Node element = part.bare()
                ? value((CompactValue) part.group().members().getFirst(), field(rows::field, part.path()))
                : new PartNode(part.path(), group(schema, part.group(), part.path() + ".", rows::field), -1);
        byte[] emptyRow = new byte[rows.rowLength()];
        rows.fields().stream().filter(Field::nullFlag).forEach(field -> emptyRow[field.nullFlagAt()] = 1);
        return new ListNode(part, children.get(index), element, emptyRow);
    }

    /** A value of a field. */
    private final class ValueNode implements Node {
        private final String path;
        private final FieldCodec codec;

        ValueNode(String path, FieldCodec codec) {
            this.path = path;
            this.codec = codec;
        }

        @Override
        public boolean required() {
            return !codec.field().optional();
        }

        @Override
        public void read(JsonParser parser, byte[] into, int at, int parent) {
            try {
                switch (parser.currentToken()) {
                    case VALUE_NULL -> codec.putAbsent(into, at);
                    case VALUE_NUMBER_INT -> {
                        if (codec instanceof LongCodec whole && isLong(parser)) {
                            whole.put(into, at, parser.getLongValue());
                        } else {
                            codec.setText(into, at, parser.getString());
                        }
                    }
                    case VALUE_STRING, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
                        text(parser.getString(), into, at);
                    default -> {
                        error("Invalid value of '" + path + "': an object or array. Use a single value.");
                        parser.skipChildren();
                    }
                }
            } catch (FieldValueException e) {
                error("Invalid value '" + e.value() + "' of '" + path + "': " + e.reason() + ".");
            }
        }

        /** Writes a text; an empty one is a value of an optional string, not an absent one. */
        private void text(String text, byte[] into, int at) {
            if (text.isEmpty() && codec instanceof StringCodec) {
                codec.setValue(into, at, text);
            } else {
                codec.setText(into, at, text);
            }
        }

        private static boolean isLong(JsonParser parser) {
            return parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        }
    }

    /** A group that does not repeat, or an element of one that does. */
    private final class PartNode implements Node {
        private final String path;
        private final GroupNode group;
        private final int presence;

        /** @param presence offset in the row of the byte that says whether the part is there, or -1 */
        PartNode(String path, GroupNode group, int presence) {
            this.path = path;
            this.group = group;
            this.presence = presence;
        }

        @Override
        public boolean required() {
            return presence < 0;
        }

        @Override
        public void read(JsonParser parser, byte[] into, int at, int parent) {
            switch (parser.currentToken()) {
                case START_OBJECT -> {
                    if (presence >= 0) {
                        into[at + presence] = 1;
                    }
                    group.read(parser, into, at, parent);
                }
                case VALUE_NULL -> {
                    if (required()) {
                        error("Missing value of '" + path + "', which is required.");
                    }
                }
                default -> {
                    error("Invalid value of '" + path + "': not an object.");
                    parser.skipChildren();
                }
            }
        }
    }

    /** The elements of a part that repeats. */
    private final class ListNode implements Node {
        private final CompactPart part;
        private final ChildRows rows;
        private final Node element;
        private final byte[] emptyRow;

        ListNode(CompactPart part, ChildRows rows, Node element, byte[] emptyRow) {
            this.part = part;
            this.rows = rows;
            this.element = element;
            this.emptyRow = emptyRow;
        }

        @Override
        public boolean required() {
            return false;
        }

        @Override
        public void read(JsonParser parser, byte[] into, int at, int parent) {
            switch (parser.currentToken()) {
                case VALUE_NULL -> {}
                case START_ARRAY -> elements(parser, parent);
                default -> {
                    error("Invalid value of '" + part.path() + "': not an array.");
                    parser.skipChildren();
                }
            }
        }

        private void elements(JsonParser parser, int parent) {
            rows.begin(parent);
            int count = 0;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (++count > part.maxElements()) {
                    parser.skipChildren();
                    continue;
                }
                elementBytes += rows.rowLength();
                if (elementBytes > CompactFinder.MAX_ROW_BYTES) {
                    error("Too many elements of '" + part.path() + "'. The elements of a record take at most "
                            + CompactFinder.MAX_ROW_BYTES + " bytes in memory.");
                    throw new JsonRecordException(errors);
                }
                int index = rows.add(parent, emptyRow);
                element.read(parser, rows.rows(), index * rows.rowLength(), index);
            }
            if (count > part.maxElements()) {
                error("Invalid number of elements of '" + part.path() + "': " + count + ". The schema allows "
                        + part.maxElements() + ".");
            }
        }
    }

    /** The members of an object. */
    private final class GroupNode {
        private final String prefix;
        private final Map<String, Integer> indexes = new LinkedHashMap<>();
        private final List<Node> nodes = new ArrayList<>();
        private final BitSet seen = new BitSet();

        GroupNode(String prefix, Map<String, Node> members) {
            this.prefix = prefix;
            members.forEach((name, node) -> {
                indexes.put(name, nodes.size());
                nodes.add(node);
            });
        }

        void read(JsonParser parser, byte[] into, int at, int parent) {
            seen.clear();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                Integer index = indexes.get(name);
                parser.nextToken();
                if (index == null) {
                    error("Unknown field '" + prefix + name + "'." + hint(name));
                    parser.skipChildren();
                } else if (seen.get(index)) {
                    error("Field '" + prefix + name + "' appears twice.");
                    parser.skipChildren();
                } else {
                    seen.set(index);
                    nodes.get(index).read(parser, into, at, parent);
                }
            }
            int missing = seen.nextClearBit(0);
            while (missing < nodes.size()) {
                require(missing);
                missing = seen.nextClearBit(missing + 1);
            }
        }

        private String hint(String name) {
            String nearest = NearestName.of(name, indexes.keySet());
            return nearest == null ? "" : " Did you mean '" + nearest + "'?";
        }

        private void require(int index) {
            if (nodes.get(index).required()) {
                String name = List.copyOf(indexes.keySet()).get(index);
                error("Missing value of '" + prefix + name + "', which is required.");
            }
        }
    }
}
