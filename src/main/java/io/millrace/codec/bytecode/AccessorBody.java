package io.millrace.codec.bytecode;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The bytecode of a getter or setter. Views replace it by one that reads or writes bytes, which is the same only if it
 * does nothing but return or set a field. Stateless.
 */
public final class AccessorBody {

    /** What a getter or setter may do in addition: load, test for null, copy, return. */
    private static final Set<Opcode.Kind> PLAIN = EnumSet.of(
            Opcode.Kind.LOAD,
            Opcode.Kind.STORE,
            Opcode.Kind.RETURN,
            Opcode.Kind.TYPE_CHECK,
            Opcode.Kind.NEW_OBJECT,
            Opcode.Kind.STACK);

    private static final Set<Opcode> PLAIN_BRANCHES =
            EnumSet.of(Opcode.IFNULL, Opcode.IFNONNULL, Opcode.GOTO, Opcode.GOTO_W, Opcode.ACONST_NULL);

    /** Methods that wrap, copy or require a value without changing it. */
    private static final Set<String> NEUTRAL = Set.of(
            "java/util/Objects.requireNonNull",
            "java/util/Optional.ofNullable",
            "java/util/Optional.of",
            "java/util/Optional.orElse",
            "java/util/List.copyOf",
            "java/util/ArrayList.<init>",
            "java/util/Collections.unmodifiableList",
            "java/util/Collections.unmodifiableCollection",
            "java/util/Date.<init>",
            "java/util/Date.getTime",
            "java/util/Date.clone");

    private static final Set<String> BOXES = Set.of(
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double");

    private AccessorBody() {}

    /**
     * Returns whether a method only returns or sets a field of its class, or is abstract.
     *
     * @param method getter, or setter with one parameter
     */
    public static boolean isPlain(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return true;
        }
        List<Instruction> instructions = new ArrayList<>();
        for (CodeElement element : code) {
            if (element instanceof Instruction instruction) {
                instructions.add(instruction);
            }
        }
        for (int i = 0; i < instructions.size(); i++) {
            // The last instruction of a method is a return or a jump.
            if (!isPlain(instructions.get(i), instructions.get(Math.min(i + 1, instructions.size() - 1)))) {
                return false;
            }
        }
        boolean setter = method.methodTypeSymbol().parameterCount() == 1;
        return usesOneField(method, instructions, setter ? Opcode.PUTFIELD : Opcode.GETFIELD);
    }

    /** Returns whether a method reads a field of its class. */
    public static boolean reads(MethodModel method, String field) {
        String self = method.parent().orElseThrow().thisClass().asInternalName();
        return method.code().stream()
                .flatMap(CodeModel::elementStream)
                .anyMatch(element -> element instanceof FieldInstruction use
                        && use.opcode() == Opcode.GETFIELD
                        && use.owner().asInternalName().equals(self)
                        && use.name().equalsString(field));
    }

    /** Returns whether a method reads or writes a field of its own class, as stated, and no other field. */
    private static boolean usesOneField(MethodModel method, List<Instruction> instructions, Opcode use) {
        List<FieldInstruction> fields = instructions.stream()
                .filter(FieldInstruction.class::isInstance)
                .map(FieldInstruction.class::cast)
                .toList();
        String self = method.parent().orElseThrow().thisClass().asInternalName();
        return fields.stream().anyMatch(field -> field.opcode() == use)
                && fields.stream()
                        .allMatch(field -> field.owner().asInternalName().equals(self))
                && fields.stream()
                                .map(field -> field.name().stringValue())
                                .distinct()
                                .count()
                        == 1;
    }

    private static boolean isPlain(Instruction instruction, Instruction next) {
        return switch (instruction) {
            case InvokeInstruction call -> isNeutral(call);
            case FieldInstruction field -> field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD;
            case ConstantInstruction.LoadConstantInstruction _ ->
                next instanceof InvokeInstruction call && call.name().equalsString("requireNonNull"); // its message
            default -> PLAIN.contains(instruction.opcode().kind()) || PLAIN_BRANCHES.contains(instruction.opcode());
        };
    }

    private static boolean isNeutral(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        boolean box = BOXES.contains(owner) && (name.equals("valueOf") || name.endsWith("Value"));
        boolean arrayCopy = owner.startsWith("[") && name.equals("clone");
        return box || arrayCopy || NEUTRAL.contains(owner + "." + name);
    }
}
