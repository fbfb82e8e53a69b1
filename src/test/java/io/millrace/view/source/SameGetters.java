package io.millrace.view.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares objects of different classes that implement the same interface. Stateless. */
final class SameGetters {

    private SameGetters() {}

    /** Requires that all getters of an interface return the same, or no value, also those of parts. */
    static void require(Class<?> type, Object one, Object other) throws ReflectiveOperationException {
        assertThat(one.getClass()).isNotEqualTo(other.getClass());
        for (Method getter : type.getMethods()) {
            if (getter.getParameterCount() == 0) {
                compare(getter, getter.getReturnType(), outcome(getter, one), outcome(getter, other));
            }
        }
    }

    private static void compare(Method getter, Class<?> type, @Nullable Object one, @Nullable Object other)
            throws ReflectiveOperationException {
        if (one instanceof List<?> list) {
            List<?> others = (List<?>) Objects.requireNonNull(other);
            assertThat(list).as(getter.toString()).hasSameSizeAs(others);
            for (int i = 0; i < list.size(); i++) {
                Class<?>[] parts = list.get(i) == null
                        ? new Class<?>[0]
                        : list.get(i).getClass().getInterfaces();
                compare(getter, parts.length == 0 ? Object.class : parts[0], list.get(i), others.get(i));
            }
        } else if (one != null
                && other != null
                && type.isInterface()
                && !type.getName().startsWith("java.")) {
            require(type, one, other);
        } else {
            assertThat(one).as(getter.toString()).isEqualTo(other);
        }
    }

    private static @Nullable Object outcome(Method getter, Object record) throws ReflectiveOperationException {
        try {
            return getter.invoke(record);
        } catch (InvocationTargetException e) {
            // Zero is not a code of the enum: a plain object has no value instead.
            assertThat(e).cause().hasMessageContaining("No name of the dictionary has this code.");
            return null;
        }
    }
}
