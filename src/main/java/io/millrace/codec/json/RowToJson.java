package io.millrace.codec.json;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of values as JSON objects, the inverse of {@link JsonToRow}. Absent values and missing parts are null,
 * and lists without elements are empty, so that each object has all members. Numbers are JSON numbers, except NaN and
 * infinities, which are texts. Not thread-safe.
 */
public final class RowToJson {

    private final GroupNode root;
    private List<ChildRows> children = List.of();

    /** @param schema schema of the fixed or the compact layout */
    public RowToJson(Schema schema) {
        Schema whole = schema.base();
        root = whole.layout() instanceof CompactLayout layout
                ? group(whole, layout.root(), whole::field)
                : new GroupNode(whole.fields().stream()
                        .map(field -> value(JsonConstant.name(field.name()), field))
                        .toList());
    }

    /**
     * Writes a record whose values are valid.
     *
     * @param at offset of the row
     * @param lists rows of the repeating parts, in the order of {@link Schema#groups}
     * @param ordinal index of the record, of which the elements are children
     */
    public void write(byte[] row, int at, List<ChildRows> lists, int ordinal, JsonBuffer json) {
        children = lists;
        int start = json.begin();
        root.write(json, row, at, ordinal);
        json.endObject(start);
    }

    /** Writes a member of an object. */
    private interface Node {
        void write(JsonBuffer json, byte[] row, int at, int parent);
    }

    private GroupNode group(Schema schema, CompactGroup group, Function<String, @Nullable Field> fields) {
        List<Node> nodes = new ArrayList<>();
        for (CompactMember member : group.members()) {
            JsonConstant name = name(member);
            nodes.add(
                    switch (member) {
                        case CompactValue value -> value(name, field(fields, value.path()));
                        case CompactPart part when part.repeats() -> list(schema, name, part);
                        case CompactPart part -> part(name, part, group(schema, part.group(), fields), fields);
                    });
        }
        return new GroupNode(nodes);
    }

    private static Field field(Function<String, @Nullable Field> fields, String path) {
        return Objects.requireNonNull(fields.apply(path), path);
    }

    private static Node value(JsonConstant name, Field field) {
        FieldCodec codec = FieldCodecs.of(field);
        WriteValue value = WriteValue.of(codec);
        if (!field.optional()) {
            return (json, row, at, _) -> {
                json.put(name);
                value.write(json, row, at);
            };
        }
        JsonConstant absent = name.followedBy(JsonConstant.NULL);
        return (json, row, at, _) -> {
            if (codec.isAbsent(row, at)) {
                json.put(absent);
            } else {
                json.put(name);
                value.write(json, row, at);
            }
        };
    }

    /** Returns the name of a member in its object. */
    static JsonConstant name(CompactMember member) {
        String path = member.path().replace("[]", "");
        return JsonConstant.name(path.substring(path.lastIndexOf('.') + 1));
    }

    private static Node part(
            JsonConstant name, CompactPart part, GroupNode group, Function<String, @Nullable Field> fields) {
        int presence = part.optional() ? field(fields, part.presence()).offset() : -1;
        JsonConstant missing = name.followedBy(JsonConstant.NULL);
        return (json, row, at, parent) -> {
            if (presence >= 0 && row[at + presence] == 0) {
                json.put(missing);
            } else {
                json.put(name);
                int start = json.begin();
                group.write(json, row, at, parent);
                json.endObject(start);
            }
        };
    }

    private Node list(Schema schema, JsonConstant name, CompactPart part) {
        int index = schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(part.path());
        RepeatedGroup rows = schema.groups().get(index);
        Node element;
        if (part.bare()) {
            WriteValue value = WriteValue.of(FieldCodecs.of(field(rows::field, part.path())));
            element = (json, row, at, _) -> value.write(json, row, at);
        } else {
            GroupNode group = group(schema, part.group(), rows::field);
            element = (json, row, at, parent) -> {
                int start = json.begin();
                group.write(json, row, at, parent);
                json.endObject(start);
            };
        }
        return (json, _, _, parent) -> {
            ChildRows elements = children.get(index);
            json.put(name);
            int start = json.begin();
            for (int i = elements.first(parent); i < elements.end(parent); i++) {
                json.put(',');
                element.write(json, elements.rows(), i * elements.rowLength(), i);
            }
            json.endArray(start);
        };
    }

    /** The members of an object. */
    private record GroupNode(List<Node> nodes) implements Node {
        @Override
        public void write(JsonBuffer json, byte[] row, int at, int parent) {
            for (Node node : nodes) {
                node.write(json, row, at, parent);
            }
        }
    }
}
