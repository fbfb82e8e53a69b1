package io.millrace.view.type;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/** Reads annotations by their names, so that their classes do not have to be on the class path. Stateless. */
public final class AnnotationValues {

    private AnnotationValues() {}

    /** Returns the annotation of an element that has a class of this name, or null. */
    public static @Nullable Annotation find(AnnotatedElement element, String className) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals(className)) {
                return annotation;
            }
        }
        return null;
    }

    /** Returns the value of an element of an annotation, which must have one of this name. */
    public static Object value(Annotation annotation, String element) {
        try {
            return annotation.annotationType().getMethod(element).invoke(annotation);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Unable to read " + annotation + ".", e);
        }
    }
}
