package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
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
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compact records as maps of decoded values by name: groups are maps, lists are lists, what is absent is left out. */
public final class CompactMaps {

    private final Schema schema;
    private final CompactFinder finder;

    /** @param schema schema of the records */
    public CompactMaps(Schema schema) {
        this.schema = schema;
        this.finder = CompactFinder.interpreted(schema, true);
    }

    /** Decodes a record. Returns null if it is malformed. */
    public @Nullable Map<String, Object> decode(byte[] record) {
        byte[] row = new byte[schema.foundLength()];
        List<ChildRows> children = schema.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
        try {
            finder.find(record, 0, record.length, row, 0, children, 0);
        } catch (MalformedRecordException _) {
            return null;
        }
        return group(((CompactLayout) schema.layout()).root(), "", schema.fields(), row, 0, children, 0);
    }

    private Map<String, Object> group(
            CompactGroup group,
            String prefix,
            Collection<Field> fields,
            byte[] row,
            int rowAt,
            List<ChildRows> children,
            int parent) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (CompactMember member : group.members()) {
            String name = member.path().substring(prefix.length());
            switch (member) {
                case CompactValue value -> {
                    Object decoded = value(field(fields, value.path()), row, rowAt);
                    if (decoded != null) {
                        values.put(name, decoded);
                    }
                }
                case CompactPart part
                when part.repeats() -> {
                    List<Object> elements = elements(part, children, parent);
                    if (!elements.isEmpty()) {
                        values.put(name, elements);
                    }
                }
                case CompactPart part -> {
                    if (!part.optional()
                            || row[rowAt + field(fields, part.presence()).offset()] != 0) {
                        values.put(name, group(part.group(), part.path() + ".", fields, row, rowAt, children, parent));
                    }
                }
            }
        }
        return values;
    }

    private List<Object> elements(CompactPart part, List<ChildRows> children, int parent) {
        int index = CompactSamples.index(schema, part.path());
        RepeatedGroup group = schema.groups().get(index);
        ChildRows rows = children.get(index);
        List<Object> elements = new ArrayList<>();
        for (int i = rows.first(parent); i < rows.end(parent); i++) {
            int at = i * rows.rowLength();
            elements.add(
                    part.bare()
                            ? Objects.requireNonNull(value(group.fields().getFirst(), rows.rows(), at))
                            : group(part.group(), part.path() + ".", group.fields(), rows.rows(), at, children, i));
        }
        return elements;
    }

    private static @Nullable Object value(Field field, byte[] row, int rowAt) {
        Object value = FieldCodecs.of(field).value(row, rowAt);
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }

    private static Field field(Collection<Field> fields, String path) {
        return fields.stream()
                .filter(field -> field.name().equals(path))
                .findFirst()
                .orElseThrow();
    }
}
