package io.millrace.schema;

import java.io.Serializable;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The <em>compact</em> layout: values of as few bytes as they need, and parts that can be missing, nest and repeat. A
 * pass over a record writes its single values to a row, and each element of a repeating part to a row of its own.
 * {@code docs/reference/formats.md} describes the bytes. Immutable.
 */
public final class CompactLayout extends RecordLayout {

    public static final String NAME = "compact";

    /** Maximum length of a record in bytes. */
    public static final int MAX_LENGTH = 1 << 24;

    private static final long serialVersionUID = 1;

    private static final FieldType PRESENCE = new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN));

    private final CompactGroup root;

    /** @param root members of the record */
    public CompactLayout(CompactGroup root) {
        this.root = root;
    }

    private Object writeReplace() {
        return new Written(root);
    }

    private record Written(CompactGroup root) implements Serializable {
        private Object readResolve() {
            return new CompactLayout(root);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean variesInLength() {
        return true;
    }

    @Override
    public boolean nests() {
        return true;
    }

    @Override
    public int maxLength() {
        return MAX_LENGTH;
    }

    /** Returns the members of the record. */
    public CompactGroup root() {
        return root;
    }

    @Override
    public @Nullable String path(String field) {
        return null;
    }

    @Override
    List<String> outerNames(Schema schema) {
        return Stream.concat(
                        root.members().stream().map(CompactLayout::name),
                        schema.added().stream().map(Field::name))
                .toList();
    }

    /** Returns the path of a member without the {@code []} of its own repetition. */
    static String name(CompactMember member) {
        return member instanceof CompactPart part && part.repeats()
                ? part.path().substring(0, part.path().length() - CompactPart.ELEMENTS.length())
                : member.path();
    }

    @Override
    public boolean isPart(String name) {
        return find(name, root) != null;
    }

    @Override
    public Map<String, String> presences() {
        Map<String, String> presences = new HashMap<>();
        addPresences(root, "", presences);
        return presences;
    }

    /** @param outer name of the row field that says whether the containing part is there; empty if it always is */
    private static void addPresences(CompactGroup group, String outer, Map<String, String> presences) {
        for (CompactMember member : group.members()) {
            if (member instanceof CompactPart part && part.repeats()) {
                addPresences(part.group(), "", presences);
            } else if (member instanceof CompactPart part) {
                String own = part.optional() ? part.presence() : outer;
                presences.put(part.path(), own);
                addPresences(part.group(), own, presences);
            }
        }
    }

    /** Returns the part of a name on the record's own level, such as {@code party.addresses}, or null. */
    public @Nullable CompactPart part(String name) {
        return find(name, root);
    }

    private static @Nullable CompactPart find(String name, CompactGroup group) {
        for (CompactMember member : group.members()) {
            if (member instanceof CompactPart part) {
                if (name(part).equals(name)) {
                    return part;
                }
                CompactPart inner = part.repeats() ? null : find(name, part.group());
                if (inner != null) {
                    return inner;
                }
            }
        }
        return null;
    }

    @Override
    Schema schema(String schemaName, List<VirtualField> virtualFields) {
        return schema(schemaName, _ -> true, virtualFields);
    }

    @Override
    Schema project(Schema schema, Set<String> wanted) {
        return schema(schema.name(), wanted::contains, List.copyOf(schema.virtualFields()))
                .extend(schema.added());
    }

    @Override
    Schema stored(Schema schema) {
        return schema.base().extend(schema.added());
    }

    private Schema schema(String schemaName, Predicate<String> wanted, List<VirtualField> virtualFields) {
        Rows rows = new Rows(wanted);
        rows.add(root, rows.record, false);
        return new Schema(
                schemaName,
                this,
                rows.record.end,
                rows.record.fields,
                virtualFields,
                rows.groups.stream().map(Row::group).toList());
    }

    /** A row under construction. */
    private static final class Row {
        private final String path;
        private final int parent;
        private final boolean bare;
        private final List<Field> fields = new ArrayList<>();
        private int end;

        Row(String path, int parent, boolean bare) {
            this.path = path;
            this.parent = parent;
            this.bare = bare;
        }

        void place(Field field) {
            Field placed = field.at(end);
            fields.add(placed);
            end = placed.end();
        }

        RepeatedGroup group() {
            return new RepeatedGroup(path, parent, end, fields, bare);
        }
    }

    /** The rows of a record and of its repeating parts, with the wanted fields only. */
    private static final class Rows {
        private final Predicate<String> wanted;
        private final Row record = new Row("", -1, false);
        private final List<Row> groups = new ArrayList<>();

        Rows(Predicate<String> wanted) {
            this.wanted = wanted;
        }

        /** @param all whether everything in the group is wanted */
        void add(CompactGroup group, Row row, boolean all) {
            for (CompactMember member : group.members()) {
                boolean whole = all || wanted.test(name(member));
                switch (member) {
                    case CompactValue value -> {
                        if (whole) {
                            row.place(value.field());
                        }
                    }
                    case CompactPart part
                    when part.repeats() -> {
                        if (whole || contains(part)) {
                            Row elements = new Row(part.path(), groups.indexOf(row), part.bare());
                            groups.add(elements);
                            add(part.group(), elements, whole);
                        }
                    }
                    case CompactPart part -> {
                        if (part.optional() && (whole || wanted.test(part.presence()))) {
                            row.place(Field.of(part.presence(), PRESENCE, 0));
                        }
                        add(part.group(), row, whole);
                    }
                }
            }
        }

        /** Returns whether the elements of a part, or anything in them, are wanted. */
        private boolean contains(CompactPart part) {
            return wanted.test(part.path())
                    || part.group().members().stream()
                            .anyMatch(member -> wanted.test(name(member))
                                    || wanted.test(member.path())
                                    || (member instanceof CompactPart inner && contains(inner)));
        }
    }

    /** Describes what a fingerprint covers. */
    @Override
    public String toString() {
        return NAME + " " + root;
    }
}
