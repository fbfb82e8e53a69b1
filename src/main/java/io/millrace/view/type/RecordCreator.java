package io.millrace.view.type;

import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.ValueMember;
import java.lang.classfile.ClassFile;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Creates records of a class of Java records from views. Thread-safe. */
public final class RecordCreator {

    /** Instructions of a constructor that only sets the components, in addition to setting and calling. */
    private static final Set<Opcode.Kind> PLAIN = Set.of(Opcode.Kind.LOAD, Opcode.Kind.RETURN);

    private final Class<?> type;
    private final List<Accessor> accessors;
    private final MethodHandle constructor;
    private final boolean plain;

    /**
     * @param fields names of the fields, for messages
     * @throws IllegalArgumentException if a component is not a field
     */
    public RecordCreator(Class<?> type, List<Accessor> accessors, Set<String> fields) {
        RecordComponent[] components = type.getRecordComponents();
        this.type = type;
        this.accessors = Arrays.stream(components)
                .map(component -> accessor(component, accessors, fields))
                .toList();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            this.constructor = MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findConstructor(type, MethodType.methodType(void.class, types))
                    .asFixedArity();
            this.plain = isPlain(type, MethodType.methodType(void.class, types).toMethodDescriptorString());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    type.getName() + " is not open to Millrace. Put both on one class path, or open its package.", e);
        }
    }

    private static Accessor accessor(RecordComponent component, List<Accessor> accessors, Set<String> fields) {
        return accessors.stream()
                .filter(accessor ->
                        !accessor.setter() && accessor.method().getName().equals(component.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown field '" + component.getName()
                        + "' of the record class "
                        + component.getDeclaringRecord().getName() + ". Fields: "
                        + fields));
    }

    /** Returns whether a constructor only sets the components. */
    private static boolean isPlain(Class<?> type, String descriptor) {
        byte[] bytes = ClassFiles.bytes(type);
        return bytes != null
                && ClassFile.of().parse(bytes).methods().stream()
                        .filter(method -> method.methodName().equalsString("<init>")
                                && method.methodType().equalsString(descriptor))
                        .flatMap(method -> method.code().orElseThrow().elementStream())
                        .noneMatch(element -> element instanceof Instruction instruction
                                && !PLAIN.contains(instruction.opcode().kind())
                                && instruction.opcode() != Opcode.PUTFIELD
                                && instruction.opcode() != Opcode.INVOKESPECIAL);
    }

    /**
     * Requires that the constructor makes no other values of those of a record, such as a longer text each time.
     *
     * @param getters reads a component
     */
    public void requireStable(Object value, BiFunction<Method, Object, @Nullable Object> getters) {
        if (plain) {
            return;
        }
        @Nullable Object[] values = read(value, getters);
        @Nullable Object[] again = read(invoke(values), getters);
        for (int i = 0; i < values.length; i++) {
            if (isValue(accessors.get(i)) && !Objects.deepEquals(values[i], again[i])) {
                throw new IllegalArgumentException("Invalid record " + value + ": the constructor of " + type.getName()
                        + " changes '" + accessors.get(i).method().getName() + "' from " + values[i] + " to " + again[i]
                        + ", each time that the record is read. Change values before you call the constructor.");
            }
        }
    }

    private static boolean isValue(Accessor accessor) {
        return accessor.member() instanceof ValueMember
                || (accessor.member() instanceof ListMember list && list.bare());
    }

    private @Nullable Object[] read(Object value, BiFunction<Method, Object, @Nullable Object> getters) {
        return accessors.stream()
                .map(accessor -> getters.apply(accessor.method(), value))
                .toArray();
    }

    /** Returns a Java record of the values of components. Its lists are copies. */
    public Object create(Function<Accessor, @Nullable Object> components) {
        @Nullable Object[] values = new @Nullable Object[accessors.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = components.apply(accessors.get(i));
            values[i] = value instanceof List<?> list ? List.copyOf(list) : value;
        }
        return invoke(values);
    }

    private Object invoke(@Nullable Object[] values) {
        try {
            return constructor.invokeWithArguments(values);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException("The constructor of " + type.getName() + " failed.", e);
        }
    }
}
