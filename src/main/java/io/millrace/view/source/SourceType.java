package io.millrace.view.source;

import io.millrace.codec.shape.Shape;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Java interface of a record, or of a part of one. A named type of a schema has one for all its parts, which can
 * contain itself. Not thread-safe while members or superinterfaces are added.
 */
final class SourceType {

    /** What the name of a class of plain objects begins with. */
    static final String CLASSIC_PREFIX = "Classic";

    private final String name;
    private final String path;
    private final String comment;
    private final Shape shape;
    private final List<SourceMember> members = new ArrayList<>();
    private final Set<String> superinterfaces = new LinkedHashSet<>();

    /**
     * @param name simple name
     * @param path name with those of the interfaces that contain it, from that of the record
     * @param comment first sentence of the documentation
     * @param shape members of the part that it was created for
     */
    SourceType(String name, String path, String comment, Shape shape) {
        this.name = name;
        this.path = path;
        this.comment = comment;
        this.shape = shape;
    }

    String name() {
        return name;
    }

    String path() {
        return path;
    }

    /** Returns the simple name of the class of plain objects that implements the interface. */
    String classicName() {
        return CLASSIC_PREFIX + name;
    }

    /** Returns the name of the class of plain objects with those of the classes that contain it. */
    String classicPath() {
        return CLASSIC_PREFIX + path.replace(".", "." + CLASSIC_PREFIX);
    }

    /**
     * Returns the name of a static method of the outermost class of plain objects. It is qualified: an interface of the
     * application can have methods of the same name, which would hide it.
     */
    String classicHelper(String method) {
        return classicPath().split("\\.", 2)[0] + "." + method;
    }

    /** Returns the simple name of the enum that creates records of both classes. */
    String factoryName() {
        return name + "Factory";
    }

    String comment() {
        return comment;
    }

    /** Returns the members of the first part that has the type. Other parts can leave out some of these. */
    Shape shape() {
        return shape;
    }

    /** Returns the members in the order of the schema. */
    List<SourceMember> members() {
        return members;
    }

    void add(SourceMember member) {
        members.add(member);
    }

    /** Returns the names of the interfaces that this one extends, in the order in which they were added. */
    Set<String> superinterfaces() {
        return superinterfaces;
    }

    /** @param superinterface name as the source uses it, which can have type arguments */
    void extend(String superinterface) {
        superinterfaces.add(superinterface);
    }

    /** Returns this interface and those of members that are nested in it. */
    Stream<SourceType> withNested() {
        Stream<SourceType> nested = members.stream()
                .filter(SourceMember::declared)
                .flatMap(member -> Stream.ofNullable(member.part()))
                .flatMap(SourceType::withNested);
        return Stream.concat(Stream.of(this), nested);
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
