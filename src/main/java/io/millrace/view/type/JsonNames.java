package io.millrace.view.type;

import io.millrace.codec.bytecode.PropertyNames;
import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names of members that {@code @JsonProperty} of Jackson sets. The annotation is found by its name, so that views do
 * not need Jackson. Stateless.
 */
public final class JsonNames {

    private static final String ANNOTATION = "com.fasterxml.jackson.annotation.JsonProperty";

    private JsonNames() {}

    /**
     * Returns the name of a property, or null if no annotation sets it: that of the method, of the field, or of another
     * accessor.
     *
     * @param method getter or setter
     * @param property name of the property, such as {@code amount} for {@code getAmount}
     */
    static @Nullable String of(Method method, String property) {
        String own = of(method);
        if (own != null) {
            return own;
        }
        Class<?> type = method.getDeclaringClass();
        return Stream.<AccessibleObject>concat(
                        Arrays.stream(type.getDeclaredFields())
                                .filter(field -> field.getName().equals(property)),
                        Arrays.stream(type.getDeclaredMethods()).filter(other -> isAccessor(other, property)))
                .map(JsonNames::of)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static boolean isAccessor(Method method, String property) {
        return method.getName().equals(property)
                || PropertyNames.of(method.getName(), ClassFiles.descriptor(method))
                        .contains(property);
    }

    /** Returns the name of an enum constant, or null if no annotation sets it. */
    public static @Nullable String of(Enum<?> constant) {
        try {
            Field field = constant.getDeclaringClass().getField(constant.name());
            return of(field);
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable String of(AccessibleObject element) {
        Annotation annotation = AnnotationValues.find(element, ANNOTATION);
        String name = annotation == null ? "" : (String) AnnotationValues.value(annotation, "value");
        return name.isEmpty() ? null : name;
    }
}
