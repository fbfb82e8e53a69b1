package io.millrace.view.bytecode;

import io.millrace.view.type.AnnotationValues;
import java.lang.annotation.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names by which Jackson knows subclasses of a type with {@code @JsonTypeInfo}. The class of a view is a subclass
 * that the type does not name, so it states the name of the class that it implements. Annotations are found by their
 * names, so that views do not need Jackson. Stateless.
 */
final class JsonTypeIds {

    private static final String PACKAGE = "com.fasterxml.jackson.annotation.";

    private JsonTypeIds() {}

    /** Returns the annotation for the class of views of a type, or null if the type needs none. */
    static java.lang.classfile.@Nullable Annotation annotation(Class<?> type) {
        String name = name(type);
        return name == null
                ? null
                : java.lang.classfile.Annotation.of(
                        ClassDesc.of(PACKAGE + "JsonTypeName"), AnnotationElement.ofString("value", name));
    }

    private static @Nullable String name(Class<?> type) {
        List<Class<?>> types = new ArrayList<>();
        addWithSupertypes(type, types);
        Annotation info = find(types, "JsonTypeInfo");
        if (info == null || find(types, "JsonTypeName") != null) {
            return null;
        }
        String use = String.valueOf(AnnotationValues.value(info, "use"));
        if (!use.equals("NAME") && !use.equals("SIMPLE_NAME")) {
            return null;
        }
        for (Class<?> each : types) {
            Annotation subtypes = find(List.of(each), "JsonSubTypes");
            Object all = subtypes == null ? new Object[0] : AnnotationValues.value(subtypes, "value");
            for (int i = 0; i < Array.getLength(all); i++) {
                Annotation subtype = (Annotation) Array.get(all, i);
                if (AnnotationValues.value(subtype, "value") == type
                        && !AnnotationValues.value(subtype, "name").equals("")) {
                    return (String) AnnotationValues.value(subtype, "name");
                }
            }
        }
        return use.equals("NAME")
                ? type.getName().substring(type.getName().lastIndexOf('.') + 1)
                : type.getSimpleName();
    }

    private static void addWithSupertypes(@Nullable Class<?> type, List<Class<?>> types) {
        if (type != null && !types.contains(type)) {
            types.add(type);
            addWithSupertypes(type.getSuperclass(), types);
            for (Class<?> each : type.getInterfaces()) {
                addWithSupertypes(each, types);
            }
        }
    }

    private static @Nullable Annotation find(List<Class<?>> types, String name) {
        return types.stream()
                .map(type -> AnnotationValues.find(type, PACKAGE + name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
