package io.millrace.codec.shape;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.compact.CompactValueReader;
import io.millrace.schema.Choice;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The members of a record, or of a part of one, by name. Parts that do not repeat share the scope of what contains
 * them. Immutable after it was built.
 */
public final class Shape {

    /** What a row of its own, or the bytes of its own, contain: a record, or an element of a repeating part. */
    public static final class Scope {
        /** Length in bytes of a row. */
        int rowLength;
        /** Codecs of the values in rows, in the order of the schema. */
        final List<FieldCodec> codecs = new ArrayList<>();
        /** Repeating parts, including those of nested groups. Empty if they are in the row itself. */
        final List<ListMember> lists = new ArrayList<>();
        /** Finds members in compact bytes; null if records have rows only. */
        @Nullable
        CompactScope compact;

        Scope() {}

        public int rowLength() {
            return rowLength;
        }

        /** Returns what finds members in compact bytes, or null if records have rows only. */
        public @Nullable CompactScope compact() {
            return compact;
        }

        /** Returns a row in which all optional values are absent. */
        public byte[] blank() {
            byte[] row = new byte[rowLength];
            codecs.forEach(codec -> codec.clear(row, 0));
            return row;
        }
    }

    /** A member of a record. */
    public sealed interface Member {
        /** Returns the name in its group. */
        String name();
    }

    /**
     * A single value.
     *
     * @param path full path
     * @param codec codec in rows
     * @param slot entry in the index of compact bytes
     * @param reader reader of compact bytes, or null
     */
    public record ValueMember(
            String name,
            String path,
            Supplier<FieldCodec> codec,
            int slot,
            @Nullable CompactValueReader reader) implements Member {

        /** Returns whether the value is a bit, which the index of compact bytes contains. */
        public boolean isBit() {
            return reader != null && reader.field().type() instanceof FieldType.BooleanType;
        }
    }

    /**
     * A group that does not repeat.
     *
     * @param presence codec of the boolean in rows that is true if the group is there, or null if it always is
     * @param slot entry in the index of compact bytes
     */
    public record GroupMember(
            String name, Shape shape, @Nullable Supplier<FieldCodec> presence, int slot) implements Member {}

    /**
     * A repeating part.
     *
     * @param path full path
     * @param shape members of an element; a bare one has a single member
     * @param bare whether an element is a single value
     * @param listIndex index in the lists of the scope, or -1 if the elements are in the row itself
     * @param groupIndex index in the schema's repeated groups, or -1
     * @param slot entry in the index of compact bytes
     * @param first offset of the first element in the row
     * @param stride bytes from an element in the row to the next one
     * @param count number of elements in the row; maximum number of elements otherwise
     */
    public record ListMember(
            String name,
            String path,
            Shape shape,
            boolean bare,
            int listIndex,
            int groupIndex,
            int slot,
            int first,
            int stride,
            int count)
            implements Member {

        public boolean inRow() {
            return listIndex < 0;
        }

        public ValueMember bareValue() {
            return (ValueMember) shape.members.values().iterator().next();
        }
    }

    final String path;
    final Scope scope;
    final Map<String, Member> members = new LinkedHashMap<>();
    /** Choice of types of which this part has one, or null. */
    @Nullable
    Choice choice;
    /** Paths of members that the schema leaves out, because their type contains itself, by the names of these. */
    final Map<String, String> ends = new TreeMap<>();

    /** @param path full path of the part; empty for a record */
    Shape(String path, Scope scope) {
        this.path = path;
        this.scope = scope;
    }

    public String path() {
        return path;
    }

    public Scope scope() {
        return scope;
    }

    /** Returns the members by name, in the order of the schema. */
    public Map<String, Member> members() {
        return members;
    }

    /** Returns the choice of types of which this part has one, or null. */
    public @Nullable Choice choice() {
        return choice;
    }

    /** Returns the paths of members that the schema leaves out, by the names of these. */
    public Map<String, String> ends() {
        return ends;
    }

    void add(Member member) {
        members.put(member.name(), member);
    }

    /** Returns whether this part has a member, or the schema leaves it out. */
    public boolean has(String name) {
        return members.containsKey(name) || ends.containsKey(name);
    }

    /** Returns whether this part can hold all values of another one. */
    public boolean holds(Shape other) {
        return this == other
                || (members.keySet().containsAll(other.members.keySet())
                        && other.members.values().stream().allMatch(member -> holds(members.get(member.name()), member))
                        && other.ends.keySet().stream().allMatch(this::has)
                        && Objects.equals(choice, other.choice));
    }

    private static boolean holds(@Nullable Member member, Member other) {
        return switch (other) {
            case ValueMember value ->
                member instanceof ValueMember own && rules(own).equals(rules(value));
            case GroupMember group ->
                member instanceof GroupMember own
                        && (own.presence() == null) == (group.presence() == null)
                        && own.shape().holds(group.shape());
            case ListMember list ->
                member instanceof ListMember own
                        && own.inRow() == list.inRow()
                        && (own.inRow() ? own.count() == list.count() : own.count() >= list.count())
                        && own.shape().holds(list.shape());
        };
    }

    /** Returns the field of a value without what does not restrict it. */
    private static Field rules(ValueMember value) {
        return value.codec().get().field().as("", 0).withoutFormat();
    }

    /** Returns the path without indexes, as names of types have it. */
    public String typePath() {
        return path.replaceAll("\\[[0-9]+]", "[]");
    }

    /**
     * Returns the members of a type of which this part has one: those of this part, and those of its group.
     *
     * @param group member that is there if this part has the type
     */
    public Shape with(GroupMember group) {
        Shape all = new Shape(group.shape().path, scope);
        Collection<String> others =
                choice == null ? List.of() : choice.members().values();
        members.values().stream().filter(each -> !others.contains(each.name())).forEach(all::add);
        group.shape().members.values().forEach(all::add);
        all.choice = group.shape().choice;
        all.ends.putAll(ends);
        all.ends.putAll(group.shape().ends);
        return all;
    }

    /** Notes the choices of types, and the members that the schema leaves out, in this part and in those inside. */
    void addTypes(Schema schema) {
        choice = schema.choices().get(typePath());
        addEnds(schema.typeNames().keySet());
        for (Member member : members.values()) {
            switch (member) {
                case GroupMember group -> group.shape().addTypes(schema);
                case ListMember list -> list.shape().addTypes(schema);
                case ValueMember _ -> {}
            }
        }
    }

    private void addEnds(Set<String> typed) {
        String prefix = path.isEmpty() ? "" : typePath() + ".";
        for (String each : typed) {
            String name =
                    each.startsWith(prefix) ? each.substring(prefix.length()).replace("[]", "") : "";
            if (!name.isEmpty() && !name.contains(".") && !members.containsKey(name)) {
                ends.put(name, each);
            }
        }
    }
}
