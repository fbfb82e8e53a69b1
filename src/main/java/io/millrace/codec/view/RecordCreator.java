package io.millrace.codec.view;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates records of a class of Java records from views. Thread-safe. */
final class RecordCreator {

    private final Class<?> type;
    private final List<Accessor> accessors;
    private final MethodHandle constructor;

    /**
     * @param fields names of the fields, for messages
     * @throws IllegalArgumentException if a component is not a field
     */
    RecordCreator(Class<?> type, List<Accessor> accessors, Set<String> fields) {
        RecordComponent[] components = type.getRecordComponents();
        this.type = type;
        this.accessors = Arrays.stream(components)
                .map(component -> accessor(component, accessors, fields))
                .toList();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            this.constructor = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findConstructor(type, MethodType.methodType(void.class, types));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    type.getName() + " is not open to Millrace. Put both on one class path, or open its package.", e);
        }
    }

    private static Accessor accessor(RecordComponent component, List<Accessor> accessors, Set<String> fields) {
        return accessors.stream()
                .filter(accessor ->
                        !accessor.setter() && accessor.method().getName().equals(component.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown field '" + component.getName()
                        + "' of the record class "
                        + component.getDeclaringRecord().getName() + ". Fields: "
                        + fields));
    }

    /** Returns the Java record of a view. Its lists are copies. */
    Object create(BinaryView view) {
        @Nullable Object[] values = new @Nullable Object[accessors.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = view.millraceForm().access(accessors.get(i)).get(view);
            values[i] = value instanceof List<?> list ? List.copyOf(list) : value;
        }
        try {
            return constructor.invokeWithArguments(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException("The constructor of " + type.getName() + " failed.", e);
        }
    }
}
