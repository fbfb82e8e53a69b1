package io.millrace.codec.bytecode;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
            "kotlin/jvm/internal/Intrinsics.checkNotNullParameter",
            "java/util/Optional.ofNullable",
            "java/util/Optional.of",
            "java/util/Optional.orElse",
            "java/util/List.copyOf",
            "java/util/ArrayList.<init>",
            "java/util/Collections.unmodifiableList",
            "java/util/Collections.unmodifiableCollection",
            "java/util/Date.<init>(J)V",
            "java/util/Date.getTime",
            "java/util/Date.clone");

    /** Names of the neutral methods that have a message. */
    private static final Set<String> REQUIRE = Set.of("requireNonNull", "checkNotNullParameter");

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
        return method.flags().has(AccessFlag.ABSTRACT) || field(method) != null;
    }

    /**
     * Returns the field that a method returns or sets, with the name of its class in front, or null if the method does
     * more, or is abstract.
     *
     * @param method getter, or setter with one parameter
     */
    public static @Nullable String field(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return null;
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
                return null;
            }
        }
        boolean setter = method.methodTypeSymbol().parameterCount() == 1;
        if (setter ? !isPlainSetter(code, instructions) : !keepsField(instructions)) {
            return null;
        }
        return onlyField(method, instructions, setter ? Opcode.PUTFIELD : Opcode.GETFIELD);
    }

    /**
     * Returns whether a setter sets its field to the parameter whenever it is called, and returns nothing or
     * {@code this}.
     */
    private static boolean isPlainSetter(CodeModel code, List<Instruction> instructions) {
        boolean reads = instructions.stream().anyMatch(each -> each.opcode() == Opcode.GETFIELD);
        boolean loads =
                instructions.stream().anyMatch(each -> each instanceof LoadInstruction load && load.slot() == 1);
        return !reads && loads && returnsThis(code.elementList()) && sets(code.elementList());
    }

    /**
     * Returns whether a getter does not change its field, unless the field is null: then it may create and return a
     * list.
     */
    private static boolean keepsField(List<Instruction> instructions) {
        boolean tested = false;
        boolean returned = true;
        for (Instruction instruction : instructions) {
            tested |= instruction.opcode() == Opcode.IFNONNULL;
            if (instruction.opcode() == Opcode.PUTFIELD) {
                returned = false;
            } else if (instruction.opcode() == Opcode.GETFIELD) {
                returned = true;
            }
            if (!returned && !tested) {
                return false;
            }
        }
        return returned;
    }

    /** Returns whether all paths through the code set a field before they return. */
    private static boolean sets(List<CodeElement> code) {
        // From the end: code without a loop has branches forward only.
        boolean[] sets = new boolean[code.size() + 1];
        for (int i = code.size() - 1; i >= 0; i--) {
            sets[i] = switch (code.get(i)) {
                case FieldInstruction field when field.opcode() == Opcode.PUTFIELD -> true;
                case ReturnInstruction _ -> false;
                case BranchInstruction branch -> {
                    int target = index(code, branch.target());
                    boolean always = branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
                    yield target > i && sets[target] && (always || sets[i + 1]);
                }
                default -> sets[i + 1];
            };
        }
        return sets[0];
    }

    private static int index(List<CodeElement> code, Label label) {
        for (int i = 0; i < code.size(); i++) {
            if (code.get(i) instanceof LabelTarget target && target.label().equals(label)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether a setter returns nothing or {@code this}. */
    private static boolean returnsThis(List<CodeElement> code) {
        Instruction before = null;
        for (CodeElement element : code) {
            if (element instanceof ReturnInstruction end
                    && end.opcode() != Opcode.RETURN
                    && !(before instanceof LoadInstruction load && load.slot() == 0)) {
                return false;
            }
            if (element instanceof Instruction instruction) {
                before = instruction;
            }
        }
        return true;
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

    /** Returns the field of its own class that a method reads or writes, as stated, if it uses no other field. */
    private static @Nullable String onlyField(MethodModel method, List<Instruction> instructions, Opcode use) {
        List<FieldInstruction> fields = instructions.stream()
                .filter(FieldInstruction.class::isInstance)
                .map(FieldInstruction.class::cast)
                .toList();
        String self = method.parent().orElseThrow().thisClass().asInternalName();
        List<String> names = fields.stream()
                .map(field ->
                        field.owner().asInternalName() + "." + field.name().stringValue())
                .distinct()
                .toList();
        return fields.stream().anyMatch(field -> field.opcode() == use)
                        && names.size() == 1
                        && names.getFirst().startsWith(self + ".")
                ? names.getFirst()
                : null;
    }

    private static boolean isPlain(Instruction instruction, Instruction next) {
        return switch (instruction) {
            case InvokeInstruction call -> isNeutral(call);
            case FieldInstruction field -> field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD;
            case ConstantInstruction.LoadConstantInstruction _ ->
                next instanceof InvokeInstruction call
                        && REQUIRE.contains(call.name().stringValue()); // its message
            default -> PLAIN.contains(instruction.opcode().kind()) || PLAIN_BRANCHES.contains(instruction.opcode());
        };
    }

    private static boolean isNeutral(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        boolean box = BOXES.contains(owner) && (name.equals("valueOf") || name.endsWith("Value"));
        boolean arrayCopy = owner.startsWith("[") && name.equals("clone");
        String method = owner + "." + name;
        return box
                || arrayCopy
                || NEUTRAL.contains(method)
                || NEUTRAL.contains(method + call.type().stringValue());
    }
}
