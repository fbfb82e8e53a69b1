package io.millrace.view.bytecode;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.javatype.ViewRules;
import io.millrace.view.type.Accessor;
import io.millrace.view.type.ClassFiles;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodElement;
import java.lang.classfile.TypeAnnotation;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The constraints of Bean Validation on fields of a class. A view does not use these fields, so its getters get the
 * constraints. The view hides each of these fields by one that has a constraint too, {@link UnusedFields}, which
 * reports validators that would read the unused field. The annotations are found by their names, so that views do not
 * need Bean Validation.
 *
 * @param attributes annotations of the getters with constraints, by method
 * @param names fields of the class with constraints
 * @param ofView annotations of the fields of the view that hide them
 */
record FieldConstraints(Map<Method, List<MethodElement>> attributes, Set<String> names, List<Annotation> ofView) {

    private static final String PACKAGE = "jakarta.validation.";
    private static final FieldConstraints NONE = new FieldConstraints(Map.of(), Set.of(), List.of());

    /** Returns the annotations that a getter of the view has. */
    List<MethodElement> of(Method getter) {
        return attributes.getOrDefault(getter, List.of());
    }

    /**
     * Finds the constraints of a type.
     *
     * @throws IllegalArgumentException if a field with constraints has no getter of a field of the schema, or if the
     *     constraints have an order
     */
    static FieldConstraints of(Class<?> type, List<Accessor> accessors) {
        Map<Method, List<MethodElement>> attributes = new HashMap<>();
        Set<String> names = new LinkedHashSet<>();
        Set<ClassDesc> groups = new LinkedHashSet<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            byte[] bytes = ClassFiles.bytes(each);
            if (bytes != null) {
                add(ClassFile.of().parse(bytes), each, accessors, attributes, names, groups);
            }
        }
        if (attributes.isEmpty()) {
            return NONE;
        }
        requireNoOrder(type);
        groups.add(ClassDesc.of(PACKAGE + "groups.Default"));
        AnnotationValue all = AnnotationValue.ofArray(
                groups.stream().map(AnnotationValue::ofClass).toArray(AnnotationValue[]::new));
        return new FieldConstraints(
                attributes,
                names,
                List.of(Annotation.of(
                        ClassDesc.of(UnusedFields.class.getName()), AnnotationElement.of("groups", all))));
    }

    private static void add(
            ClassModel model,
            Class<?> declaring,
            List<Accessor> accessors,
            Map<Method, List<MethodElement>> attributes,
            Set<String> names,
            Set<ClassDesc> groups) {
        for (FieldModel field : model.fields()) {
            List<Annotation> annotations = field.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                    .flatMap(attribute -> attribute.annotations().stream())
                    .filter(annotation -> isConstraint(annotation, declaring))
                    .toList();
            List<TypeAnnotation> onTypes = field.findAttribute(Attributes.runtimeVisibleTypeAnnotations()).stream()
                    .flatMap(attribute -> attribute.annotations().stream())
                    .filter(annotation -> isConstraint(annotation.annotation(), declaring))
                    .toList();
            if (field.flags().has(AccessFlag.STATIC) || (annotations.isEmpty() && onTypes.isEmpty())) {
                continue;
            }
            String name = field.fieldName().stringValue();
            Accessor getter = accessors.stream()
                    .filter(accessor -> !accessor.setter() && accessor.member() != null)
                    .filter(accessor -> reads(accessor.method(), declaring, name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            ViewRules.unreadConstraint(name).message(declaring.getName(), "")));
            Stream.concat(annotations.stream(), onTypes.stream().map(TypeAnnotation::annotation))
                    .forEach(annotation -> addGroups(annotation, groups));
            names.add(name);
            attributes.put(getter.method(), attributes(getter.method(), annotations, onTypes));
        }
    }

    private static List<MethodElement> attributes(
            Method getter, List<Annotation> annotations, List<TypeAnnotation> onTypes) {
        List<MethodElement> attributes = new ArrayList<>();
        attributes.add(RuntimeVisibleAnnotationsAttribute.of(annotations));
        attributes.add(RuntimeVisibleTypeAnnotationsAttribute.of(onTypes.stream()
                .map(each -> TypeAnnotation.of(
                        TypeAnnotation.TargetInfo.ofMethodReturn(), each.targetPath(), each.annotation()))
                .toList()));
        Objects.requireNonNull(ClassFiles.method(getter))
                .findAttribute(Attributes.signature())
                .ifPresent(attributes::add);
        return attributes;
    }

    private static boolean reads(Method getter, Class<?> declaring, String field) {
        return getter.getDeclaringClass() == declaring
                && AccessorBody.reads(Objects.requireNonNull(ClassFiles.method(getter)), field);
    }

    private static boolean isConstraint(Annotation annotation, Class<?> declaring) {
        ClassDesc type = annotation.classSymbol();
        try {
            return isConstraint(Class.forName(
                    type.packageName() + (type.packageName().isEmpty() ? "" : ".") + type.displayName(),
                    false,
                    declaring.getClassLoader()));
        } catch (ClassNotFoundException _) {
            return false; // as reflection, which leaves out annotations without a class
        }
    }

    private static boolean isConstraint(Class<?> annotationType) {
        return annotationType.getName().equals(PACKAGE + "Valid")
                || annotationType.getName().startsWith(PACKAGE + "groups.")
                || hasConstraint(annotationType)
                || Arrays.stream(annotationType.getDeclaredMethods())
                        .anyMatch(method -> method.getName().equals("value")
                                && method.getReturnType().isArray()
                                && hasConstraint(method.getReturnType().getComponentType()));
    }

    private static boolean hasConstraint(Class<?> annotationType) {
        return Arrays.stream(annotationType.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(PACKAGE + "Constraint"));
    }

    private static void addGroups(Annotation annotation, Set<ClassDesc> groups) {
        for (AnnotationElement element : annotation.elements()) {
            if (element.value() instanceof AnnotationValue.OfArray array) {
                for (AnnotationValue value : array.values()) {
                    if (value instanceof AnnotationValue.OfAnnotation nested) {
                        addGroups(nested.annotation(), groups);
                    } else if (value instanceof AnnotationValue.OfClass group
                            && element.name().equalsString("groups")) {
                        groups.add(group.classSymbol());
                    }
                }
            }
        }
    }

    /** The order of a class begins after the constraints of its subclasses, such as views. */
    private static void requireNoOrder(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (var annotation : each.getDeclaredAnnotations()) {
                String name = annotation.annotationType().getSimpleName();
                if (name.equals("GroupSequence") || name.equals("GroupSequenceProvider")) {
                    throw new IllegalArgumentException(
                            ViewRules.orderedConstraints(name).message(type.getName(), ""));
                }
            }
        }
    }
}
