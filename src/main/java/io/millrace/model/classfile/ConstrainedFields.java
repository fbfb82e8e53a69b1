package io.millrace.model.classfile;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.javatype.AccessorMethod;
import io.millrace.codec.javatype.DeclaredType;
import io.millrace.codec.javatype.TypeProblem;
import io.millrace.codec.javatype.ViewRules;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Finds fields with constraints of Bean Validation that views could not evaluate. Stateless. */
final class ConstrainedFields {

    private ConstrainedFields() {}

    /**
     * Returns a problem for each constrained field of a class that no getter of a view has the value of.
     *
     * @param lineage the class and its superclasses, except Object
     */
    static List<TypeProblem> check(ClassPath classes, List<DeclaredType> lineage, List<AccessorMethod> accessors) {
        List<TypeProblem> problems = new ArrayList<>();
        boolean found = false;
        for (DeclaredType type : lineage) {
            for (FieldModel field : Objects.requireNonNull(type.model()).fields()) {
                Annotations annotations = Annotations.of(List.of(field), 0);
                if (!field.flags().has(AccessFlag.STATIC)
                        && annotations.stated().stream().anyMatch(each -> isChecked(classes, each))) {
                    found = true;
                    String name = field.fieldName().stringValue();
                    if (accessors.stream().noneMatch(accessor -> accessor.getter() && reads(accessor, type, name))) {
                        problems.add(ViewRules.unreadConstraint(name));
                    }
                }
            }
        }
        if (found) {
            lineage.forEach(type -> Annotations.of(List.of(Objects.requireNonNull(type.model())), 0).stated().stream()
                    .map(Annotations.Stated::name)
                    .filter(name -> name.equals("GroupSequence") || name.equals("GroupSequenceProvider"))
                    .forEach(name -> problems.add(ViewRules.orderedConstraints(name))));
        }
        return problems;
    }

    private static boolean reads(AccessorMethod accessor, DeclaredType type, String field) {
        MethodModel model = accessor.model();
        return model != null
                && model.parent().orElseThrow().thisClass().asInternalName().equals(type.name())
                && AccessorBody.reads(model, field);
    }

    /** Returns whether validators of Jakarta Validation use an annotation of a field. */
    private static boolean isChecked(ClassPath classes, Annotations.Stated annotation) {
        ClassModel model = classes.find(annotation.type());
        return annotation.type().startsWith("jakarta/validation/")
                || annotation.type().startsWith("org/hibernate/validator/constraints/")
                || (model != null
                        && Annotations.of(List.of(model), 0).stated().stream()
                                .anyMatch(each -> each.type().equals("jakarta/validation/Constraint")));
    }
}
