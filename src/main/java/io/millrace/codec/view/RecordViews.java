package io.millrace.codec.view;

import io.millrace.codec.FieldCodec;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Creates objects of an interface from rows. The interface may declare {@code getAmount()}, {@code isAmount()} or
 * {@code amount()} for the field {@code amount}. The return type is the
 * {@linkplain io.millrace.schema.FieldType#javaType() Java type} of the field or a supertype of it; the result is null
 * if the field is absent. Required fields may also return primitives, which creates no object: {@code long} for
 * integers, {@code int} for integers whose type fits it, {@code double} for floats and {@code boolean} for booleans.
 * Methods with a body are left as they are. A getter throws {@link io.millrace.codec.FieldValueException} if the bytes
 * are invalid for the field. Thread-safe.
 */
@API(status = API.Status.STABLE)
public final class RecordViews<T> {

    private final Class<T> view;
    private final Map<String, FieldCodec> fields = new LinkedHashMap<>();
    private final MethodHandle constructor;

    private RecordViews(Class<T> view, List<Getter> getters, Function<String, FieldCodec> codecs) {
        this.view = view;
        for (Getter getter : getters) {
            FieldCodec codec = fields.computeIfAbsent(getter.field(), codecs);
            getter.require(codec);
        }
        constructor = new ViewClass(view, getters, fields)
                .define(this)
                .asType(MethodType.methodType(Object.class, byte[].class));
    }

    /**
     * Returns the names of the fields for which an interface has getters.
     *
     * @param names names of the available fields
     * @throws IllegalArgumentException if it is not an interface that any class may implement, or if a method is not a
     *     getter of a field
     */
    public static List<String> fields(Class<?> view, Collection<String> names) {
        return Getter.of(view, names).stream().map(Getter::field).distinct().toList();
    }

    /**
     * Returns the views of an interface.
     *
     * @param names names of the available fields
     * @param codecs returns the codec of each field, for rows that begin at index 0 of an array
     * @throws IllegalArgumentException if it is not an interface that any class may implement, or if a method is not a
     *     getter of a field or cannot return its values
     */
    public static <T> RecordViews<T> of(Class<T> view, Collection<String> names, Function<String, FieldCodec> codecs) {
        return new RecordViews<>(view, Getter.of(view, names), codecs);
    }

    /**
     * Creates the view of a row.
     *
     * @param row stored without a copy, so it must not be changed afterwards
     */
    public T of(byte[] row) {
        try {
            return view.cast((Object) constructor.invokeExact(row));
        } catch (Throwable e) {
            throw new IllegalStateException("Failed to create a view.", e);
        }
    }

    String toString(byte[] row) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue().text(row, 0))
                .collect(Collectors.joining(", ", view.getSimpleName() + "[", "]"));
    }
}
