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
 * Lets SpEL read one field of a record that is a {@code byte[]} of the schema's length, starting at offset 0: with one
 * accessor for each field registered, {@code payload.currency1 == 'GBP'} works in any Spring Integration expression,
 * and is compiled by Spring. Required whole numbers, floats and truth values are read as primitives; names are the
 * dictionary's own strings. Neither kind allocates. Bytes that are no value of their field are a
 * {@link io.millrace.codec.FieldValueException}.
 *
 * <p>Spring asks an accessor for its type without naming the property, so there is one accessor for each. Immutable and
 * safe for many threads. The code that Spring generates refers to accessors by number, so one for each field and record
 * length is kept as long as the class; making the same again keeps no more.
 */
public final class RecordPropertyAccessor implements CompilablePropertyAccessor {

    /** The accessors by what they read, and by number; both are guarded by the first. */
    private static final Map<Place, RecordPropertyAccessor> KEPT = new HashMap<>();

    private static final List<RecordPropertyAccessor> BY_NUMBER = new ArrayList<>();

    /** A field in records of a length. */
    private record Place(Field field, int length) {}

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

    /** The accessors for all stored fields of a schema whose names are properties. */
    public static List<PropertyAccessor> of(Schema schema) {
        return RecordCodec.of(schema).codecs().stream()
                .<PropertyAccessor>map(codec -> kept(codec, schema.recordLength()))
                .toList();
    }

    private static RecordPropertyAccessor kept(FieldCodec codec, int length) {
        synchronized (KEPT) {
            return KEPT.computeIfAbsent(new Place(codec.field(), length), _ -> {
                RecordPropertyAccessor added = new RecordPropertyAccessor(codec, length, BY_NUMBER.size());
                BY_NUMBER.add(added);
                return added;
            });
        }
    }

    private static Class<?> propertyType(Field field) {
        if (field.optional()) {
            return field.type().javaType();
        }
        return switch (field.type()) {
            case FieldType.IntegerType(var storage) when !storage.unsignedLong() -> long.class;
            case FieldType.FloatType _ -> double.class;
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
        throw new UnsupportedOperationException("records are set by a set step");
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

    /** Resolves a constant of generated code: the accessor of a number. */
    public static RecordPropertyAccessor constant(MethodHandles.Lookup caller, String name, Class<?> type, int number) {
        synchronized (KEPT) {
            return BY_NUMBER.get(number);
        }
    }

    /** The value of a required whole number; for generated code. */
    public long readLong(Object target) {
        return ((LongCodec) codec).getExact(record(target), 0);
    }

    /** The value of a required float; for generated code. */
    public double readDouble(Object target) {
        return ((DoubleCodec) codec).get(record(target), 0);
    }

    /** The value of a required truth value; for generated code. */
    public boolean readBoolean(Object target) {
        return ((BooleanCodec) codec).get(record(target), 0);
    }

    /** The value as an object, null where it is absent; for generated code. */
    public @Nullable Object read(Object target) {
        return codec.value(record(target), 0);
    }

    private boolean isRecord(@Nullable Object target) {
        return target instanceof byte[] bytes && bytes.length == length;
    }

    private byte[] record(Object target) {
        if (target instanceof byte[] bytes && bytes.length == length) {
            return bytes;
        }
        throw new IllegalArgumentException(
                "field=" + codec.field().name() + " is read from records of " + length + " bytes");
    }
}
