package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a part of a compact record from its rows: groups as maps by name, elements as lists. Immutable. */
final class CompactPartReader implements LayoutCodec.PartReader {

    private final Node node;

    private CompactPartReader(Node node) {
        this.node = node;
    }

    /**
     * Returns the reader of a part.
     *
     * @param schema schema whose rows contain everything in the part
     * @param name name of the part
     * @throws IllegalArgumentException if the schema has no such part
     */
    static CompactPartReader of(Schema schema, String name) {
        CompactPart part = ((CompactLayout) schema.layout()).part(name);
        if (part == null) {
            throw new IllegalArgumentException("Unknown part '" + name + "' of schema '" + schema.name() + "'.");
        }
        return new CompactPartReader(node(schema, part, schema::field));
    }

    @Override
    public @Nullable Object read(RecordBatch batch, int ordinal) {
        return node.read(batch.childRows(), batch.added(), batch.addedOffset(ordinal), ordinal);
    }

    /** Reads a member of a group. */
    private interface Node {
        @Nullable
        Object read(List<ChildRows> children, byte[] row, int rowAt, int parent);
    }

    private static Node node(Schema schema, CompactMember member, Function<String, @Nullable Field> row) {
        return switch (member) {
            case CompactValue value -> {
                FieldCodec codec = FieldCodecs.of(required(row.apply(value.path()), value.path()));
                yield (_, bytes, at, _) -> codec.value(bytes, at);
            }
            case CompactPart part when part.repeats() -> elements(schema, part);
            case CompactPart part -> {
                Node group = group(schema, part.group(), row);
                if (!part.optional()) {
                    yield group;
                }
                int presence =
                        required(row.apply(part.presence()), part.presence()).offset();
                yield (children, bytes, at, parent) ->
                        bytes[at + presence] == 0 ? null : group.read(children, bytes, at, parent);
            }
        };
    }

    private static Field required(@Nullable Field field, String path) {
        if (field == null) {
            throw new IllegalArgumentException("The rows do not contain " + path);
        }
        return field;
    }

    private static Node group(Schema schema, CompactGroup group, Function<String, @Nullable Field> row) {
        Map<String, Node> members = new LinkedHashMap<>();
        group.members().forEach(member -> members.put(lastName(member), node(schema, member, row)));
        return (children, bytes, at, parent) -> {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            members.forEach((name, member) -> values.put(name, member.read(children, bytes, at, parent)));
            return values;
        };
    }

    private static Node elements(Schema schema, CompactPart part) {
        int index = schema.groups().stream().map(RepeatedGroup::path).toList().indexOf(part.path());
        if (index < 0) {
            throw new IllegalArgumentException("The rows do not contain " + part.path());
        }
        RepeatedGroup rows = schema.groups().get(index);
        Node element = part.bare()
                ? node(schema, part.group().members().getFirst(), rows::field)
                : group(schema, part.group(), rows::field);
        return (children, _, _, parent) -> {
            ChildRows list = children.get(index);
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = list.first(parent); i < list.end(parent); i++) {
                values.add(element.read(children, list.rows(), i * list.rowLength(), i));
            }
            return values;
        };
    }

    private static String lastName(CompactMember member) {
        String name = member.path().replaceFirst("\\[]$", "");
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
