package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.OUT_OF_RANGE;
import static io.millrace.schema.ProblemCode.TOO_LARGE;

import io.millrace.schema.CompactPart;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.FixedLayout;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the fields of a schema with the fixed layout. */
final class FixedReader {

    private static final Set<String> FIELD = Set.of("name", "type", "at", "label", "optional", "was");
    private static final Set<String> GROUP_FIELD = Set.of("name", "type", "at");
    private static final Set<String> NAMED_FIELD = Set.of("name", "type", "at", "repeat", "length", NamedTypes.DEPTH);

    static final LayoutSyntax SYNTAX = new LayoutSyntax(
            FixedLayout.NAME,
            Set.of("length", NamedTypes.TYPES, NamedTypes.EXTENDS),
            FIELD,
            (root, name, problems, order) -> new FixedReader(root, problems, order).read(root, name));

    private final Problems problems;
    private final ByteOrder order;
    private final FieldCollector collector;
    private final NamedTypes types;

    private FixedReader(YamlMap root, Problems problems, ByteOrder order) {
        this.problems = problems;
        this.types = new NamedTypes(root, problems);
        this.order = order;
        this.collector = new FieldCollector(problems);
    }

    private Schema read(YamlMap root, String name) {
        Integer length = root.whole("length", 1, FixedLayout.MAX_LENGTH);
        fields(types.record(root), "", 0, 0);
        collector.check(length);
        collector.checkFormer();
        collector.checkDigits();
        problems.throwIfAny();
        return collector.schema(name, length, types.found());
    }

    /**
     * Reads the fields of a schema or group.
     *
     * @param prefix prefix of their names
     * @param start offset to which theirs are relative
     * @return offset past the last byte of the fields
     */
    private int fields(List<Node> nodes, String prefix, int start, int depth) {
        int next = start;
        int end = start;
        for (Node node : nodes) {
            next = field(node, prefix, start, next, depth);
            end = Math.max(end, next);
        }
        return end;
    }

    /** Reads one field. Returns the offset past it. */
    private int field(Node node, String prefix, int start, int next, int depth) {
        if (collector.size() >= SchemaSyntax.MAX_FIELDS) {
            problems.add(node, null, TOO_LARGE, "Too many fields. Use at most " + SchemaSyntax.MAX_FIELDS + ".");
            return next;
        }
        String shown = new YamlMap(node, new Problems("", Set.of()), null).has("name") ? nameIn(node, prefix) : null;
        YamlMap map = new YamlMap(node, problems, shown);
        if (map.keys().isEmpty()) {
            return next;
        }
        String name = map.text("name");
        if (name == null) {
            map.problem("name", MISSING_VALUE, "Missing 'name' of a field.");
        } else if (!SchemaSyntax.FIELD_NAME.matcher(name).matches()) {
            map.problem(
                    "name",
                    INVALID_NAME,
                    "Invalid name '" + name + "'. Use letters, digits and _, not starting with a digit.");
        }
        String path = prefix + name;
        boolean claimed = name != null && collector.claim(path, map.keyNode("name"));
        if (map.has("virtual")) {
            collector.virtual(map, path, depth > 0);
            return next;
        }
        Integer stated = map.whole("at", 0, FixedLayout.MAX_LENGTH);
        int offset = stated == null ? next : start + stated;
        String type = type(map);
        if (type == null) {
            return offset;
        }
        if (offset > FixedLayout.MAX_LENGTH) {
            map.problem(
                    "at",
                    TOO_LARGE,
                    "The field starts at byte " + offset + ". Use at most " + FixedLayout.MAX_LENGTH
                            + " bytes per record.");
            return next;
        }
        String named = types.of(map);
        return named != null || type.equals(TypeReader.GROUP)
                ? group(map, named, path, offset, depth)
                : stored(map, type, path, prefix, offset, claimed);
    }

    private static @Nullable String nameIn(Node node, String prefix) {
        String name = new YamlMap(node, new Problems("", Set.of()), null).text("name");
        return name == null ? null : prefix + name;
    }

    /**
     * Returns the name of a known type, or null after reporting a problem. Reports attributes that are invalid for the
     * type.
     */
    private @Nullable String type(YamlMap map) {
        String type = SchemaSyntax.type(map, types.known(TypeReader.names()));
        if (type == null) {
            return null;
        }
        if (types.of(map) != null) {
            map.refuseUnknown(NAMED_FIELD, "type " + type);
            return type;
        }
        Set<String> allowed = new TreeSet<>(type.equals(TypeReader.GROUP) ? GROUP_FIELD : FIELD);
        allowed.addAll(TypeReader.attributes(type));
        map.refuseUnknown(allowed, "type " + type);
        return type;
    }

    private int stored(YamlMap map, String typeName, String path, String prefix, int offset, boolean fresh) {
        FieldType type = new TypeReader(map, order).read(typeName);
        if (type == null) {
            return offset;
        }
        String label = map.text("label");
        Field field = new FieldReader(map, type).read(path, offset, label == null ? path : prefix + label);
        if (fresh) {
            collector.former(map, path);
            collector.add(field, map);
        }
        return field.end();
    }

    private int group(YamlMap map, @Nullable String named, String path, int offset, int depth) {
        if (depth >= SchemaSyntax.MAX_DEPTH) {
            map.problem(
                    "fields", TOO_LARGE, "Too many nested groups. Use at most " + SchemaSyntax.MAX_DEPTH + " levels.");
            return offset;
        }
        if (named == null && map.list("fields").isEmpty()) {
            map.problem("fields", MISSING_VALUE, "Missing 'fields'. Add at least one field to the group.");
        }
        if (named != null && !types.alternatives(named).isEmpty()) {
            map.problem(
                    "type",
                    CONFLICTING_PROPERTIES,
                    "Type '" + named + "' has a choice, which the fixed layout can't have. Use 'layout: compact'.");
        }
        Integer length = map.whole("length", 1, FixedLayout.MAX_LENGTH);
        Integer repeat = map.whole("repeat", 1, SchemaSyntax.MAX_FIELDS);
        int at = offset;
        for (int i = 0; i < (repeat == null ? 1 : repeat); i++) {
            if (collector.size() >= SchemaSyntax.MAX_FIELDS || at > FixedLayout.MAX_LENGTH) {
                map.problem(
                        "repeat",
                        TOO_LARGE,
                        "Invalid repeat '" + repeat + "'. Use at most " + SchemaSyntax.MAX_FIELDS + " fields and "
                                + FixedLayout.MAX_LENGTH + " bytes per record.");
                break;
            }
            String shown = path + (repeat == null ? "" : CompactPart.ELEMENTS);
            List<Node> nodes = named == null ? map.list("fields") : types.enter(named, map, shown, repeat != null);
            if (nodes == null) {
                break;
            }
            int end = fields(nodes, path + (repeat == null ? "." : "[" + i + "]."), at, depth + 1);
            if (named != null) {
                types.leave();
            }
            if (length != null && end > at + length) {
                map.problem(
                        "length",
                        OUT_OF_RANGE,
                        "Invalid length '" + length + "'. Use at least the length of the group's fields, " + (end - at)
                                + ".");
            }
            at = length == null ? end : at + length;
        }
        return at;
    }
}
