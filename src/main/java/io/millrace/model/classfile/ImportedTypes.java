package io.millrace.model.classfile;

import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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

    /** A group of a Java type that contains the group itself. */
    private record End(ModelField group, Place around) {}

    private final Map<ModelField, String> javaTypes = new IdentityHashMap<>();
    private final Set<ModelField> ends = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<End> found = new ArrayList<>();
    private final Map<ModelField, String> named = new IdentityHashMap<>();
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
        around.push(place);
        field.fields().forEach(inner -> name(inner, around, schema));
        around.pop();
        ModelField type = new ModelField("");
        type.fields().addAll(field.fields());
        place.name = schema.types().stream()
                .filter(other -> javaType.equals(named.get(other))
                        && type.sameAs(withoutName(other)))
                .map(ModelField::name)
                .findFirst()
                .orElseGet(() -> {
                    ModelField added = new ModelField(unused(javaType));
                    added.fields().addAll(field.fields());
                    named.put(added, javaType);
                    schema.types().add(added);
                    return added.name();
                });
        field.fields().clear();
        field.with("type", place.name);
    }

    private static ModelField withoutName(ModelField type) {
        ModelField bare = new ModelField("");
        bare.fields().addAll(type.fields());
        return bare;
    }

    /** Returns the simple name of a type, with a number if another type has it, and a capital letter as its first. */
    private String unused(String javaType) {
        String last = javaType.substring(javaType.lastIndexOf('.') + 1).replaceAll("[^A-Za-z0-9_]", "_");
        String simple = Character.toUpperCase(last.charAt(0)) + last.substring(1);
        String name = simple;
        for (int i = 2; !names.add(name); i++) {
            name = simple + i;
        }
        return name;
    }
}
