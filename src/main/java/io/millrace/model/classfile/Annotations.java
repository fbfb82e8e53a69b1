package io.millrace.model.classfile;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a member by simple name: those of its field, its getter and its record component. Annotations are
 * known by name only, so that none has to be on the class path. Immutable.
 */
record Annotations(Map<String, Map<String, Object>> byName) {

    private static final Set<String> REQUIRED = Set.of("NotNull", "NonNull", "Nonnull", "NotBlank", "NotEmpty");
    private static final Set<String> NOT_EMPTY = Set.of("NotBlank", "NotEmpty");

    /** Returns the annotations of all elements; those of the first element that has one apply. */
    static Annotations of(List<? extends AttributedElement> elements) {
        Map<String, Map<String, Object>> found = new HashMap<>();
        for (AttributedElement element : elements) {
            element.findAttribute(Attributes.runtimeVisibleAnnotations())
                    .ifPresent(all -> all.annotations().forEach(each -> add(each, found)));
            element.findAttribute(Attributes.runtimeInvisibleAnnotations())
                    .ifPresent(all -> all.annotations().forEach(each -> add(each, found)));
            element.findAttribute(Attributes.runtimeVisibleTypeAnnotations())
                    .ifPresent(all -> all.annotations().stream()
                            .filter(each -> each.targetPath().isEmpty())
                            .forEach(each -> add(each.annotation(), found)));
        }
        return new Annotations(found);
    }

    private static void add(Annotation annotation, Map<String, Map<String, Object>> found) {
        String type = annotation.className().stringValue();
        String name = type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('$')) + 1, type.length() - 1);
        Map<String, Object> values = new HashMap<>();
        for (AnnotationElement element : annotation.elements()) {
            Object value = switch (element.value()) {
                case AnnotationValue.OfConstant constant -> constant.resolvedValue();
                case AnnotationValue.OfEnum constant -> constant.constantName().stringValue();
                default -> null;
            };
            if (value != null) {
                values.put(element.name().stringValue(), value);
            }
        }
        found.putIfAbsent(name, values);
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Returns the value of an annotation's element, or null if it is not stated. */
    @Nullable
    Object value(String annotation, String element) {
        Map<String, Object> values = byName.get(annotation);
        return values == null ? null : values.get(element);
    }

    /** Returns a text of an annotation, or null if it is missing or empty. */
    @Nullable
    String text(String annotation, String element) {
        Object value = value(annotation, element);
        return value instanceof String text && !text.isEmpty() ? text : null;
    }

    /** Returns a number of an annotation, or null if it is not stated. */
    @Nullable
    Long number(String annotation, String element) {
        return value(annotation, element) instanceof Number number ? number.longValue() : null;
    }

    /** Returns whether a value is never null. */
    boolean required() {
        return REQUIRED.stream().anyMatch(this::has);
    }

    /** Returns whether a text has at least one character. */
    boolean notEmpty() {
        return NOT_EMPTY.stream().anyMatch(this::has);
    }

    /** Returns whether a member is not part of the record. */
    boolean ignored() {
        return has("JsonIgnore") && !Integer.valueOf(0).equals(value("JsonIgnore", "value"));
    }
}
