package io.millrace.view.type;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.bytecode.FieldUses;
import io.millrace.codec.bytecode.FieldUses.Use;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of {@code equals}, {@code hashCode} and {@code toString} views of a type replace: those that the type does not
 * have, or that use fields, which a view does not have. And {@code clone}, which views replace whenever a type has it.
 *
 * @param fieldUse names and descriptors of those of these methods that use fields
 */
public record ObjectMethods(Class<?> type, Set<String> fieldUse) {

    private static final String EQUALS = "equals(Ljava/lang/Object;)Z";
    private static final String HASH_CODE = "hashCode()I";
    private static final Set<String> DESCRIPTORS = Set.of(EQUALS, HASH_CODE, "toString()Ljava/lang/String;");

    /**
     * Checks a class that views extend.
     *
     * @param accessors methods that views override
     * @throws IllegalArgumentException if the class can't be extended, if a getter or setter does more than return or
     *     set the field of its member, or if other methods use fields
     */
    public static ObjectMethods of(
            Class<?> type, List<Accessor> accessors, Set<String> replaced, Set<String> fieldUse) {
        if (type.isInterface()) {
            return new ObjectMethods(type, Set.of());
        }
        requireConstructor(type);
        requireNoPublicFields(type, fieldUse);
        Set<String> overridden = new HashSet<>();
        accessors.forEach(
                accessor -> overridden.add(accessor.method().getName() + ClassFiles.descriptor(accessor.method())));
        requirePlain(type, accessors, replaced);
        Set<String> used = new HashSet<>();
        for (Use use : FieldUse.of(type, overridden)) {
            String method = use.method() + use.descriptor();
            boolean own = !use.method().equals(FieldUses.CONSTRUCTOR) && isOwn(type, use.owner());
            if (own && (DESCRIPTORS.contains(method) || method.startsWith("clone()"))) {
                used.add(method);
            } else if (!(own && overridden.contains(method)) && !fieldUse.contains(use.method())) {
                throw new IllegalArgumentException("Unable to create views of " + type.getName() + ": the " + use.show()
                        + (use.superCall()
                                ? " calls " + use.field() + ", whose field a view does not have. Use"
                                : " uses the field '" + use.field() + "' directly, which a view does not have. Use")
                        + " the getter or setter of a field of the schema,"
                        + " or accept this with allowFieldUse(\"" + use.method() + "\") of the builder.");
            }
        }
        if (used.contains(EQUALS) || used.contains(HASH_CODE)) {
            // Equal objects have equal hash codes only if both use the same values.
            used.addAll(List.of(EQUALS, HASH_CODE));
        }
        return new ObjectMethods(type, used);
    }

    private static void requireNoPublicFields(Class<?> type, Set<String> accepted) {
        for (Field field : type.getFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !accepted.contains(field.getName())) {
                throw new IllegalArgumentException("Unable to create views of " + type.getName() + ": its field '"
                        + field.getName() + "' is public, and a view does not have its value. Make it private, or"
                        + " accept this with allowFieldUse(\"" + field.getName() + "\") of the builder.");
            }
        }
    }

    private static boolean isOwn(Class<?> type, String internalName) {
        String name = internalName.replace('/', '.');
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Requires that getters and setters only return or set a field, and those of a member the same one. */
    public static void requirePlain(Class<?> type, List<Accessor> accessors, Set<String> replaced) {
        Map<String, String> fields = new HashMap<>();
        for (Accessor accessor : accessors) {
            String name = accessor.method().getName();
            MethodModel method = ClassFiles.method(accessor.method());
            if (accessor.member() == null || replaced.contains(name) || method == null) {
                continue;
            }
            if (!AccessorBody.isPlain(method)) {
                throw refusal(type, name, "does more than return or set a field");
            }
            String field = AccessorBody.field(method);
            String other =
                    field == null ? null : fields.putIfAbsent(accessor.member().name(), field);
            if (field != null && other != null && !other.equals(field)) {
                throw refusal(
                        type,
                        name,
                        "uses the field " + field.replace('/', '.') + ", and another accessor of its member "
                                + other.replace('/', '.'));
            }
        }
    }

    private static IllegalArgumentException refusal(Class<?> type, String method, String problem) {
        return new IllegalArgumentException("Unable to create views of " + type.getName() + ": its method " + method
                + " " + problem + ", and views would return or set the value in the bytes."
                + " Accept this with replaceBodies(\"" + method + "\") of the builder.");
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

    /**
     * Returns the results of the {@code clone} methods that a type declares. Views replace them: that of {@link Object}
     * would share the bytes with the original.
     */
    public Set<Class<?>> clones() {
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
    public boolean replaced(String name, Class<?>... parameters) {
        if (type.isInterface()) {
            return true;
        }
        try {
            Method found = type.getMethod(name, parameters);
            if (found.getDeclaringClass() == Object.class) {
                return true;
            }
            boolean uses = fieldUse.contains(name + ClassFiles.descriptor(found));
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
