package io.millrace.codec.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Java interface of a record, or of a part of one.
 *
 * @param name simple name
 * @param comment first sentence of the documentation
 * @param shape members that the schema has
 * @param members members in the order of the schema
 */
record SourceType(String name, String comment, Shape shape, List<SourceMember> members) {

    /**
     * A member with a getter and a setter.
     *
     * @param property name of the getter without its prefix
     * @param type type of the value, as the source of the interface names it
     * @param comment what the getter returns
     * @param part nested interface of a group or of elements, or null
     * @param constants nested enum of values, or null
     */
    record SourceMember(
            Shape.Member member,
            String property,
            String type,
            String comment,
            @Nullable SourceType part,
            @Nullable SourceEnum constants) {

        /** Returns the name of the getter. */
        String getter() {
            return (type.equals("boolean") && !property.equals("Valid") ? "is" : "get") + property;
        }
    }

    /** An enum with a constant for each value of a field. */
    record SourceEnum(String name, List<String> constants) {}
}
