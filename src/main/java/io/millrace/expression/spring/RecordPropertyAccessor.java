package io.millrace.expression.spring;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
 * dictionary's own strings.
 *
 * <p>Spring asks an accessor for its type without naming the property, so there is one accessor for each. Immutable and
 * safe for many threads. Make accessors once for a schema: the code that Spring generates refers to them by number, so
 * they are kept as long as the class.
 */
public final class RecordPropertyAccessor implements CompilablePropertyAccessor {

    private static final List<FieldReader> READERS = new CopyOnWriteArrayList<>();

    private static final String READER = Type.getInternalName(FieldReader.class);

    private static final Handle CONSTANT = new Handle(
            Opcodes.H_INVOKESTATIC,
            Type.getInternalName(RecordPropertyAccessor.class),
            "constant",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)L" + READER + ";",
            false);

    private final FieldReader reader;
    private final int number;
    private final Class<?> propertyType;

    private RecordPropertyAccessor(FieldReader reader) {
        this.reader = reader;
        this.propertyType = propertyType(reader.field());
        synchronized (READERS) {
            int known = READERS.indexOf(reader);
            if (known < 0) {
                known = READERS.size();
                READERS.add(reader);
            }
            this.number = known;
        }
    }

    /** The accessors for all stored fields of a schema whose names are properties. */
    public static List<PropertyAccessor> of(Schema schema) {
        return schema.fields().stream()
                .<PropertyAccessor>map(
                        field -> new RecordPropertyAccessor(new FieldReader(field, schema.recordLength())))
                .toList();
    }

    private static Class<?> propertyType(Field field) {
        if (field.optional()) {
            return field.type().javaType();
        }
        return switch (field.type()) {
            case FieldType.IntegerType _ -> long.class;
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
        return name.equals(reader.field().name()) && reader.reads(target);
    }

    @Override
    public TypedValue read(EvaluationContext context, @Nullable Object target, String name) {
        Assert.notNull(target, "a record is needed");
        return new TypedValue(reader.read(target));
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
        code.visitLdcInsn(new ConstantDynamic("reader", "L" + READER + ";", CONSTANT, number));
        code.visitInsn(SWAP);
        if (propertyType == long.class) {
            code.visitMethodInsn(INVOKEVIRTUAL, READER, "readLong", "(Ljava/lang/Object;)J", false);
        } else if (propertyType == double.class) {
            code.visitMethodInsn(INVOKEVIRTUAL, READER, "readDouble", "(Ljava/lang/Object;)D", false);
        } else if (propertyType == boolean.class) {
            code.visitMethodInsn(INVOKEVIRTUAL, READER, "readBoolean", "(Ljava/lang/Object;)Z", false);
        } else {
            code.visitMethodInsn(INVOKEVIRTUAL, READER, "read", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
            code.visitTypeInsn(CHECKCAST, Type.getInternalName(propertyType));
        }
    }

    /** Resolves a constant of generated code: the reader of a number. */
    public static FieldReader constant(MethodHandles.Lookup caller, String name, Class<?> type, int number) {
        return READERS.get(number);
    }
}
