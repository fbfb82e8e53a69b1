package io.millrace.codec.view;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Java interface of a record, or of a part of one. A named type of a schema has one for all its parts, which can
 * contain itself. Not thread-safe while members are added.
 */
final class SourceType {

    private final String name;
    private final String path;
    private final String comment;
    private final List<SourceMember> members = new ArrayList<>();

    /**
     * @param name simple name
     * @param path name with those of the interfaces that contain it, from that of the record
     * @param comment first sentence of the documentation
     */
    SourceType(String name, String path, String comment) {
        this.name = name;
        this.path = path;
        this.comment = comment;
    }

    String name() {
        return name;
    }

    String path() {
        return path;
    }

    String comment() {
        return comment;
    }

    /** Returns the members in the order of the schema. */
    List<SourceMember> members() {
        return members;
    }

    void add(SourceMember member) {
        members.add(member);
    }

    /**
     * A member with a getter and a setter.
     *
     * @param name name in the schema
     * @param property name of the getter without its prefix
     * @param type type of the value, as the source of the interface names it
     * @param comment what the getter returns
     * @param part interface of a group or of elements, or null
     * @param declared whether the interface is nested in this one
     * @param constants nested enum of values, or null
     */
    record SourceMember(
            String name,
            String property,
            String type,
            String comment,
            @Nullable SourceType part,
            boolean declared,
            @Nullable SourceEnum constants) {

        /** Returns the name of the getter. */
        String getter() {
            return (type.equals("boolean") && !property.equals("Valid") ? "is" : "get") + property;
        }
    }

    /** An enum with a constant for each value of a field. */
    record SourceEnum(String name, List<String> constants) {}
}
