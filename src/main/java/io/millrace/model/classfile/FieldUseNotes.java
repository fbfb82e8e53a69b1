package io.millrace.model.classfile;

import io.millrace.codec.bytecode.FieldUses;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the methods that use fields of a class directly, which views do not set. Stateless. */
final class FieldUseNotes {

    /** Methods that views replace, whatever they use. */
    private static final Set<String> REPLACED = Set.of("equals", "hashCode", "toString", "clone");

    private FieldUseNotes() {}

    /**
     * Returns a sentence for each method.
     *
     * @param accessors names and descriptors of the getters and setters, which views replace
     */
    static List<String> of(ClassPath classes, ClassModel model, Set<String> accessors) {
        if (model.flags().has(AccessFlag.INTERFACE)
                || model.findAttribute(Attributes.record()).isPresent()) {
            return List.of();
        }
        Set<String> notes = new LinkedHashSet<>();
        Set<String> types = new LinkedHashSet<>();
        for (ClassModel each = model; each != null; each = superclass(classes, each)) {
            types.add(each.thisClass().asInternalName());
        }
        for (ClassModel each : types.stream()
                .flatMap(type -> classes.inPackageOf(type).stream())
                .distinct()
                .toList()) {
            for (FieldUses.Use use : FieldUses.of(each, types, accessors)) {
                boolean own = types.contains(use.owner());
                if (own && (REPLACED.contains(use.method()) || accessors.contains(use.method() + use.descriptor()))) {
                    continue;
                }
                notes.add("The " + use.show()
                        + (use.superCall() ? " calls " + use.field() : " uses the field '" + use.field() + "'") + " of "
                        + model.thisClass().asInternalName().replace('/', '.')
                        + (use.superCall() ? ", whose field" : " directly, which") + " a view does not set. "
                        + (outermost(use.owner())
                                        .equals(outermost(types.iterator().next()))
                                ? "RecordViews needs allowFieldUse(\"" + use.method() + "\")."
                                : "Use its getter or setter."));
            }
        }
        return List.copyOf(notes);
    }

    private static String outermost(String internalName) {
        return internalName.split("\\$", 2)[0];
    }

    private static @Nullable ClassModel superclass(ClassPath classes, ClassModel model) {
        return model.superclass()
                .map(each -> classes.find(each.asInternalName()))
                .orElse(null);
    }
}
