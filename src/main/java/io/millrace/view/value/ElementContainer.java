package io.millrace.view.value;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * What a getter returns the elements of a repeating part in: a list that reads the bytes, or a copy as a set or an
 * array.
 *
 * @param element type of the elements
 * @param set whether the container is a set
 * @param ofElements creates the object from the list
 */
public record ElementContainer(ResolvableType element, boolean set, Function<List<?>, Object> ofElements) {

    /**
     * Returns the container that a getter's type requires, or null if views can't return it.
     *
     * @param values whether the elements are single values. Only these have an order, so that equal sets have equal
     *     bytes
     */
    public static @Nullable ElementContainer of(ResolvableType type, boolean values) {
        if (type.isArray()) {
            return array(type.getComponentType());
        }
        Class<?> raw = type.resolve(Object.class);
        ResolvableType element = type.getGeneric();
        if (raw == Set.class && values) {
            return new ElementContainer(element, true, list -> Collections.unmodifiableSet(new LinkedHashSet<>(list)));
        }
        return type.hasGenerics() && raw.isAssignableFrom(List.class)
                ? new ElementContainer(element, false, list -> list)
                : null;
    }

    private static ElementContainer array(ResolvableType element) {
        Class<?> component = element.resolve(Object.class);
        return new ElementContainer(element, false, list -> {
            Object array = Array.newInstance(component, list.size());
            for (int i = 0; i < list.size(); i++) {
                Array.set(array, i, list.get(i));
            }
            return array;
        });
    }

    public Object of(List<?> elements) {
        return ofElements.apply(elements);
    }

    /**
     * Returns a copy of the elements of an iterable or an array. Those of a set are in the order of the field's values.
     *
     * @param conversion conversion of the elements
     */
    @SuppressWarnings("unchecked")
    public static List<Object> elements(Object container, Conversion conversion) {
        return switch (container) {
            case Set<?> set ->
                set.stream()
                        .map(Object.class::cast)
                        .sorted(Comparator.comparing(element ->
                                (Comparable<Object>) conversion.toField().apply(element)))
                        .toList();
            case Collection<?> list -> new ArrayList<>(list);
            case Iterable<?> iterable -> {
                List<Object> elements = new ArrayList<>();
                iterable.forEach(elements::add);
                yield elements;
            }
            default ->
                IntStream.range(0, Array.getLength(container))
                        .mapToObj(i -> Array.get(container, i))
                        .toList();
        };
    }
}
