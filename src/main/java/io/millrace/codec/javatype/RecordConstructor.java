package io.millrace.codec.javatype;

import io.millrace.codec.javatype.TypeProblem.Option;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The constructor of a class of Java records, which views call each time that a record is read. Components must be what
 * it was called with, or a value that a second call leaves as it is. Not thread-safe.
 */
public final class RecordConstructor {

    private static final String ELSE = "java/util/Objects.requireNonNullElse";

    /** Methods that return their argument, or a copy of it. */
    private static final Set<String> COPIES = Set.of(
            "java/util/Objects.requireNonNull",
            ELSE,
            "java/util/List.copyOf",
            "java/util/Set.copyOf",
            "java/util/Collections.unmodifiableList",
            "java/util/Collections.unmodifiableSet",
            "java/util/Collections.unmodifiableCollection",
            "java/util/ArrayList.<init>(Ljava/util/Collection;)V",
            "java/util/HashSet.<init>(Ljava/util/Collection;)V",
            "java/util/LinkedHashSet.<init>(Ljava/util/Collection;)V",
            "java/util/Date.<init>(J)V",
            "java/util/Date.getTime",
            "java/util/Date.clone");

    /** Methods that change a value, but not one that they have returned. */
    private static final Set<String> CHANGES = Set.of(
            "java/lang/String.toUpperCase",
            "java/lang/String.toLowerCase",
            "java/lang/String.strip",
            "java/lang/String.trim",
            "java/lang/String.intern",
            "java/math/BigDecimal.setScale",
            "java/math/BigDecimal.stripTrailingZeros");

    private static final Set<String> EMPTY = Set.of(
            "java/util/List.of",
            "java/util/Set.of",
            "java/util/Collections.emptyList",
            "java/util/Collections.emptySet",
            "java/util/Optional.empty");

    private final List<CodeElement> code;
    private int slot;
    private int constants;
    private boolean changes;
    private boolean creates;

    private RecordConstructor(MethodModel constructor) {
        this.code = constructor
                .code()
                .orElseThrow()
                .elementStream()
                .filter(each -> each instanceof Instruction || each instanceof LabelTarget)
                .toList();
    }

    /** Returns a problem for each component that the constructor may change whenever a record is read. */
    public static List<TypeProblem> check(ClassModel type) {
        List<RecordComponentInfo> components =
                type.findAttribute(Attributes.record()).orElseThrow().components();
        StringBuilder descriptor = new StringBuilder("(");
        components.forEach(component -> descriptor.append(component.descriptor()));
        RecordConstructor constructor = new RecordConstructor(type.methods().stream()
                .filter(method -> method.methodName().equalsString(ConstantDescs.INIT_NAME)
                        && method.methodType().equalsString(descriptor + ")V"))
                .findFirst()
                .orElseThrow());
        List<TypeProblem> problems = new ArrayList<>();
        int slot = 1;
        for (RecordComponentInfo component : components) {
            String name = component.name().stringValue();
            if (!constructor.isStable(name, slot)) {
                problems.add(new TypeProblem(
                        "its constructor changes '" + name + "', and may change it each time that a record is read",
                        "Change values before you call the constructor",
                        Option.IMPORT,
                        ConstantDescs.INIT_NAME));
            }
            slot += TypeKind.from(component.descriptorSymbol()).slotSize();
        }
        return problems;
    }

    private boolean isStable(String component, int parameter) {
        slot = parameter;
        constants = 0;
        changes = false;
        creates = false;
        for (int i = 0; i < code.size(); i++) {
            boolean sets = switch (code.get(i)) {
                case StoreInstruction store -> store.slot() == slot;
                case FieldInstruction field ->
                    field.opcode() == Opcode.PUTFIELD && field.name().equalsString(component);
                default -> false;
            };
            boolean increments = code.get(i) instanceof IncrementInstruction increment && increment.slot() == slot;
            if (increments || (creates && usesCopy(component, i)) || (sets && !isOfParameter(i - 1))) {
                return false;
            }
        }
        // A constant is stable, unless a later call changes it.
        return constants == 0 || (constants == 1 && !changes);
    }

    /** Returns whether an element gets a copy for more than to set the component: a call can add values to a list. */
    private boolean usesCopy(String component, int index) {
        return switch (code.get(index)) {
            case LoadInstruction load
            when load.slot() == slot ->
                !(code.get(index + 1) instanceof FieldInstruction field && field.opcode() == Opcode.PUTFIELD);
            case FieldInstruction field ->
                field.opcode() == Opcode.GETFIELD && field.name().equalsString(component);
            default -> false;
        };
    }

    /** Returns whether the value on the stack behind an element is the parameter, or a constant in its place. */
    private boolean isOfParameter(int end) {
        return switch (code.get(end)) {
            case LabelTarget target -> isOfParameter(target, end);
            case LoadInstruction load -> load.slot() == slot;
            case TypeCheckInstruction _ -> isOfParameter(end - 1);
            case InvokeInstruction call -> isOfParameter(call, end);
            case CodeElement element -> isConstant(element) && ++constants > 0;
        };
    }

    private boolean isOfParameter(LabelTarget target, int end) {
        for (int i = 0; i < end; i++) {
            if (code.get(i) instanceof BranchInstruction branch
                    && branch.target().equals(target.label())
                    && !(isGoto(branch) && isOfParameter(i - 1))) {
                return false;
            }
        }
        CodeElement before = code.get(end - 1);
        boolean falls = !(before instanceof BranchInstruction branch && isGoto(branch))
                && !(before instanceof ReturnInstruction)
                && !(before instanceof ThrowInstruction);
        return !falls || isOfParameter(end - 1);
    }

    private static boolean isGoto(BranchInstruction branch) {
        return branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
    }

    private static boolean isConstant(CodeElement element) {
        return element instanceof ConstantInstruction
                || (element instanceof FieldInstruction field && field.opcode() == Opcode.GETSTATIC);
    }

    private static boolean isEmpty(InvokeInstruction call) {
        return EMPTY.contains(call.owner().asInternalName() + "." + call.name().stringValue())
                && call.typeSymbol().parameterCount() == 0;
    }

    /** Returns whether an element pushes an argument that is the same each time: a constant, or a lambda. */
    private static boolean isFixed(CodeElement element) {
        return isConstant(element)
                || (element instanceof InvokeInstruction call && isEmpty(call))
                || (element instanceof InvokeDynamicInstruction lambda
                        && lambda.typeSymbol().parameterCount() == 0);
    }

    private boolean isOfParameter(InvokeInstruction call, int end) {
        String method = call.owner().asInternalName() + "." + call.name().stringValue();
        boolean clones =
                call.owner().asInternalName().startsWith("[") && call.name().equalsString("clone");
        int arguments = call.typeSymbol().parameterCount();
        boolean constructor = call.name().equalsString(ConstantDescs.INIT_NAME);
        if (constructor) {
            method += call.type().stringValue();
            creates = true;
        }
        if (constructor || call.opcode() == Opcode.INVOKESTATIC) {
            arguments--;
        }
        if (arguments < 0) {
            return isEmpty(call) && ++constants > 0;
        }
        changes |= CHANGES.contains(method);
        if (method.equals(ELSE)) {
            constants++;
        }
        int value = end - 1;
        for (; arguments > 0 && isFixed(code.get(value)); arguments--) {
            value--;
        }
        return arguments == 0
                && (clones || COPIES.contains(method) || CHANGES.contains(method))
                && isOfParameter(value);
    }
}
