package io.millrace.model.classfile;

import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The Java types of the groups of an imported schema, which become its named types: one for each Java type, or more if
 * its members differ from place to place, because some are left out or because of type arguments. Not thread-safe.
 */
final class ImportedTypes {

    /** A Java type with its members at one place. The name is known when all its groups have one. */
    private static final class Place {
        private final String javaType;
        private String name = "";

        Place(String javaType) {
            this.javaType = javaType;
        }
    }

    /** A subclass, with the members that its superclass does not have. */
    private record Alternative(ModelField fields, Place place) {}

    /** A group of a Java type that contains the group itself. */
    private record End(ModelField group, Place around) {}

    private final IdentityHashMap<ModelField, String> javaTypes = new IdentityHashMap<>();
    private final Set<ModelField> ends = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<End> found = new ArrayList<>();
    private final IdentityHashMap<ModelField, List<Alternative>> alternatives = new IdentityHashMap<>();
    private final Set<ModelField> concrete = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Names of types by their content. */
    private final Map<String, String> named = new HashMap<>();
    /** Names of the types of which a group has one, by their Java types; views find their classes by these names. */
    private final Map<String, String> reserved = new HashMap<>();

    private final Set<String> used = new HashSet<>();
    private final Set<String> names = new HashSet<>();

    /** Notes the Java type of a group. */
    ModelField add(ModelField group, String javaType) {
        javaTypes.put(group, javaType);
        return group;
    }

    /** Notes a group whose members are those of a type that contains it. */
    ModelField addEnd(ModelField group, String javaType) {
        ends.add(group);
        return add(group, javaType);
    }

    /**
     * Notes a subclass of the type of a group.
     *
     * @param fields a group with the members of the subclass that the group does not have
     */
    void addAlternative(ModelField group, ModelField fields, String javaType) {
        alternatives.computeIfAbsent(group, _ -> new ArrayList<>()).add(new Alternative(fields, new Place(javaType)));
        reserved.computeIfAbsent(javaType, this::unused);
    }

    /** Notes that the objects of a group with subclasses can be of its type itself. */
    void addItself(ModelField group) {
        concrete.add(group);
    }

    /**
     * Replaces the fields of groups by names of types.
     *
     * @param root Java type of the records
     */
    void name(ModelSchema schema, String root) {
        Deque<Place> around = new ArrayDeque<>();
        Place record = new Place(root);
        around.push(record);
        schema.fields().forEach(field -> name(field, around, schema));
        if (found.stream().anyMatch(end -> end.around() == record)) {
            ModelField type = new ModelField(unused(root));
            type.fields().addAll(schema.fields());
            record.name = type.name();
            schema.types().addFirst(type);
            schema.fields().clear();
            schema.attributes().put("extends", type.name());
        }
        found.forEach(end -> end.group().with("type", end.around().name));
    }

    private void name(ModelField field, Deque<Place> around, ModelSchema schema) {
        String javaType = javaTypes.get(field);
        if (javaType == null) {
            return;
        }
        if (ends.contains(field)) {
            Place innermost = around.stream()
                    .filter(place -> place.javaType.equals(javaType))
                    .findFirst()
                    .orElseThrow();
            found.add(new End(field, innermost));
            return;
        }
        Place place = new Place(javaType);
        nameInside(field, place, around, schema);
        place.name = named.computeIfAbsent(javaType + content(field), _ -> type(field, unused(javaType), schema));
        field.fields().clear();
        field.with("type", place.name);
    }

    private void nameInside(ModelField group, Place place, Deque<Place> around, ModelSchema schema) {
        around.push(place);
        group.fields().forEach(inner -> name(inner, around, schema));
        alternatives(group).forEach(each -> nameInside(each.fields(), each.place(), around, schema));
        around.pop();
    }

    private List<Alternative> alternatives(ModelField group) {
        return alternatives.getOrDefault(group, List.of());
    }

    private String content(ModelField group) {
        return group.fields()
                + alternatives(group).stream()
                        .map(each -> each.place().javaType + content(each.fields()))
                        .toList()
                        .toString();
    }

    /** Adds a type, and those that extend it. */
    private String type(ModelField group, String name, ModelSchema schema) {
        ModelField type = new ModelField(name);
        type.fields().addAll(group.fields());
        schema.types().add(type);
        choice(type, group, schema);
        return name;
    }

    private void choice(ModelField type, ModelField group, ModelSchema schema) {
        List<String> choice = new ArrayList<>(concrete.contains(group) ? List.of(type.name()) : List.of());
        for (Alternative alternative : alternatives(group)) {
            Place place = alternative.place();
            String first = Objects.requireNonNull(reserved.get(place.javaType));
            place.name = used.add(first) ? first : unused(place.javaType);
            ModelField extending = new ModelField(place.name).with("extends", type.name());
            extending.fields().addAll(alternative.fields().fields());
            schema.types().add(extending);
            choice(extending, alternative.fields(), schema);
            choice.add(place.name);
        }
        if (!alternatives(group).isEmpty()) {
            type.with("choice", choice);
        }
    }

    /** Returns the simple name of a Java type with a capital letter as its first. */
    static String simpleName(String javaType) {
        String last = javaType.substring(javaType.lastIndexOf('.') + 1).replaceAll("[^A-Za-z0-9_]", "_");
        return Character.toUpperCase(last.charAt(0)) + last.substring(1);
    }

    /** Returns the simple name of a type, with a number if another type has it. */
    private String unused(String javaType) {
        String simple = simpleName(javaType);
        String name = simple;
        for (int i = 2; !names.add(name); i++) {
            name = simple + i;
        }
        return name;
    }
}
