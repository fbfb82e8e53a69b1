package io.millrace.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A schema as its text states it, with its comments. Not thread-safe. */
public final class ModelSchema {

    static final String CONSTRAINTS = "constraints";

    private final Map<String, Object> attributes = new LinkedHashMap<>();
    private final List<ModelField> types = new ArrayList<>();
    private final List<ModelField> fields = new ArrayList<>();
    private final List<String> head = new ArrayList<>();
    private final List<String> tail = new ArrayList<>();

    /** Returns an empty schema. */
    public static ModelSchema of(String name, String layout) {
        ModelSchema schema = new ModelSchema();
        schema.attributes.put("schema", name);
        schema.attributes.put("layout", layout);
        return schema;
    }

    /** Returns the attributes except the fields, in their order. */
    public Map<String, Object> attributes() {
        return attributes;
    }

    /** Returns the name of the schema. */
    public String name() {
        return String.valueOf(attributes.get("schema"));
    }

    /** Returns the constraints beyond those of fields, each with its attributes. */
    @SuppressWarnings("unchecked")
    public List<Map<String, String>> constraints() {
        return (List<Map<String, String>>) attributes.getOrDefault(CONSTRAINTS, List.of());
    }

    /** Sets the constraints beyond those of fields. */
    public void constrain(List<Map<String, String>> constraints) {
        if (constraints.isEmpty()) {
            attributes.remove(CONSTRAINTS);
        } else {
            attributes.put(CONSTRAINTS, List.copyOf(constraints));
        }
    }

    /** Returns the named types, each as a group of fields that has its name and no type. */
    public List<ModelField> types() {
        return types;
    }

    /** Returns the fields. */
    public List<ModelField> fields() {
        return fields;
    }

    /** Returns the comment lines before the first type or field, each with its number sign. */
    public List<String> head() {
        return head;
    }

    /** Returns the comment lines after the last field. */
    public List<String> tail() {
        return tail;
    }

    /** Returns whether two schemas state the same, comments aside. */
    public boolean sameAs(ModelSchema other) {
        return attributes.equals(other.attributes)
                && ModelField.same(types, other.types)
                && ModelField.same(fields, other.fields);
    }

    /** Returns the number of fields, including those of groups and types. */
    public int size() {
        return count(fields) + count(types) - types.size();
    }

    private static int count(List<ModelField> fields) {
        return fields.stream().mapToInt(field -> 1 + count(field.fields())).sum();
    }
}
