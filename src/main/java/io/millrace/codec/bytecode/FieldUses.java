package io.millrace.codec.bytecode;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds methods that read or write the fields of a class directly. In a view, these fields are unused: the values are
 * in bytes, and only getters and setters reach them. Stateless.
 */
public final class FieldUses {

    private static final String SUPER = "super.";
    private static final String CLASS = "getClass()";

    /** Begins the names of methods of Commons Lang that use all fields of an object, such as reflectionEquals. */
    private static final String REFLECTION = "reflection";

    /** Begins the internal names of its classes, of any version. */
    private static final String COMMONS_LANG = "org/apache/commons/lang";

    private FieldUses() {}

    /**
     * The first field that a method uses.
     *
     * @param owner internal name of the class of the method
     * @param field the field, or the getter or setter of the superclass that uses it, or the method that returns the
     *     class of the object, or uses all fields by reflection
     */
    public record Use(String owner, String method, String descriptor, String field) {

        /** Returns what the method does, and why a view differs. */
        public String effect() {
            if (field.startsWith(SUPER)) {
                return " calls " + field + ", whose field a view does not have";
            }
            return field.equals(CLASS)
                    ? " calls getClass(), which returns another class for a view"
                    : field.startsWith(REFLECTION)
                            ? " calls " + field + ", which reads fields that a view does not have"
                            : " uses the field '" + field + "' directly, which a view does not have";
        }

        /** Returns what the method can do instead. */
        public String advice() {
            return field.equals(CLASS)
                    ? "Use the name of the class"
                    : "Use the getter or setter of a field of the schema";
        }

        /** Returns the method for messages, such as {@code com.example.Swap$ById.compare}. */
        public String show() {
            String name = owner.replace('/', '.');
            return method.equals(ConstantDescs.INIT_NAME) ? "constructor of " + name : "method " + name + "." + method;
        }
    }

    /**
     * Returns the uses in a class. A constructor of the type itself uses a field if it reads that of another object. A
     * method of another class that creates objects of the type may set their fields.
     *
     * @param model the type, one of its superclasses, or another class
     * @param types internal names of the type and its superclasses
     * @param accessors names and descriptors of the methods that views replace. A call with {@code super} does not
     *     reach those of the view
     */
    public static List<Use> of(ClassModel model, Set<String> types, Set<String> accessors) {
        String owner = model.thisClass().asInternalName();
        boolean own = types.contains(owner);
        boolean creates = !own && model.methods().stream().anyMatch(method -> creates(method, types));
        List<Use> uses = new ArrayList<>();
        for (MethodModel method : model.methods()) {
            String name = method.methodName().stringValue();
            boolean othersOnly = own && name.equals(ConstantDescs.INIT_NAME);
            String field = field(method, types, othersOnly, !creates && !othersOnly);
            if (field == null && own) {
                field = call(method, types, accessors);
            }
            if (field != null) {
                uses.add(new Use(owner, name, method.methodType().stringValue(), field));
            }
        }
        return uses;
    }

    private static boolean creates(MethodModel method, Set<String> types) {
        return instructions(method).stream()
                .anyMatch(each -> each instanceof NewObjectInstruction created
                        && types.contains(created.className().asInternalName()));
    }

    /**
     * @param othersOnly whether fields of {@code this} do not count
     * @param writes whether writes count
     */
    private static @Nullable String field(MethodModel method, Set<String> types, boolean othersOnly, boolean writes) {
        List<Instruction> instructions = instructions(method);
        for (int i = 0; i < instructions.size(); i++) {
            if (instructions.get(i) instanceof FieldInstruction field
                    && types.contains(field.owner().asInternalName())
                    && (field.opcode() == Opcode.GETFIELD || (writes && field.opcode() == Opcode.PUTFIELD))
                    && !(othersOnly && isThis(instructions, i - 1))) {
                return field.name().stringValue();
            }
        }
        return null;
    }

    /** Returns whether a call uses all fields of an object. */
    public static boolean isReflection(InvokeInstruction call) {
        return call.owner().asInternalName().startsWith(COMMONS_LANG)
                && call.name().stringValue().startsWith(REFLECTION);
    }

    /** Returns a call by which a method of the type depends on its fields or its class, or null. */
    private static @Nullable String call(MethodModel method, Set<String> types, Set<String> accessors) {
        List<Instruction> instructions = instructions(method);
        boolean usesClass = !method.methodName().equalsString(ConstantDescs.INIT_NAME)
                && !method.flags().has(AccessFlag.STATIC); // whose first local is not this
        for (int i = 0; i < instructions.size(); i++) {
            if (instructions.get(i) instanceof InvokeInstruction call) {
                String name = call.name().stringValue();
                if (call.opcode() == Opcode.INVOKESPECIAL
                        && types.contains(call.owner().asInternalName())
                        && accessors.contains(name + call.type().stringValue())) {
                    return SUPER + name + "()";
                }
                if (usesClass && name.equals("getClass") && isThis(instructions, i - 1)) {
                    return CLASS;
                }
                if (isReflection(call)) {
                    return name + "()";
                }
            }
        }
        return null;
    }

    /** Returns whether an instruction pushes {@code this}, of which it may be a copy. */
    private static boolean isThis(List<Instruction> instructions, int index) {
        return instructions.get(index).opcode() == Opcode.DUP
                ? isThis(instructions, index - 1)
                : instructions.get(index) instanceof LoadInstruction load && load.slot() == 0;
    }

    private static List<Instruction> instructions(MethodModel method) {
        List<Instruction> instructions = new ArrayList<>();
        method.code().ifPresent(code -> {
            for (CodeElement element : code) {
                if (element instanceof Instruction instruction) {
                    instructions.add(instruction);
                }
            }
        });
        return instructions;
    }
}
