package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.TOO_LARGE;
import static io.millrace.schema.ProblemCode.WRONG_STRUCTURE;

import io.millrace.schema.CompactGroup;
import io.millrace.schema.CompactLayout;
import io.millrace.schema.CompactMember;
import io.millrace.schema.CompactPart;
import io.millrace.schema.CompactValue;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads the fields of a schema with the compact layout. */
final class CompactReader {

    static final LayoutSyntax SYNTAX = new LayoutSyntax(
            CompactLayout.NAME,
            NamedTypes.ATTRIBUTES,
            Set.of("name", "type", "label", "optional", "repeat", "frequent", "was", NamedTypes.DEPTH),
            (root, name, problems, order) -> new CompactReader(root, problems).read(root, name));

    private static final Set<String> EVERY_FIELD = Set.of("name", "type", "label", "optional", "repeat", "was");
    private static final Set<String> GROUP = Set.of("name", "type", "optional", "repeat", "fields", "was");
    private static final Set<String> NAMED = Set.of("name", "type", "optional", "repeat", "was", NamedTypes.DEPTH);

    /** Attributes of types that say where a value is, which records of this layout find out. */
    private static final Set<String> PLACED = Set.of("at", "as", "order", "bits", "pad", "absent");

    /** Value of {@code repeat} for any number of elements. */
    private static final String MANY = "many";

    /** Maximum depth of nested groups, which also ends anchors that contain themselves. */
    static final int MAX_DEPTH = 32;

    private static final IntStorage DAYS = IntStorage.of(Integer.BYTES, true, ByteOrder.BIG_ENDIAN);
    private static final IntStorage CODE = IntStorage.of(Short.BYTES, false, ByteOrder.BIG_ENDIAN);

    private final Problems problems;
    private final FieldCollector collector;
    private final NamedTypes types;
    private int count;

    private CompactReader(YamlMap root, Problems problems) {
        this.problems = problems;
        this.types = new NamedTypes(root, problems);
        this.collector = new FieldCollector(problems);
    }

    private Schema read(YamlMap root, String name) {
        CompactGroup members = group(types.record(root), null, "", 0);
        collector.checkFormer();
        collector.checkDigits();
        problems.throwIfAny();
        return Schema.of(name, new CompactLayout(members), collector.virtualFields())
                .named(collector.formerNames(), types.found(), types.choices());
    }

    /** @param type name of the type of the group, or null */
    private CompactGroup group(List<Node> fields, @Nullable String type, String prefix, int depth) {
        List<CompactMember> members = new ArrayList<>();
        for (Node node : fields) {
            if (++count > SchemaSyntax.MAX_FIELDS) {
                problems.add(node, null, TOO_LARGE, "Too many fields. Use at most " + SchemaSyntax.MAX_FIELDS + ".");
                break;
            }
            CompactMember member = member(new YamlMap(node, problems, null), prefix, depth);
            if (member != null) {
                members.add(member);
            }
        }
        if (type != null) {
            members.addAll(alternatives(type, prefix, depth));
        }
        return new CompactGroup(members);
    }

    /** Returns a group for each type of which the group has one. */
    private List<CompactMember> alternatives(String type, String prefix, int depth) {
        List<CompactMember> members = new ArrayList<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (String alternative : types.alternatives(type)) {
            String name = Character.toLowerCase(alternative.charAt(0)) + alternative.substring(1);
            String path = prefix + name;
            if (depth >= MAX_DEPTH || !collector.claim(path, types.place(alternative))) {
                continue;
            }
            names.put(alternative, name);
            members.add(new CompactPart(
                    path, true, 0, false, group(types.own(alternative), alternative, path + ".", depth + 1)));
        }
        if (!names.isEmpty()) {
            types.choose(type, prefix.substring(0, prefix.length() - 1), names);
        }
        return members;
    }

    private @Nullable CompactMember member(YamlMap unnamed, String prefix, int depth) {
        String name = unnamed.text("name");
        YamlMap map = unnamed.of(name == null ? null : prefix + name);
        if (name == null) {
            map.problem("name", MISSING_VALUE, "Missing 'name' of a field.");
            return null;
        }
        if (!SchemaSyntax.FIELD_NAME.matcher(name).matches()) {
            map.problem(
                    "name",
                    INVALID_NAME,
                    "Invalid name '" + name + "'. Use letters, digits and _, not starting with a digit.");
        }
        if (!collector.claim(prefix + name, map.keyNode("name"))) {
            return null;
        }
        if (map.has("virtual")) {
            collector.virtual(map, prefix + name, depth > 0);
            return null;
        }
        int repeat = repeat(map);
        String path = prefix + name + (repeat > 0 ? CompactPart.ELEMENTS : "");
        collector.former(map, path);
        String named = types.of(map);
        if (named != null || TypeReader.GROUP.equals(map.text("type"))) {
            return part(map, named, path, repeat, depth);
        }
        CompactValue value = value(map, path, repeat > 0);
        if (value == null || repeat == 0) {
            return value;
        }
        return new CompactPart(path, true, repeat, true, new CompactGroup(List.of(value)));
    }

