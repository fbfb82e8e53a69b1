package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_TYPE;
import static io.millrace.schema.ProblemCode.WRONG_STRUCTURE;

import io.millrace.schema.Choice;
import io.millrace.schema.NearestName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * The named types of a schema: groups of fields that are written once, for each field that names them. A type can
 * extend another one, have a choice of types that extend it, and contain itself to a depth. While a schema is read, it
 * knows which types are being read. Not thread-safe.
 */
final class NamedTypes {

    static final String TYPES = "types";

    /** Attribute of a field of a type that contains itself. */
    static final String DEPTH = "depth";

    static final String EXTENDS = "extends";

    /** Attribute of a type: the types that extend it, one of which each of its groups has. */
    static final String CHOICE = "choice";

    /** Attributes of a schema. */
    static final Set<String> ATTRIBUTES = Set.of(TYPES, EXTENDS);

    private static final Set<String> TYPE = Set.of(EXTENDS, CHOICE, "fields");

    private final Map<String, YamlMap> types = new LinkedHashMap<>();
    private final Map<String, List<Node>> fields = new HashMap<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<String, String> found = new HashMap<>();
    private final Map<String, Choice> choices = new HashMap<>();

    /**
     * A type whose fields are being read.
     *
     * @param bounded whether the field of the type states a depth
     */
    private record Open(String type, boolean bounded) {}

    NamedTypes(YamlMap root, Problems problems) {
        if (!root.has(TYPES)) {
            return;
        }
        if (!(root.node(TYPES) instanceof MappingNode mapping)) {
            root.problem(TYPES, WRONG_STRUCTURE, "Invalid value for 'types'. Use a mapping of names to types.");
            return;
        }
        YamlMap named = new YamlMap(mapping, problems, null);
        for (String name : named.keys()) {
            Node key = named.keyNode(name);
            if (!SchemaSyntax.FIELD_NAME.matcher(name).matches()
                    || TypeReader.names().contains(name)) {
                problems.add(
                        key,
                        null,
                        INVALID_NAME,
                        "Invalid name '" + name + "' of a type. Use letters, digits and _, not starting with a digit,"
                                + " and no type that fields have without it.");
            }
            YamlMap type = new YamlMap(named.required(name), problems, null);
            type.refuseUnknown(TYPE, "a type");
            types.put(name, type);
        }
        for (String name : types.keySet()) {
            boolean extending = type(name).has(EXTENDS);
            if (fields(name, new LinkedHashSet<>()).isEmpty()
                    && alternatives(name).isEmpty()
                    && !extending) {
                problems.add(
                        named.keyNode(name),
                        null,
                        MISSING_VALUE,
                        "Missing 'fields' of type '" + name + "'. Add at least one field.");
            }
        }
    }

    /** Returns the fields of a type, those of the type that it extends first. */
    private List<Node> fields(String name, Set<String> extending) {
        List<Node> known = fields.get(name);
        if (known != null) {
            return known;
        }
        YamlMap type = type(name);
        List<Node> all = new ArrayList<>();
        String base = type.text(EXTENDS);
        if (base != null && !types.containsKey(base)) {
            unknown(type, base);
        } else if (base != null && !extending.add(name)) {
            type.problem(EXTENDS, CONFLICTING_PROPERTIES, "Type '" + name + "' extends itself. Remove 'extends'.");
        } else if (base != null) {
            all.addAll(fields(base, extending));
        }
        all.addAll(type.list("fields"));
        fields.put(name, all);
        return all;
    }

    /** Returns the types of which each group of a type has one, without the type itself. */
    List<String> alternatives(String name) {
        List<String> alternatives = new ArrayList<>();
        YamlMap type = type(name);
        for (Node node : type.list(CHOICE)) {
            String alternative = node instanceof ScalarNode scalar ? scalar.getValue() : "";
            YamlMap other = types.get(alternative);
            if (alternative.equals(name)) {
                continue;
            }
            if (other == null) {
                type.problemAt(
                        node,
                        UNKNOWN_TYPE,
                        "Unknown type '" + alternative + "'" + NearestName.hint(alternative, types.keySet())
                                + " Use a type of this schema.");
            } else if (!name.equals(other.text(EXTENDS))) {
                type.problemAt(
                        node,
                        CONFLICTING_PROPERTIES,
                        "Type '" + alternative + "' does not extend '" + name + "'. Add 'extends: " + name
                                + "' to it.");
            } else if (alternatives.contains(alternative)) {
                type.problemAt(node, DUPLICATE_NAME, "Duplicate type '" + alternative + "'. Remove one.");
            } else {
                alternatives.add(alternative);
            }
        }
        return alternatives;
    }

