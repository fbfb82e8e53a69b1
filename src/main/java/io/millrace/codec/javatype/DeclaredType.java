package io.millrace.codec.javatype;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a class or interface declares. It is read from the class file, or by reflection if there is none. Immutable.
 *
 * @param name internal name
 * @param flags modifiers, as in the source: a nested class can be private or static
 * @param sealed whether it states all its subclasses
 * @param record whether it is a class of Java records
 * @param supertypes internal names of its superclass, unless it is an interface, and of its interfaces
 * @param model class file, or null if there is none
 */
public record DeclaredType(
        String name,
        int flags,
        boolean sealed,
        boolean record,
        List<String> supertypes,
        List<Declared> fields,
        List<Declared> methods,
        @Nullable ClassModel model) {

    private static final String OBJECT = "java/lang/Object";

    /** A field or method. */
    public record Declared(String name, String descriptor, int flags) {

        /** Returns whether it has a modifier, such as {@link Modifier#STATIC}. */
        public boolean is(int modifier) {
            return (flags & modifier) != 0;
        }

        /** Returns whether it is not in the source. */
        boolean isSynthetic() {
            return is(AccessFlag.SYNTHETIC.mask());
        }

        /** Returns the name and the parameters, by which a subclass replaces a method. */
        public String signature() {
            return name + descriptor.substring(0, descriptor.indexOf(')') + 1);
        }
    }

    /** Returns what a class file declares. */
    public static DeclaredType of(ClassModel model) {
        String name = model.thisClass().asInternalName();
        int flags = model.findAttribute(Attributes.innerClasses()).stream()
                .flatMap(inner -> inner.classes().stream())
                .filter(inner -> inner.innerClass().asInternalName().equals(name))
                .map(inner -> inner.flagsMask())
                .findFirst()
                .orElse(model.flags().flagsMask());
        List<String> supertypes = new ArrayList<>();
        if (!model.flags().has(AccessFlag.INTERFACE)) {
            model.superclass().ifPresent(superclass -> supertypes.add(superclass.asInternalName()));
        }
        model.interfaces().forEach(each -> supertypes.add(each.asInternalName()));
        return new DeclaredType(
                name,
                flags,
                model.findAttribute(Attributes.permittedSubclasses()).isPresent(),
                model.findAttribute(Attributes.record()).isPresent(),
                supertypes,
                model.fields().stream()
                        .map(field -> new Declared(
                                field.fieldName().stringValue(),
                                field.fieldType().stringValue(),
                                field.flags().flagsMask()))
                        .toList(),
                model.methods().stream()
                        .map(method -> new Declared(
                                method.methodName().stringValue(),
                                method.methodType().stringValue(),
                                method.flags().flagsMask()))
                        .toList(),
                model);
    }

    /**
     * Returns this type and its supertypes, except Object: first the classes, then the interfaces, each behind those
     * that extend it.
     *
     * @param find returns a type, or null if it is not known
     */
    public List<DeclaredType> withSupertypes(Function<String, @Nullable DeclaredType> find) {
        Map<String, DeclaredType> found = new LinkedHashMap<>();
        List<DeclaredType> interfaces = new ArrayList<>();
        addTo(found, interfaces, find);
        for (int i = 0; i < interfaces.size(); i++) {
            found.remove(interfaces.get(i).name()); // it may also be a superinterface of one found since
            interfaces.get(i).addTo(found, interfaces, find);
        }
        return List.copyOf(found.values());
    }

    private void addTo(
            Map<String, DeclaredType> found,
            List<DeclaredType> interfaces,
            Function<String, @Nullable DeclaredType> find) {
        if (found.putIfAbsent(name, this) != null) {
            return;
        }
        for (String supertype : supertypes) {
            DeclaredType next = supertype.equals(OBJECT) ? null : find.apply(supertype);
            if (next != null && next.is(Modifier.INTERFACE)) {
                interfaces.add(next);
            } else if (next != null) {
                next.addTo(found, interfaces, find);
            }
        }
    }

    /** Returns whether it has a modifier, such as {@link Modifier#INTERFACE}. */
    public boolean is(int modifier) {
        return (flags & modifier) != 0;
    }

    /** Returns the name as Java code writes it. */
    public String javaName() {
        return name.replace('/', '.');
    }

    /** Returns whether it is a type of the JDK. */
    boolean isOfPlatform() {
        return name.startsWith("java/");
    }

    /** Returns the internal name of its package, with a slash behind. */
    public String packageName() {
        return name.substring(0, name.lastIndexOf('/') + 1);
    }
}
