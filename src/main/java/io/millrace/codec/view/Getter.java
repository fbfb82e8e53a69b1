package io.millrace.codec.view;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.LongCodec;
import io.millrace.schema.FieldType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A method of a view interface that returns the value of a field.
 *
 * @param method method of the interface
 * @param field name of the field
 */
record Getter(Method method, String field) {

    /**
     * Returns the getters of an interface: all abstract methods, except those of {@link Object}.
     *
     * @param names names of the available fields
     * @throws IllegalArgumentException if it is not an interface that any class may implement, or if a method is not a
     *     getter of a field
     */
    static List<Getter> of(Class<?> view, Collection<String> names) {
        if (!view.isInterface() || view.isSealed()) {
            throw new IllegalArgumentException(
                    "Invalid view '" + view.getName() + "'. Use an interface that is not sealed.");
        }
        List<Getter> getters = new ArrayList<>();
        for (Method method : view.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers()) && !isOfObject(method)) {
                getters.add(new Getter(method, field(method, names)));
            }
        }
        return getters;
    }

    private static boolean isOfObject(Method method) {
        try {
            var _ = Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException _) {
            return false;
        }
    }

    private static String field(Method method, Collection<String> names) {
        String name = method.getName();
        List<String> candidates = List.of(name, withoutPrefix(name, "get"), withoutPrefix(name, "is"));
        return candidates.stream()
                .filter(candidate -> names.contains(candidate) && method.getParameterCount() == 0)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        method.toGenericString() + " is no getter of a field; there are: " + names));
    }

    private static String withoutPrefix(String name, String prefix) {
        return name.startsWith(prefix) && name.length() > prefix.length()
                ? Character.toLowerCase(name.charAt(prefix.length())) + name.substring(prefix.length() + 1)
                : name;
    }

    /** Returns whether the getter returns a primitive value, which is read without creating an object. */
    boolean primitive() {
        return method.getReturnType().isPrimitive();
    }

    /**
     * Requires that the return type of the getter can hold all values of its field.
     *
     * @throws IllegalArgumentException if it can't
     */
    void require(FieldCodec codec) {
        Class<?> type = method.getReturnType();
        boolean able = type.isPrimitive()
                ? !codec.field().optional() && holds(type, codec)
                : type.isAssignableFrom(codec.field().type().javaType());
        if (!able) {
            throw new IllegalArgumentException(method.toGenericString() + " can't return the values of field=" + field
                    + ": these are " + codec.field().type().javaType().getSimpleName()
                    + (codec.field().optional() ? ", or null where absent" : ""));
        }
    }

    private static boolean holds(Class<?> primitive, FieldCodec codec) {
        return switch (codec) {
            case LongCodec _ ->
                primitive == long.class
                        || (primitive == int.class && fitsInt(codec.field().type()));
            case DoubleCodec _ -> primitive == double.class;
            case BooleanCodec _ -> primitive == boolean.class;
            default -> false;
        };
    }

    private static boolean fitsInt(FieldType type) {
        return type instanceof FieldType.Numbered numbered
                && numbered.storage().bits() < (numbered.storage().signed() ? Integer.SIZE + 1 : Integer.SIZE);
    }
}
