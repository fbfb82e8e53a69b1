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
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds methods that read or write the fields of a class directly. In a view, these fields are unused: the values are
 * in bytes, and only getters and setters reach them. Stateless.
 */
public final class FieldUses {

    private static final String SUPER = "super.";
    private static final String CALL = "()";
    private static final String CLASS = "getClass()";

    /** Begins the names of methods of Commons Lang that use all fields of an object, such as reflectionEquals. */
    private static final String REFLECTION = "reflection";

    /** Begins the internal names of its classes, of any version. */
    private static final String COMMONS_LANG = "org/apache/commons/lang";

    /** What begins a text with the class of an object: simple names of classes, or names of methods. */
    private static final Set<String> TEXTS = Set.of("ToStringBuilder", "ToStringCreator", "toStringHelper");

    /** Static methods of the JDK that are about an object itself, not about its values. */
    private static final Set<String> IDENTITY = Set.of("identityHashCode", "toIdentityString");

    /** Methods of Object that are, unless a class replaces them. */
    private static final Set<String> OF_OBJECT = Set.of("super.equals()", "super.hashCode()", "super.toString()");

    /** Classes that use a field by its name. */
    private static final Set<String> BY_NAME = Set.of(
            "java/lang/reflect/Field",
            "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
            "java/util/concurrent/atomic/AtomicLongFieldUpdater",
            "java/util/concurrent/atomic/AtomicReferenceFieldUpdater");

    private static final String HANDLE = "java/lang/invoke/VarHandle";
    private static final String OF_ANY = "(Ljava/lang/Object;";

    private FieldUses() {}

    /**
     * The first field that a method uses.
     *
     * @param owner internal name of the class of the method
     * @param field the field, or a call: of the getter or setter of the superclass that uses it, of a method that is
     *     about the object itself or its class, or of one that uses fields by reflection
     */
    public record Use(String owner, String method, String descriptor, String field) {

        /** Returns what the method does, and why a view differs. */
        public String effect() {
            if (!field.endsWith(CALL)) {
                return " uses the field '" + field + "' directly, which a view does not have";
            }
            String difference = ", which reads fields that a view does not have";
            if (field.equals(CLASS)) {
                difference = ", which returns another class for a view";
            } else if (TEXTS.contains(called())) {
                difference = ", which shows another class for a view";
            } else if (IDENTITY.contains(called()) || OF_OBJECT.contains(field)) {
                difference = ", which is different for each view of a record";
            } else if (field.startsWith(SUPER)) {
                difference = ", whose field a view does not have";
            }
            return " calls " + field + difference;
        }

        /** Returns what the method can do instead. */
        public String advice() {
            return field.equals(CLASS) || TEXTS.contains(called())
                    ? "Use the name of the class"
                    : "Use the getter or setter of a field of the schema";
        }

        private String called() {
            return field.replace(CALL, "");
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
     * @param accessors names and descriptors of the methods that views replace, or that the class inherits from Object.
     *     A call with {@code super} does not reach those of the view
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

    /** Returns the names and descriptors of the methods without parameters that a method calls of {@code this}. */
    public static List<String> calls(ClassModel model, String name, String descriptor) {
        List<String> called = new ArrayList<>();
        for (MethodModel method : model.methods()) {
            if (method.methodName().equalsString(name) && method.methodType().equalsString(descriptor)) {
                List<Instruction> instructions = instructions(method);
                for (int i = 1; i < instructions.size(); i++) {
                    if (instructions.get(i) instanceof InvokeInstruction call && isThis(instructions, i - 1)) {
                        called.add(call.name().stringValue() + call.type().stringValue());
                    }
                }
            }
        }
        return called;
    }

    /** Returns whether a call uses all fields of an object. */
    public static boolean isReflection(InvokeInstruction call) {
        return call.owner().asInternalName().startsWith(COMMONS_LANG)
                && name(call).toLowerCase(Locale.ROOT).startsWith(REFLECTION);
    }

    /** Returns the name of the method, or the simple name of the class whose constructor is called. */
    private static String name(InvokeInstruction call) {
        String name = call.name().stringValue();
        String owner = call.owner().asInternalName();
        return name.equals(ConstantDescs.INIT_NAME) ? owner.substring(owner.lastIndexOf('/') + 1) : name;
    }

    /** Returns a call by which a method of the type depends on its fields or its class, or null. */
    private static @Nullable String call(MethodModel method, Set<String> types, Set<String> accessors) {
        List<Instruction> instructions = instructions(method);
        boolean constructor = method.methodName().equalsString(ConstantDescs.INIT_NAME);
        for (int i = 0; i < instructions.size(); i++) {
            if (instructions.get(i) instanceof InvokeInstruction call) {
                String name = call.name().stringValue();
                String owner = call.owner().asInternalName();
                if (call.opcode() == Opcode.INVOKESPECIAL
                        && (types.contains(owner) || owner.equals("java/lang/Object"))
                        && accessors.contains(name + call.type().stringValue())) {
                    return SUPER + name + CALL;
                }
                boolean ofClass = name.equals("getClass") && usesClass(method, instructions, i);
                if (usesField(call, types)) {
                    return owner.substring(owner.lastIndexOf('/') + 1) + "." + name + CALL;
                }
                if (isReflection(call) || (!constructor && (ofClass || isOfItself(call)))) {
                    return name(call) + CALL;
                }
            }
        }
        return null;
    }

    /**
     * Returns whether a method gets the class of an object that may be a view: its own, or another one if it is not a
     * method of the JDK. Old compilers call getClass to require an object, and ignore the class.
     */
    private static boolean usesClass(MethodModel method, List<Instruction> instructions, int call) {
        boolean platform =
                method.parent().orElseThrow().thisClass().asInternalName().startsWith("java/");
        return !method.flags().has(AccessFlag.STATIC)
                && instructions.get(call + 1).opcode() != Opcode.POP
                && (!platform || isThis(instructions, call - 1));
    }

    /** Returns whether a call gets an object to show its class, or what identifies it. */
    private static boolean isOfItself(InvokeInstruction call) {
        return (TEXTS.contains(name(call)) || IDENTITY.contains(name(call)))
                && call.type().stringValue().startsWith(OF_ANY);
    }

    /** Returns whether a call uses a field by its name. */
    private static boolean usesField(InvokeInstruction call, Set<String> types) {
        String owner = call.owner().asInternalName();
        String descriptor = call.type().stringValue();
        return (BY_NAME.contains(owner) && descriptor.startsWith(OF_ANY))
                || (owner.equals(HANDLE) && types.stream().anyMatch(type -> descriptor.startsWith("(L" + type + ";")));
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
