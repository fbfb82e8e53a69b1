package io.millrace.view.access;

import io.millrace.expression.VirtualValue;
import io.millrace.schema.Schema;
import io.millrace.schema.VirtualField;
import io.millrace.view.type.Accessor;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.Conversions;
import io.millrace.view.value.OptionalKind;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values of getters that are computed from the whole record: by functions of the application, or as virtual fields of
 * the schema. A function replaces the virtual field of its name. Immutable.
 *
 * @param functions receive the view
 */
public record ComputedValues(
        @Nullable Schema schema, Map<String, Function<Object, ? extends @Nullable Object>> functions) {

    /** No computed values. */
    public static final ComputedValues NONE = new ComputedValues(null, Map.of());

    public ComputedValues {
        functions = Map.copyOf(functions);
    }

    /** Returns the names of all values. */
    public Set<String> names() {
        Set<String> names = new HashSet<>(functions.keySet());
        if (schema != null) {
            schema.virtualFields().forEach(field -> names.add(field.name()));
        }
        return names;
    }

    /**
     * Returns what computes a value.
     *
     * @throws IllegalArgumentException if the getter can't hold the values of the virtual field
     */
    Access access(Accessor accessor, String name, Class<?> javaType, OptionalKind optional) {
        Function<Object, ? extends @Nullable Object> function = functions.get(name);
        if (function != null) {
            return new ComputedAccess(function);
        }
        VirtualField virtual =
                Objects.requireNonNull(Objects.requireNonNull(schema).virtualField(name));
        VirtualValue value = VirtualValue.of(schema, virtual);
        Conversion conversion = Conversions.of(javaType, value.field());
        if (conversion == null
                || (accessor.rawType().isPrimitive() && value.field().optional())) {
            throw Conversions.refusal(accessor.method(), name, value.field());
        }
        return new VirtualAccess(value, conversion, optional);
    }
}
