package io.millrace.view.type;

import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The subclasses that a class states: as sealed, or in annotations. Stateless. */
public final class StatedSubclasses {

    /** Annotations whose value names subclasses, by their simple names, so that none has to be on the class path. */
    private static final Set<String> ANNOTATIONS = Set.of("JsonSubTypes", "XmlSeeAlso");

    private StatedSubclasses() {}

    public static List<Class<?>> of(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        if (type.isSealed()) {
            found.addAll(List.of(type.getPermittedSubclasses()));
        }
        for (Annotation annotation : type.getDeclaredAnnotations()) {
            if (ANNOTATIONS.contains(annotation.annotationType().getSimpleName())) {
                add(AnnotationValues.value(annotation, "value"), found);
            }
        }
        return found;
    }

    private static void add(Object value, List<Class<?>> found) {
        if (value instanceof Class<?> subclass) {
            found.add(subclass);
        } else if (value instanceof Annotation inner) {
            add(AnnotationValues.value(inner, "value"), found);
        } else if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                add(Array.get(value, i), found);
            }
        }
    }
}
