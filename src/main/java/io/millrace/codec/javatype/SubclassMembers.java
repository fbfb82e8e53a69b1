package io.millrace.codec.javatype;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.bytecode.PropertyNames;
import io.millrace.codec.javatype.DeclaredType.Declared;
import java.lang.classfile.ClassModel;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds members of subclasses, which views of a type do not have: values with a field of their own that is public or
 * has a getter, and methods that replace one of the type. The getters of the type are called, so these may be replaced.
 * Immutable.
 */
public final class SubclassMembers {

    private static final Set<String> OF_OBJECT = Set.of("equals(Ljava/lang/Object;)", "hashCode()", "toString()");

    /** Methods without parameters that the type has. */
    private final List<Declared> getters;

    /** Methods of the type that views inherit, which subclasses may replace. */
    private final Set<String> inherited;

    /** Names and descriptors of the setters of the type that views replace. */
    private final Set<String> setters;

    /**
     * @param type the type and its supertypes
     * @param accessors names and descriptors of the methods of the type that views replace
     */
    public SubclassMembers(List<DeclaredType> type, Set<String> accessors) {
        String packageName = type.getFirst().packageName();
        List<Declared> methods = type.stream()
                .flatMap(each -> each.methods().stream()
                        .filter(method -> !method.is(AccessFlag.BRIDGE.mask())
                                && (method.is(Modifier.PUBLIC | Modifier.PROTECTED)
                                        || each.packageName().equals(packageName))))
                .toList();
        this.getters = methods.stream()
                .filter(method -> method.is(Modifier.PUBLIC) && hasNoParameters(method))
                .toList();
        this.setters = methods.stream()
                .filter(method -> !method.is(Modifier.ABSTRACT) && !hasNoParameters(method))
                .map(method -> method.name() + method.descriptor())
                .filter(accessors::contains)
                .collect(Collectors.toSet());
        Set<String> replaced = new HashSet<>();
        this.inherited = methods.stream()
                .filter(method -> {
                    boolean first = replaced.add(method.signature());
                    return first
                            && !method.is(Modifier.ABSTRACT)
                            && !method.is(Modifier.STATIC)
                            && !method.is(Modifier.FINAL)
                            && !method.is(Modifier.PRIVATE)
                            && !method.name().equals(ConstantDescs.INIT_NAME)
                            && !OF_OBJECT.contains(method.signature())
                            && !accessors.contains(method.name() + method.descriptor());
                })
                .map(Declared::signature)
                .collect(Collectors.toSet());
    }

    /**
     * Returns the members that views would lose.
     *
     * @param classes a subclass and its superclasses, up to the type
     */
    public List<String> lost(List<DeclaredType> classes) {
        List<String> lost = new ArrayList<>();
        for (DeclaredType each : classes) {
            each.fields().stream()
                    .filter(field -> !field.is(Modifier.STATIC)
                            && !field.is(Modifier.TRANSIENT)
                            && !field.isSynthetic()
                            && isLost(each, field))
                    .forEach(field -> lost.add(field.name()));
            // A class without a class file is a proxy, which calls the methods of the class that it extends.
            if (each.model() != null) {
                each.methods().stream()
                        .filter(method -> !method.is(AccessFlag.BRIDGE.mask())
                                && !method.is(Modifier.STATIC)
                                && (inherited.contains(method.signature()) || changesSetter(each.model(), method)))
                        .forEach(method -> lost.add(method.name() + "()"));
            }
        }
        return List.copyOf(lost);
    }

    /** Returns whether a method is a setter that does more than the one that it replaces. */
    private boolean changesSetter(ClassModel subclass, Declared method) {
        return setters.contains(method.name() + method.descriptor())
                && subclass.methods().stream()
                        .anyMatch(each -> each.methodName().equalsString(method.name())
                                && each.methodType().equalsString(method.descriptor())
                                && !AccessorBody.isPlain(each));
    }

    private boolean isLost(DeclaredType subclass, Declared field) {
        boolean shown = getters.stream().anyMatch(method -> isNamed(method, field));
        return !shown
                && (field.is(Modifier.PUBLIC)
                        || subclass.methods().stream()
                                .filter(method -> hasNoParameters(method)
                                        && method.is(Modifier.PUBLIC)
                                        && !OF_OBJECT.contains(method.signature()) // which all types have
                                        && (isNamed(method, field) || returns(subclass, method, field)))
                                .anyMatch(method -> getters.stream()
                                        .noneMatch(getter -> getter.name().equals(method.name()))));
    }

    private static boolean hasNoParameters(Declared method) {
        return method.descriptor().startsWith("()");
    }

    /** Returns whether a method has the name of the getter of a field. */
    private static boolean isNamed(Declared method, Declared field) {
        return method.name().equals(field.name())
                || PropertyNames.of(method.name(), method.descriptor()).contains(field.name());
    }

    private static boolean returns(DeclaredType subclass, Declared method, Declared field) {
        return subclass.model() != null
                && subclass.model().methods().stream()
                        .filter(each -> each.methodName().equalsString(method.name())
                                && each.methodType().equalsString(method.descriptor()))
                        .anyMatch(each -> (subclass.name() + "." + field.name()).equals(AccessorBody.field(each)));
    }
}
