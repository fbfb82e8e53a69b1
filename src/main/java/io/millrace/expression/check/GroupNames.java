package io.millrace.expression.check;

import io.millrace.expression.check.Operand.Elements;
import io.millrace.expression.check.Operand.Part;
import io.millrace.expression.check.Operand.Single;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of fields and groups in records with groups, and whether a group is there. Immutable. */
final class GroupNames {

    /** Follows the name of a part that repeats. */
    private static final String ELEMENTS = "[]";

    private final Schema schema;

    /** The names of the presence fields of groups, by path; empty for a group that is always there. */
    private final Map<String, String> groups;

    GroupNames(Schema schema) {
        this.schema = schema;
        this.groups = schema.layout().presences();
    }

    /** Returns whether records of the schema have groups, whether or not they are in its rows. */
    boolean any() {
        return schema.layout().nests();
    }

    /** Returns whether a path is that of a group that does not repeat. */
    boolean isGroup(String path) {
        return groups.containsKey(path);
    }

    /** Returns the member of a name, or null if there is none. */
    @Nullable
    Operand member(Part part, String name) {
        String path = part.member(name);
        Field field = field(path);
        if (field != null) {
            return new Single(Pick.of(part.picks(), load(field, part)));
        }
        RepeatedGroup group = group(path + ELEMENTS);
        if (group != null) {
            Operand item = group.bare()
                    ? new Single(new Ir.Load(Objects.requireNonNull(group.field(group.path()))))
                    : new Part(group.path(), List.of());
            return new Elements(group.path(), Fold.ALL, item, presence(part), part.picks());
        }
        return groups.containsKey(path) ? new Part(path, part.picks()) : null;
    }

    /** Returns the value of a field; absent if the group is, even if every such group has the field. */
    private Ir load(Field field, Part part) {
        Ir value = new Ir.Load(field);
        Ir presence = presence(part);
        return field.optional() || presence.equals(Fold.ALL)
                ? value
                : new Ir.Choice(presence, value, new Ir.Absent(), value.type());
    }

    private @Nullable Field field(String path) {
        Field single = schema.field(path);
        return single != null
                ? single
                : schema.groups().stream()
                        .map(group -> group.field(path))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    private @Nullable RepeatedGroup group(String path) {
        return schema.groups().stream()
                .filter(group -> group.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    /** Returns the condition that a group or element is there, seen from the row that contains it. */
    Ir presence(Part part) {
        String name = groups.getOrDefault(part.path(), "");
        Field field = name.isEmpty() ? null : field(name);
        return field == null ? Fold.ALL : new Ir.Load(field);
    }

    /** Returns the error for a name that a group or an element, not the record, does not have. */
    ExpressionException unknown(Part part, String name, Place place) {
        List<String> names = names(part);
        boolean outside = schema.field(name) != null || schema.virtualField(name) != null;
        return place.error(
                ErrorCode.UNKNOWN_FIELD,
                part.path() + " has no field '" + name + "'",
                outside ? "for the field of the record write: #root." + name : NearestName.advice(name, names));
    }

    /** Returns the names of the groups and repeating parts that are directly in the record. */
    Stream<String> ofRecord() {
        return Stream.concat(groups.keySet().stream(), schema.groups().stream().map(RepeatedGroup::name))
                .filter(name -> name.matches("\\w+"))
                .sorted();
    }

    /** Returns the names of all members of a group or element: fields, groups, and parts that repeat. */
    Set<String> members(Part part) {
        String prefix = part.path() + ".";
        Set<String> members = new TreeSet<>(names(part));
        groups.keySet().stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()))
                .filter(path -> path.matches("\\w+"))
                .forEach(members::add);
        return members;
    }

    /** Returns the names of the members of a group or element. */
    private List<String> names(Part part) {
        String prefix = part.path() + ".";
        return Stream.of(
                        schema.fields().stream().map(Field::name),
                        schema.groups().stream().map(RepeatedGroup::name),
                        schema.groups().stream()
                                .flatMap(group -> group.fields().stream())
                                .map(Field::name))
                .flatMap(paths -> paths)
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()))
                .filter(path -> path.matches("\\w+"))
                .toList();
    }
}
