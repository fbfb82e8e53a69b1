package io.millrace.expression.spring;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ConstantDynamic;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.CodeFlow;
import org.springframework.expression.spel.CompilablePropertyAccessor;
import org.springframework.util.Assert;

/**
 * Lets SpEL read one field of a record that is a {@code byte[]} of the schema's length, starting at offset 0. If one
 * accessor is registered for each field, {@code payload.currency1 == 'GBP'} works in any Spring Integration expression,
 * and Spring compiles it. Required whole numbers, floats and booleans are read as primitives, and names are the strings
 * of the dictionary, so reading them allocates nothing. Bytes that are not a valid value of their field cause a
 * {@link io.millrace.codec.FieldValueException}.
 *
 * <p>Spring requests the type of an accessor without naming the property, so each field has its own accessor. Immutable
 * and safe for use by many threads. The code that Spring generates refers to accessors by number. So one accessor for
 * each field and record length is cached as long as the class is loaded; later calls return the cached one.
 */
public final class RecordPropertyAccessor implements CompilablePropertyAccessor {

    /** The accessors by field and record length, and by number; this map's monitor guards both. */
    private static final Map<Key, RecordPropertyAccessor> BY_FIELD = new HashMap<>();

    private static final List<RecordPropertyAccessor> BY_NUMBER = new ArrayList<>();

    /** A field in records of a length in bytes. */
    private record Key(Field field, int length) {}

    private static final String ACCESSOR = Type.getInternalName(RecordPropertyAccessor.class);

    private static final Handle CONSTANT = new Handle(
            Opcodes.H_INVOKESTATIC,
            ACCESSOR,
            "constant",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)L" + ACCESSOR + ";",
            false);

    private final FieldCodec codec;
    private final int length;
    private final int number;
    private final Class<?> propertyType;

    private RecordPropertyAccessor(FieldCodec codec, int length, int number) {
        this.codec = codec;
        this.length = length;
        this.number = number;
        this.propertyType = propertyType(codec.field());
    }

    /** Returns the accessors for all stored fields of a schema whose names are properties. */
    public static List<PropertyAccessor> of(Schema schema) {
        return RecordCodec.of(schema).codecs().stream()
                .<PropertyAccessor>map(codec -> accessor(codec, schema.recordLength()))
                .toList();
    }

    private static RecordPropertyAccessor accessor(FieldCodec codec, int length) {
        synchronized (BY_FIELD) {
            return BY_FIELD.computeIfAbsent(new Key(codec.field(), length), _ -> {
                RecordPropertyAccessor created = new RecordPropertyAccessor(codec, length, BY_NUMBER.size());
                BY_NUMBER.add(created);
                return created;
            });
        }
    }

    private static Class<?> propertyType(Field field) {
        if (field.type() instanceof FieldType.FloatType) {
            return field.optional() ? Double.class : double.class;
        }
        if (field.optional()) {
            return field.type().javaType();
        }
        return switch (field.type()) {
            case FieldType.IntegerType(var storage) when !storage.unsignedLong() -> long.class;
            case FieldType.BooleanType _ -> boolean.class;
            default -> field.type().javaType();
        };
    }

    @Override
    public Class<?>[] getSpecificTargetClasses() {
        return new Class<?>[] {byte[].class};
    }

    @Override
    public boolean canRead(EvaluationContext context, @Nullable Object target, String name) {
        return name.equals(codec.field().name()) && isRecord(target);
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
        Assert.notNull(target, "a record is needed");
        return new TypedValue(read(target));
    }

    @Override
    public boolean canWrite(EvaluationContext context, @Nullable Object target, String name) {
        return false;
    }

    @Override
    public void write(EvaluationContext context, @Nullable Object target, String name, @Nullable Object newValue) {
        throw new UnsupportedOperationException("Records are read only. Use a set step to change them.");
    }

    @Override
    public boolean isCompilable() {
        return true;
    }

    @Override
    public Class<?> getPropertyType() {
        return propertyType;
    }

    @Override
    public void generateCode(String propertyName, MethodVisitor code, CodeFlow flow) {
        if (flow.lastDescriptor() == null) {
            flow.loadTarget(code);
        }
        code.visitLdcInsn(new ConstantDynamic("accessor", "L" + ACCESSOR + ";", CONSTANT, number));
        code.visitInsn(SWAP);
        if (propertyType == long.class) {
            code.visitMethodInsn(INVOKEVIRTUAL, ACCESSOR, "readLong", "(Ljava/lang/Object;)J", false);
        } else if (propertyType == double.class) {
            code.visitMethodInsn(INVOKEVIRTUAL, ACCESSOR, "readDouble", "(Ljava/lang/Object;)D", false);
        } else if (propertyType == boolean.class) {
            code.visitMethodInsn(INVOKEVIRTUAL, ACCESSOR, "readBoolean", "(Ljava/lang/Object;)Z", false);
        } else {
            code.visitMethodInsn(INVOKEVIRTUAL, ACCESSOR, "read", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
            code.visitTypeInsn(CHECKCAST, Type.getInternalName(propertyType));
        }
    }

    /** Resolves a constant of generated code: returns the accessor with a number. */
    public static RecordPropertyAccessor constant(MethodHandles.Lookup caller, String name, Class<?> type, int number) {
        synchronized (BY_FIELD) {
            return BY_NUMBER.get(number);
        }
    }

    /** Returns the value of a required whole number; for generated code. */
    public long readLong(Object target) {
        return ((LongCodec) codec).getExact(record(target), 0);
    }

    /** Returns the value of a required float; for generated code. */
    public double readDouble(Object target) {
        return ((DoubleCodec) codec).get(record(target), 0);
    }

    /** Returns the value of a required boolean; for generated code. */
    public boolean readBoolean(Object target) {
        return ((BooleanCodec) codec).get(record(target), 0);
    }

    /** Returns the value as an object, null if it is absent, floats as doubles; for generated code. */
    public @Nullable Object read(Object target) {
        Object value = codec.value(record(target), 0);
        return value instanceof Float real ? (Object) real.doubleValue() : value;
    }

    private boolean isRecord(@Nullable Object target) {
        return target instanceof byte[] bytes && bytes.length == length;
    }

    private byte[] record(Object target) {
        if (target instanceof byte[] bytes && bytes.length == length) {
            return bytes;
        }
        throw new IllegalArgumentException("Invalid length of the record: " + length + " bytes. Field '"
                + codec.field().name() + "' needs a longer one.");
    }
}
