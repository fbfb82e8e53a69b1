package io.millrace.model.classfile;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.TypeAnnotation;
import java.lang.classfile.TypeAnnotation.TargetType;
import java.lang.classfile.TypeAnnotation.TypePathComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a member, or of the elements of its list: those of its field, its getter and its record component.
 * Annotations are known by their simple names, so that none has to be on the class path. Immutable.
 */
record Annotations(List<Stated> stated) {

    private static final Set<String> REQUIRED = Set.of("NotNull", "NonNull", "Nonnull", "NotBlank", "NotEmpty");
    private static final Set<String> DEFAULT_GROUPS =
            Set.of("Ljakarta/validation/groups/Default;", "Ljavax/validation/groups/Default;");

    /**
     * An annotation.
     *
     * @param type internal name of its class
     * @param values values by the names of elements: constants, names of constants of enums, annotations, and lists of
     *     these
     */
    record Stated(String type, Map<String, Object> values) {

        /** Returns the simple name. */
        String name() {
            return type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('$')) + 1);
        }

        /** Returns the values of an element that is a list. */
        List<?> list(String element) {
            return values.get(element) instanceof List<?> list ? list : List.of();
        }

        /** Returns a text, or null if it is not stated. */
        @Nullable
        String text(String element) {
            return values.get(element) instanceof String text ? text : null;
        }

        /** Returns a whole number, or another one if it is not stated. */
        long number(String element, long otherwise) {
            return values.get(element) instanceof Number number ? number.longValue() : otherwise;
        }

        /** Returns a boolean, or another one if it is not stated. */
        boolean flag(String element, boolean otherwise) {
            return values.get(element) instanceof Boolean flag ? flag : otherwise;
        }

        /** Returns whether it belongs to the default group, which a validator checks unless others are requested. */
        boolean isDefault() {
            List<?> groups = list("groups");
            return groups.isEmpty() || groups.stream().anyMatch(DEFAULT_GROUPS::contains);
        }
    }

    /**
     * Returns the annotations of all elements.
     *
     * @param depth 0 for the type of the member, 1 for its type argument, as in {@code List<@Size(max = 10) String>}
     */
    static Annotations of(List<? extends AttributedElement> elements, int depth) {
        List<Stated> found = new ArrayList<>();
        for (AttributedElement element : elements) {
            if (depth == 0) {
                element.findAttribute(Attributes.runtimeVisibleAnnotations())
                        .ifPresent(all -> all.annotations().forEach(each -> add(each, found)));
                element.findAttribute(Attributes.runtimeInvisibleAnnotations())
                        .ifPresent(all -> all.annotations().forEach(each -> add(each, found)));
            }
            element.findAttribute(Attributes.runtimeVisibleTypeAnnotations())
                    .ifPresent(all -> all.annotations().stream()
                            .filter(each -> depth(each) == depth)
                            .forEach(each -> add(each.annotation(), found)));
        }
        return new Annotations(found.stream().distinct().toList());
    }

    /** Returns how many first type arguments lead to what is annotated, or -1 if it is something else. */
    private static int depth(TypeAnnotation annotation) {
        TargetType target = annotation.targetInfo().targetType();
        List<TypePathComponent> path = annotation.targetPath().stream()
                .filter(each -> each.typePathKind() != TypePathComponent.Kind.INNER_TYPE)
                .toList();
        boolean arguments = path.stream()
                .allMatch(each ->
                        each.typePathKind() == TypePathComponent.Kind.TYPE_ARGUMENT && each.typeArgumentIndex() == 0);
        return arguments && (target == TargetType.FIELD || target == TargetType.METHOD_RETURN) ? path.size() : -1;
    }

    private static void add(Annotation annotation, List<Stated> found) {
        String type = annotation.className().stringValue();
        Map<String, Object> values = new TreeMap<>();
        for (AnnotationElement element : annotation.elements()) {
            if (type.endsWith("$List;") && element.value() instanceof AnnotationValue.OfArray repeated) {
                repeated.values().forEach(each -> add(((AnnotationValue.OfAnnotation) each).annotation(), found));
                return;
            }
            values.put(element.name().stringValue(), value(element.value()));
        }
        found.add(new Stated(type.substring(1, type.length() - 1), values));
    }

    private static Object value(AnnotationValue value) {
        return switch (value) {
            case AnnotationValue.OfConstant constant -> constant.resolvedValue();
            case AnnotationValue.OfEnum constant -> constant.constantName().stringValue();
            case AnnotationValue.OfArray array ->
                array.values().stream().map(Annotations::value).toList();
            case AnnotationValue.OfClass type -> type.className().stringValue();
            case AnnotationValue.OfAnnotation inner -> {
                List<Stated> stated = new ArrayList<>();
                add(inner.annotation(), stated);
                yield stated.isEmpty() ? "" : stated.getFirst();
            }
        };
    }

    private Stream<Stated> of(String name) {
        return stated.stream().filter(each -> each.name().equals(name) && each.isDefault());
    }

    boolean has(String name) {
        return of(name).findAny().isPresent();
    }

    /** Returns a text of an annotation, or null if it is missing or empty. */
    @Nullable
    String text(String annotation, String element) {
        return of(annotation)
                .flatMap(each -> Stream.ofNullable(each.text(element)))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** Returns a number of an annotation, or null if it is not stated. */
    @Nullable
    Long number(String annotation, String element) {
        return of(annotation)
                .filter(each -> each.values().get(element) instanceof Number)
                .map(each -> each.number(element, 0))
                .findFirst()
                .orElse(null);
    }

    /** Returns the internal names of the classes that the values of an annotation name, or the annotations in these. */
    List<String> classes(String annotation) {
        List<String> found = new ArrayList<>();
        of(annotation).forEach(each -> addClasses(each, found));
        return found;
    }

    private static void addClasses(Stated stated, List<String> found) {
        Object value = stated.values().get("value");
        for (Object each : value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
            if (each instanceof Stated inner) {
                addClasses(inner, found);
            } else if (each instanceof String descriptor && descriptor.startsWith("L")) {
                found.add(descriptor.substring(1, descriptor.length() - 1));
            }
        }
    }

    /** Returns whether a value is never null. */
    boolean required() {
        return stated.stream().anyMatch(each -> REQUIRED.contains(each.name()) && each.isDefault());
    }

    /** Returns whether a member is not part of the record. */
    boolean ignored() {
        return of("JsonIgnore").anyMatch(each -> each.flag("value", true));
    }
}
