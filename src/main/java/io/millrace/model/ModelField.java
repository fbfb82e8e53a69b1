package io.millrace.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A field of a schema as its text states it: attributes in their order, without a check. A value is a text, a list of
 * texts, or a map of texts. Not thread-safe.
 */
public final class ModelField {

    private final String name;
    private final Map<String, Object> attributes = new LinkedHashMap<>();
    private final List<ModelField> fields = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private String comment = "";

    /** @param name name of the field in its group */
    public ModelField(String name) {
        this.name = name;
    }

    /** Returns a field of a type. */
    public static ModelField of(String name, String type) {
        return new ModelField(name).with("type", type);
    }

    /** Returns the name of the field in its group. */
    public String name() {
        return name;
    }

    /** Sets an attribute; the value is a text, a number, a boolean, a list of texts or a map of texts. */
    public ModelField with(String attribute, Object value) {
        attributes.put(attribute, value instanceof List || value instanceof Map ? value : value.toString());
        return this;
    }

    /** Removes an attribute, if the field has it. */
    public void without(String attribute) {
        attributes.remove(attribute);
    }

    /** Returns the attributes except the name and the fields of a group, in their order. */
    public Map<String, Object> attributes() {
        return attributes;
    }

    /** Returns the value of an attribute, or null. */
    public @Nullable Object get(String attribute) {
        return attributes.get(attribute);
    }

    /** Returns the fields of a group; empty if the field is not a group. */
    public List<ModelField> fields() {
        return fields;
    }

    /** Returns the comment behind the field, without the number sign; empty if there is none. */
    public String comment() {
        return comment;
    }

    /** Sets the comment behind the field. */
    public ModelField comment(String text) {
        comment = text;
        return this;
    }

    /** Returns the comment lines above the field, each with its number sign. */
    public List<String> remarks() {
        return remarks;
    }

    /** Returns whether two fields state the same, comments aside. */
    public boolean sameAs(@Nullable ModelField other) {
        return other != null
                && name.equals(other.name)
                && attributes.equals(other.attributes)
                && same(fields, other.fields);
    }

    static boolean same(List<ModelField> some, List<ModelField> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (!some.get(i).sameAs(others.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns a phrase for messages, such as {@code string, length 20, optional}. */
    public String describe() {
        StringBuilder text = new StringBuilder(String.valueOf(Objects.requireNonNullElse(
                attributes.get("type"), attributes.containsKey("virtual") ? "virtual" : "type")));
        attributes.forEach((key, value) -> {
            if (key.equals("optional") && value.equals("true")) {
                text.append(", optional");
            } else if (!key.equals("type")) {
                text.append(", ").append(key).append(' ').append(value);
            }
        });
        return text.toString();
    }

    @Override
    public String toString() {
        return name + ": " + describe();
    }
}