    private YamlMap type(String name) {
        return Objects.requireNonNull(types.get(name));
    }

    /** Returns the place of a type in the text. */
    Node place(String name) {
        return type(name).place();
    }

    /** Returns the fields of a type without those of the type that it extends. */
    List<Node> own(String name) {
        return type(name).list("fields");
    }

    /** Returns whether groups of a type can have none of its alternatives. */
    private boolean isItself(String name) {
        return type(name).list(CHOICE).stream()
                .anyMatch(node ->
                        node instanceof ScalarNode scalar && scalar.getValue().equals(name));
    }

    /**
     * Notes the choice of a group.
     *
     * @param path path of the group
     * @param members names of the members that have the fields of the alternatives, by the names of these
     */
    void choose(String type, String path, Map<String, String> members) {
        choices.put(path, new Choice(members, isItself(type)));
        members.forEach((alternative, member) -> found.put(path + "." + member, alternative));
    }

    /** Returns the choices of groups by their paths. */
    Map<String, Choice> choices() {
        return choices;
    }

    /** Returns the names of the types, and of those that fields have without them. */
    Set<String> known(Collection<String> others) {
        Set<String> known = new TreeSet<>(others);
        known.addAll(types.keySet());
        return known;
    }

    /** Returns the name of the type of a field, or null if it has no named type. */
    @Nullable
    String of(YamlMap field) {
        String type = field.has("type") ? field.text("type") : null;
        return type != null && types.containsKey(type) ? type : null;
    }

    /**
     * Begins to read the fields of a type. Returns null if the field is left out, because its type contains itself more
     * often than it may, or after reporting a problem.
     *
     * @param field the field that has the type
     * @param fullPath path of the field
     * @param absent whether records can do without the field
     */
    @Nullable
    List<Node> enter(String type, YamlMap field, String fullPath, boolean absent) {
        String path = fullPath.replaceAll("\\[[0-9]+]", "[]");
        Integer depth = field.whole(DEPTH, 1, SchemaSyntax.MAX_FIELDS);
        long levels = open.stream().filter(each -> each.type().equals(type)).count();
        if (levels == 0 || (depth == null && (field.has(DEPTH) || isBoundedSince(type)))) {
            return begin(type, path, depth != null);
        }
        if (depth == null) {
            field.problem(
                    "type",
                    MISSING_VALUE,
                    "Type '" + type + "' contains itself. Add 'depth': how many levels of it a record can have.");
            return null;
        }
        if (!absent) {
            field.problem(
                    "type",
                    CONFLICTING_PROPERTIES,
                    "Type '" + type + "' contains itself, so that the innermost one has no '" + field.text("name")
                            + "'. Add 'optional' or 'repeat'.");
            return null;
        }
        if (levels >= depth) {
            found.put(path, type);
            return null;
        }
        return begin(type, path, true);
    }

    /** Returns whether another field on the way from a type to itself states a depth. */
    private boolean isBoundedSince(String type) {
        return open.stream().takeWhile(each -> !each.type().equals(type)).anyMatch(Open::bounded);
    }

    private List<Node> begin(String type, String path, boolean bounded) {
        open.push(new Open(type, bounded));
        found.put(path, type);
        return fields.getOrDefault(type, List.of());
    }

    /** Returns the fields of a record: those of the type that it extends first. */
    List<Node> record(YamlMap root) {
        List<Node> all = new ArrayList<>();
        String base = root.text(EXTENDS);
        if (base != null && types.containsKey(base)) {
            all.addAll(begin(base, "", false));
        } else if (base != null) {
            unknown(root, base);
        }
        all.addAll(root.list("fields"));
        if (all.isEmpty()) {
            root.problem("fields", MISSING_VALUE, "Missing 'fields'. Add at least one field.");
        }
        return all;
    }

    private void unknown(YamlMap type, String base) {
        type.problem(
                EXTENDS,
                UNKNOWN_TYPE,
                "Unknown type '" + base + "'" + NearestName.hint(base, types.keySet()) + " Use a type of this schema.");
    }

    /** Ends what {@link #enter} began. */
    void leave() {
        open.pop();
    }

    /**
     * Returns the names of the types of all groups by their paths, and of those that were left out because their type
     * contains itself.
     */
    Map<String, String> found() {
        return found;
    }
}
