package io.millrace.codec.view;

import io.millrace.codec.bytecode.AccessorBody;
import java.lang.classfile.ClassFile;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of {@code equals}, {@code hashCode} and {@code toString} views of a type replace: those that the type does not
 * have, or that use fields, which a view does not have. And {@code clone}, which views replace whenever a type has it.
 *
 * @param fieldUse fields that methods of a class use, by name and descriptor of the method
 */
record ObjectMethods(Class<?> type, Map<String, String> fieldUse) {

    private static final Set<String> DESCRIPTORS =
            Set.of("equals(Ljava/lang/Object;)Z", "hashCode()I", "toString()Ljava/lang/String;");

    /**
     * Checks a class that views extend.
     *
     * @param accessors methods that views override
     * @param replaced names of those that may do more than return or set a field
     * @throws IllegalArgumentException if the class can't be extended, if a getter or setter does more than that, or if
     *     other methods use fields
     */
    static ObjectMethods of(Class<?> type, List<Accessor> accessors, Set<String> replaced) {
        if (type.isInterface()) {
            return new ObjectMethods(type, Map.of());
        }
        requireConstructor(type);
        Set<String> overridden = new HashSet<>();
        accessors.forEach(
                accessor -> overridden.add(accessor.method().getName() + ViewClass.descriptor(accessor.method())));
        accessors.forEach(accessor -> requirePlain(type, accessor, replaced));
        Map<String, String> fieldUse = FieldUse.of(type, overridden);
        fieldUse.forEach((method, field) -> {
            if (!DESCRIPTORS.contains(method) && !method.startsWith("clone()")) {
                throw new IllegalArgumentException("Unable to create views of " + type.getName() + ": its method "
                        + method + " uses the field '" + field
                        + "', which a view does not have. Use the getter or setter of a field of the schema.");
            }
        });
        return new ObjectMethods(type, fieldUse);
    }

    private static void requirePlain(Class<?> type, Accessor accessor, Set<String> replaced) {
        String name = accessor.method().getName();
        if (accessor.member() != null && !replaced.contains(name) && !isPlain(accessor.method())) {
            throw new IllegalArgumentException("Unable to create views of " + type.getName() + ": its method " + name
                    + " does more than return or set a field, and views would return or set the value in the bytes."
                    + " Accept this with replaceBodies(\"" + name + "\") of the builder.");
        }
    }

    private static void requireConstructor(Class<?> type) {
        try {
            if (Modifier.isPrivate(type.getDeclaredConstructor().getModifiers())) {
                throw new NoSuchMethodException("private");
            }
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "Unable to create views of " + type.getName()
                            + ": add a constructor without parameters that is not private.",
                    e);
        }
    }

    /** Returns whether a getter or setter only returns or sets a field; also if its bytecode can't be read. */
    private static boolean isPlain(Method method) {
        byte[] bytes = FieldUse.bytes(method.getDeclaringClass());
        return bytes == null
                || ClassFile.of().parse(bytes).methods().stream()
                        .filter(each -> each.methodName().equalsString(method.getName())
                                && each.methodType().equalsString(ViewClass.descriptor(method)))
                        .allMatch(AccessorBody::isPlain);
    }

    /**
     * Returns the results of the {@code clone} methods that a type declares. Views replace them: that of {@link Object}
     * would share the bytes with the original.
     */
    Set<Class<?>> clones() {
        Set<Class<?>> results = new LinkedHashSet<>();
        for (Method method : type.getMethods()) {
            addClone(method, results);
        }
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                addClone(method, results);
            }
        }
        return results;
    }

    private void addClone(Method method, Set<Class<?>> results) {
        if (method.getName().equals("clone")
                && method.getParameterCount() == 0
                && method.getDeclaringClass() != Object.class
                && !Modifier.isPrivate(method.getModifiers())) {
            if (Modifier.isFinal(method.getModifiers())) {
                throw new IllegalArgumentException("Unable to create views of " + type.getName()
                        + ": its method clone is final, and would share the bytes with the original.");
            }
            results.add(method.getReturnType());
        }
    }

    /** Returns whether views replace a method of {@link Object}. */
    boolean replaced(String name, Class<?>... parameters) {
        if (type.isInterface()) {
            return true;
        }
        try {
            Method found = type.getMethod(name, parameters);
            if (found.getDeclaringClass() == Object.class) {
                return true;
            }
            boolean uses = fieldUse.containsKey(name + ViewClass.descriptor(found));
            if (uses && Modifier.isFinal(found.getModifiers())) {
                throw new IllegalArgumentException("Unable to create views of " + type.getName() + ": its method "
                        + name + " is final and uses fields, which a view does not have.");
            }
            return uses;
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every object has it", e);
        }
    }
}
