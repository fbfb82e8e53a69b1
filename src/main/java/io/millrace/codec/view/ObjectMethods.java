package io.millrace.codec.view;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of {@code equals}, {@code hashCode} and {@code toString} views of a type replace: those that the type does not
 * have, or that use fields, which a view does not have.
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
     * @throws IllegalArgumentException if the class can't be extended, or if other methods use fields
     */
    static ObjectMethods of(Class<?> type, List<Accessor> accessors) {
        if (type.isInterface()) {
            return new ObjectMethods(type, Map.of());
        }
        requireConstructor(type);
        Set<String> overridden = new HashSet<>();
        accessors.forEach(
                accessor -> overridden.add(accessor.method().getName() + ViewClass.descriptor(accessor.method())));
        Map<String, String> fieldUse = FieldUse.of(type, overridden);
        fieldUse.forEach((method, field) -> {
            if (!DESCRIPTORS.contains(method)) {
                throw new IllegalArgumentException("Unable to create views of " + type.getName() + ": its method "
                        + method + " uses the field '" + field
                        + "', which a view does not have. Use the getter or setter of a field of the schema.");
            }
        });
        return new ObjectMethods(type, fieldUse);
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
