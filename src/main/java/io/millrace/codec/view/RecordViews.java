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

/**
 * Makes objects of an interface out of rows. A method {@code getAmount()}, {@code isAmount()} or {@code amount()} of
 * the interface gives the field {@code amount}: of its {@linkplain io.millrace.schema.FieldType#javaType() Java type}
 * or a supertype of it, null where it is absent; a required whole number also as {@code long}, or as {@code int} where
 * that holds all of them, a float as {@code double} and a truth value as {@code boolean}, without making an object.
 * Methods with a body stay as they are. A getter throws {@link io.millrace.codec.FieldValueException} where the bytes
 * are no value of the field. Thread-safe.
 */
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
     * Names of the fields that an interface has getters for.
     *
     * @param names of fields that there are
     * @throws IllegalArgumentException where it is no interface, or one of its methods is no getter of a field
     */
    public static List<String> fields(Class<?> view, Collection<String> names) {
        return Getter.of(view, names).stream().map(Getter::field).distinct().toList();
    }

    /**
     * Makes views of an interface.
     *
     * @param names of fields that there are
     * @param codecs give the codec of each field, for rows that begin with an array
     * @throws IllegalArgumentException where it is no interface, or one of its methods is no getter of a field, or
     *     can't give its values
     */
    public static <T> RecordViews<T> of(Class<T> view, Collection<String> names, Function<String, FieldCodec> codecs) {
        return new RecordViews<>(view, Getter.of(view, names), codecs);
    }

    /**
     * The view of a row.
     *
     * @param row kept, so that it may not be changed any more
     */
    public T of(byte[] row) {
        try {
            return view.cast((Object) constructor.invokeExact(row));
        } catch (Throwable e) {
            throw new IllegalStateException("a view could not be made", e);
        }
    }

    String toString(byte[] row) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue().text(row, 0))
                .collect(Collectors.joining(", ", view.getSimpleName() + "[", "]"));
    }
}
