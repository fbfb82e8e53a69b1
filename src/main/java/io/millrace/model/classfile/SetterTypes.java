package io.millrace.model.classfile;

import io.millrace.codec.bytecode.PropertyNames;
import io.millrace.codec.javatype.TypeProblem;
import io.millrace.model.ModelField;
import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds setters that take another type than their getter returns, such as one that parses a text. Stateless. */
final class SetterTypes {

    private static final Pattern INTEGER = Pattern.compile("i\\d+");

    private SetterTypes() {}

    /** Returns a problem for each setter of a member whose values the field can't hold. */
    static List<TypeProblem> check(JavaMember member) {
        String type = fieldType(member.type());
        return member.elements().stream()
                .filter(MethodModel.class::isInstance)
                .map(MethodModel.class::cast)
                .filter(method -> method.methodTypeSymbol().parameterCount() == 1
                        && !method.flags().has(AccessFlag.BRIDGE)
                        && PropertyNames.of(
                                        method.methodName().stringValue(),
                                        method.methodType().stringValue())
                                .contains(member.name()))
                .filter(method -> type != null && !fits(type, fieldType(parameter(method))))
                .map(method -> new TypeProblem(
                        "its method " + method.methodName() + "(" + JavaTypes.show(parameter(method))
                                + ") can't hold the values of '" + member.name() + "'",
                        "Rename it",
                        null,
                        ""))
                .toList();
    }

    private static Signature parameter(MethodModel method) {
        return method.findAttribute(Attributes.signature())
                .map(each -> each.asMethodSignature())
                .orElseGet(() -> MethodSignature.of(method.methodTypeSymbol()))
                .arguments()
                .getFirst();
    }

    private static boolean fits(String member, @Nullable String parameter) {
        boolean integers = parameter != null
                && INTEGER.matcher(member).matches()
                && INTEGER.matcher(parameter).matches();
        return parameter == null
                || member.equals(parameter)
                || (integers && Integer.parseInt(parameter.substring(1)) > Integer.parseInt(member.substring(1)));
    }

    /** Returns the type of the field of a single value or of an element, or null for other types. */
    private static @Nullable String fieldType(Signature type) {
        Signature present = Objects.requireNonNullElse(JavaTypes.present(type), type);
        boolean list = JavaTypes.isList(present);
        ModelField field = ValueTypes.field(
                "value", JavaTypes.show(list ? JavaTypes.element(present) : present), new Annotations(List.of()));
        return field == null ? null : (list ? "list of " : "") + field.get("type");
    }
}
