package io.millrace.codec.javatype;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.bytecode.FieldUses;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * By which values the objects of a class are equal, if views replace this: views are equal if all their members are.
 *
 * @param compared names of the fields that {@code equals} compares; empty if an object is equal only to itself
 */
public record Equality(Set<String> compared) {

    /** Stands for all fields. */
    private static final String ALL = "*";

    private static final String NAME = "equals";
    private static final String DESCRIPTOR = "(Ljava/lang/Object;)Z";

    /**
     * Returns the values, or null if views are equal if the objects are.
     *
     * @param classes the class and its superclasses, except Object
     * @param usingFields methods of Object that views replace
     */
    public static @Nullable Equality of(
            List<DeclaredType> classes, List<AccessorMethod> accessors, Set<String> usingFields) {
        Map<String, String> fields = new HashMap<>();
        for (AccessorMethod accessor : accessors) {
            String field = accessor.model() == null ? null : AccessorBody.field(accessor.model());
            if (field != null) {
                fields.put(accessor.signature(), field);
            }
        }
        Set<String> types = classes.stream().map(DeclaredType::name).collect(Collectors.toSet());
        Set<String> compared = new TreeSet<>();
        boolean found = false;
        for (DeclaredType each : classes) {
            CodeModel code = code(each);
            if (code != null) {
                found = true;
                add(code, types, fields, compared);
                if (!callsSuper(code)) {
                    break;
                }
            }
        }
        boolean all = found
                && (!usingFields.contains(NAME + DESCRIPTOR)
                        || compared.contains(ALL)
                        || compared.containsAll(fields.values()));
        return all
                ? null
                : new Equality(compared.stream()
                        .map(field -> field.substring(field.lastIndexOf('.') + 1))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static @Nullable CodeModel code(DeclaredType type) {
        return type.model() == null
                ? null
                : type.model().methods().stream()
                        .filter(method -> method.methodName().equalsString(NAME)
                                && method.methodType().equalsString(DESCRIPTOR))
                        .flatMap(method -> method.code().stream())
                        .findFirst()
                        .orElse(null);
    }

    private static void add(CodeModel code, Set<String> types, Map<String, String> fields, Set<String> compared) {
        code.forEach(element -> {
            if (element instanceof FieldInstruction field
                    && field.opcode() == Opcode.GETFIELD
                    && types.contains(field.owner().asInternalName())) {
                compared.add(field.owner().asInternalName() + "." + field.name().stringValue());
            } else if (element instanceof InvokeInstruction call
                    && types.contains(call.owner().asInternalName())) {
                String field =
                        fields.get(call.name().stringValue() + call.type().stringValue());
                if (field != null) {
                    compared.add(field);
                }
            } else if (element instanceof InvokeInstruction call && FieldUses.isReflection(call)) {
                compared.add(ALL);
            }
        });
    }

    private static boolean callsSuper(CodeModel code) {
        return code.elementStream()
                .anyMatch(element -> element instanceof InvokeInstruction call
                        && call.opcode() == Opcode.INVOKESPECIAL
                        && call.name().equalsString(NAME));
    }
}
