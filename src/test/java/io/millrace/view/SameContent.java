package io.millrace.view;

import io.millrace.view.access.BinaryView;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelEvaluationException;

/** Compares values of objects with those of views: values by equals, lists by element, and groups by their getters. */
public final class SameContent {

    private SameContent() {}

    /** Returns whether a view's value is that of an object. */
    public static boolean of(@Nullable Object ofObject, @Nullable Object ofView) {
        if (ofObject == null || ofView == null) {
            return ofObject == null && ofView == null;
        }
        if (ofView instanceof BinaryView view) {
            return getters(ViewForm.of(view).kind().type(), ofObject, ofView);
        }
        return switch (ofObject) {
            case List<?> list ->
                ofView instanceof List<?> other && list.size() == other.size() && elements(list, other);
            case Set<?> set when ofView instanceof Set<?> -> set.equals(ofView);
            case Map<?, ?> map when ofView instanceof Map<?, ?> other -> map.equals(other);
            case Object array when array.getClass().isArray() -> array(array, ofView);
            default -> ofObject.getClass() == ofView.getClass() && ofObject.equals(ofView);
        };
    }

    private static boolean elements(Iterable<?> list, Iterable<?> other) {
        Iterator<?> others = other.iterator();
        for (Object each : list) {
            if (!others.hasNext() || !of(each, others.next())) {
                return false;
            }
        }
        return !others.hasNext();
    }

    private static boolean array(Object array, Object other) {
        if (array.getClass() != other.getClass() || Array.getLength(array) != Array.getLength(other)) {
            return false;
        }
        for (int i = 0; i < Array.getLength(array); i++) {
            if (!of(Array.get(array, i), Array.get(other, i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean getters(Class<?> type, Object one, Object other) {
        return type.isInstance(one)
                && Arrays.stream(type.getMethods())
                        .filter(method -> method.getParameterCount() == 0
                                && method.getReturnType() != void.class
                                && method.getDeclaringClass() != Object.class
                                && method.getName().matches("(get|is)[A-Z].*"))
                        .allMatch(method -> of(read(method, one), read(method, other)));
    }

    private static @Nullable Object read(Method method, Object object) {
        try {
            return method.invoke(object);
        } catch (InvocationTargetException e) {
            return kind(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Returns the kind of an exception: its class, and the code of one of SpEL. */
    public static String kind(@Nullable Throwable failure) {
        return switch (failure) {
            case SpelEvaluationException spel -> spel.getMessageCode().name();
            // Lists of the JDK throw different ones.
            case IndexOutOfBoundsException _ -> IndexOutOfBoundsException.class.toString();
            case null -> "null";
            default -> failure.getClass().toString();
        };
    }
}
