package io.millrace.model.classfile;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The subclasses that a type states: as sealed, or in annotations of Jackson or JAXB.
 *
 * @param subclasses internal names; empty if the type has subclasses that it does not name
 * @param itself whether objects can be of the type itself
 */
record Hierarchy(List<String> subclasses, boolean itself) {

    /** Annotations whose value names subclasses. */
    private static final List<String> NAMING = List.of("JsonSubTypes", "XmlSeeAlso");

    /** Returns the subclasses of a type, or null if it states none. */
    static @Nullable Hierarchy of(ClassModel model) {
        Set<String> found = new LinkedHashSet<>();
        model.findAttribute(Attributes.permittedSubclasses())
                .ifPresent(
                        permitted -> permitted.permittedSubclasses().forEach(each -> found.add(each.asInternalName())));
        Annotations annotations = Annotations.of(List.of(model), 0);
        for (String name : NAMING) {
            annotations.classes(name).forEach(found::add);
        }
        boolean isAbstract =
                model.flags().has(AccessFlag.ABSTRACT) || model.flags().has(AccessFlag.INTERFACE);
        found.remove(model.thisClass().asInternalName());
        return found.isEmpty() && !annotations.has("JsonTypeInfo")
                ? null
                : new Hierarchy(List.copyOf(found), !isAbstract);
    }
}