    /** Returns the maximum number of elements, or 0 if the field does not repeat. */
    private static int repeat(YamlMap map) {
        if (!map.has("repeat") || MANY.equals(map.text("repeat"))) {
            return map.has("repeat") ? CompactPart.MAX_ELEMENTS : 0;
        }
        Integer most = map.whole("repeat", 1, CompactPart.MAX_ELEMENTS);
        return most == null ? CompactPart.MAX_ELEMENTS : most;
    }

    private @Nullable CompactPart part(YamlMap map, @Nullable String named, String path, int repeat, int depth) {
        map.refuseUnknown(
                named == null ? GROUP : NAMED,
                "type " + (named == null ? TypeReader.GROUP : named) + " in the compact layout");
        boolean optional = map.flag("optional");
        if (optional && repeat > 0) {
            map.problem(
                    "optional",
                    CONFLICTING_PROPERTIES,
                    "'optional' and 'repeat' are both set. Remove 'optional': a group without elements is missing.");
        }
        if (depth >= MAX_DEPTH) {
            map.problem("fields", TOO_LARGE, "Too many nested groups. Use at most " + MAX_DEPTH + " levels.");
            return null;
        }
        boolean absent = optional || repeat > 0;
        if (named == null) {
            if (map.list("fields").isEmpty()) {
                map.problem("fields", MISSING_VALUE, "Missing 'fields'. Add at least one field to the group.");
            }
            return new CompactPart(path, absent, repeat, false, group(map.list("fields"), null, path + ".", depth + 1));
        }
        List<Node> fields = types.enter(named, map, path, absent);
        if (fields == null) {
            return null;
        }
        CompactPart part = new CompactPart(path, absent, repeat, false, group(fields, named, path + ".", depth + 1));
        types.leave();
        return part;
    }

    private @Nullable CompactValue value(YamlMap map, String path, boolean element) {
        String name = SchemaSyntax.type(map, types.known(TypeReader.names()));
        if (name == null) {
            return null;
        }
        Set<String> allowed = new TreeSet<>(TypeReader.attributes(name));
        allowed.removeAll(PLACED);
        allowed.addAll(EVERY_FIELD);
        if (name.equals("string")) {
            allowed.add("frequent");
        }
        if (element) {
            allowed.remove(TypeReader.DIGITS); // no other field is next to an element
        }
        map.refuseUnknown(allowed, "type " + name + " in the compact layout");
        if (element && map.flag("optional")) {
            map.problem(
                    "optional",
                    CONFLICTING_PROPERTIES,
                    "'optional' and 'repeat' are both set. Remove 'optional': a field without elements is missing.");
        }
        FieldType type = new TypeReader(map, ByteOrder.BIG_ENDIAN).read(name);
        if (type == null) {
            return null;
        }
        String label = map.text("label");
        Field field = new FieldReader(map, inRow(type)).read(path, 0, label == null ? path : label);
        collector.value(field, map);
        return new CompactValue(field.optional() ? field.withNullFlag() : field, frequent(map));
    }

    /** Returns the type in rows: as wide as the values that a record can hold. */
    private static FieldType inRow(FieldType type) {
        return switch (type) {
            case FieldType.DateType _ -> new FieldType.DateType(DAYS);
            case FieldType.EnumType(var ignoredStorage, var names) -> new FieldType.EnumType(CODE, names);
            case FieldType.StringType(int bytes, var charset, byte ignoredPad) ->
                new FieldType.StringType(bytes, charset, (byte) 0);
            default -> type;
        };
    }

    private static List<String> frequent(YamlMap map) {
        List<String> texts = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Node node : map.list("frequent")) {
            if (!(node instanceof ScalarNode scalar)) {
                map.problemAt(node, WRONG_STRUCTURE, "Invalid element of 'frequent'. Use a single text.");
            } else if (!seen.add(scalar.getValue())) {
                map.problemAt(node, DUPLICATE_NAME, "Duplicate value '" + scalar.getValue() + "'. Remove one.");
            } else {
                texts.add(scalar.getValue());
            }
        }
        return texts;
    }
}
