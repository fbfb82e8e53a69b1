package io.millrace.view.type;

import java.lang.classfile.ClassFile;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates objects of a class that views extend, for the values that its constructor sets: those of a view are in the
 * bytes. Thread-safe.
 */
public final class InitialValues {

    /** Instructions of a constructor that only calls that of the superclass. */
    private static final Set<Opcode> PLAIN = Set.of(Opcode.ALOAD_0, Opcode.INVOKESPECIAL, Opcode.RETURN);

    private final Class<?> type;
    private final boolean plain;

    public InitialValues(Class<?> type) {
        this.type = type;
        this.plain = type.isInterface() || type.isRecord() || isPlain(type);
    }

    private static boolean isPlain(Class<?> type) {
        for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
            byte[] bytes = ClassFiles.bytes(each);
            if (bytes == null
                    || ClassFile.of().parse(bytes).methods().stream()
                            .filter(method -> method.methodName().equalsString("<init>")
                                    && method.methodType().equalsString("()V"))
                            .flatMap(method -> method.code().orElseThrow().elementStream())
                            .anyMatch(element -> element instanceof Instruction instruction
                                    && !PLAIN.contains(instruction.opcode()))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns a new object, or null if the constructor sets no fields.
     *
     * @throws IllegalArgumentException if the class is abstract
     */
    public @Nullable Object object() {
        if (plain) {
            return null;
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException("Unable to create objects of the abstract class " + type.getName()
                    + " with the values that its constructor sets. Set them in a class that is not abstract.");
        }
        try {
            MethodHandle constructor = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findConstructor(type, MethodType.methodType(void.class));
            return constructor.invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException("The constructor of " + type.getName() + " failed.", e);
        }
    }

    /** Returns whether a new row has a value without setting it. */
    public static boolean isBlank(Class<?> getter, @Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Collection<?> elements -> elements.isEmpty();
            // Not -0.0, which a new row does not have.
            case Number number -> getter.isPrimitive() && Double.doubleToRawLongBits(number.doubleValue()) == 0;
            case Boolean truth -> getter.isPrimitive() && !truth;
            default -> value.getClass().isArray() && Array.getLength(value) == 0;
        };
    }
}
