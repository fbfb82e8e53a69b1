package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.bytecode.Pool;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.IrText;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.runtime.RecordException;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state that the emitters share while they write the code for one record: the code, its constants, and the local
 * variables of the arrays and of the record's offsets in them.
 */
final class RecordCode {

    static final ClassDesc BYTES = ConstantDescs.CD_byte.arrayType();
    static final ClassDesc LONGS = CD_long.arrayType();

    private static final ClassDesc FAULT = ClassDescs.of(RecordException.class);

    /** Far more than fits the size limit of the JIT compiler: stops early if shared nodes unfold to too much code. */
    private static final int NODES_MAX = 4000;

    private static final int SHOWN_MAX = 60;

    final CodeBuilder code;
    final Pool pool;
    final SharedValues shared;
    final GroupRows groups;
    private final Schema schema;
    private final int bytes;
    private final int recordOffset;
    private final int added;
    private final int addedOffset;
    private final Map<Integer, Integer> scratch = new LinkedHashMap<>();
    private final boolean narrow;
    private boolean shortForms;
    private int nodes;

    /**
     * @param shared the values that the loop's expressions share
     * @param groups the rows of the repeating parts
     * @param bytes local of the array with the records
     * @param recordOffset local of the record's offset in {@code bytes}
     * @param added local of the array with the added fields
     * @param addedOffset local of the offset in {@code added} to which a field's own offset is added
     * @param narrow whether decimals are computed in 64 bits only, with an {@link ArithmeticException} on overflow
     */
    RecordCode(
            CodeBuilder code,
            Pool pool,
            Schema schema,
            SharedValues shared,
            GroupRows groups,
            int bytes,
            int recordOffset,
            int added,
            int addedOffset,
            boolean narrow) {
        this.code = code;
        this.pool = pool;
        this.shared = shared;
        this.groups = groups;
        this.schema = schema;
        this.bytes = bytes;
        this.recordOffset = recordOffset;
        this.added = added;
        this.addedOffset = addedOffset;
        this.narrow = narrow;
    }

    /** Returns whether decimals are computed in 64 bits only. */
    boolean isNarrow() {
        return narrow;
    }

    /** Records that the code has a decimal that is computed in 64 bits first. */
    void addShortForm() {
        shortForms = true;
    }

    boolean hasShortForms() {
        return shortForms;
    }

    /** Counts a node, and throws if there are too many. */
    void count() {
        if (++nodes > NODES_MAX) {
            throw new OversizedCodeException("the expression has more than " + NODES_MAX + " operations");
        }
    }

    /** Pushes the array that contains a field and the field's offset in it. */
    void pushPlace(Field field) {
        GroupRows.Row row = groups.of(field);
        if (row != null) {
            code.aload(row.array()).iload(row.offset()).loadConstant(field.offset());
            code.iadd();
            return;
        }
        boolean isAdded = schema.isAdded(field);
        code.aload(isAdded ? added : bytes);
        code.iload(isAdded ? addedOffset : recordOffset);
        code.loadConstant(field.offset());
        code.iadd();
    }

    /** Pushes the null flag of a field that has one: an int, 0 if the field has a value. */
    void pushNullFlag(Field field) {
        pushPlace(field.at(field.nullFlagAt()));
        code.baload();
    }

    /** Writes the null flag of a field, if it has one. */
    void putNullFlag(Field field, boolean absent) {
        if (field.nullFlag()) {
            pushPlace(field.at(field.nullFlagAt()));
            pushInt(absent ? 1 : 0);
            code.bastore();
        }
    }

    /** Returns the codec that reads a field as an object. */
    FieldCodec codec(Field field) {
        return RecordCodec.of(schema).codec(field.name());
    }

    /** Pushes the array and offset of a text field, its width and its padding byte. */
    void pushText(Field field) {
        pushPlace(field);
        pushInt(field.type().bytes());
        pushInt(TextEncoding.pad(field.type()));
    }

    /** Returns a local variable of an array for texts, which is allocated once for each run of the loop. */
    int scratch(int bytes) {
        int local = code.allocateLocal(TypeKind.REFERENCE);
        scratch.put(local, bytes);
        return local;
    }

    /** Allocates the arrays for texts, and loads those of repeating parts. */
    void makeArrays() {
        groups.load();
        scratch.forEach((local, bytes) -> {
            code.loadConstant(bytes);
            code.newarray(TypeKind.BYTE).astore(local);
        });
    }

    /** Calls a static method. */
    void call(Class<?> owner, String name, ClassDesc result, ClassDesc... parameters) {
        code.invokestatic(ClassDescs.of(owner), name, MethodTypeDesc.of(result, parameters));
    }

    /** Throws the exception that a factory method of {@link RecordException} creates from a text. */
    void fail(String factory, String text) {
        code.loadConstant(text);
        code.invokestatic(FAULT, factory, MethodTypeDesc.of(FAULT, CD_String));
        code.athrow();
    }

    /** Throws the exception for an absent value that the expression needs. */
    void failAbsent(Ir node) {
        String text = IrText.of(node);
        fail("absent", text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...");
    }

    /**
     * Throws the exception that a factory method of {@link RecordException} creates from the long on the stack and a
     * text.
     */
    void failWithValue(String factory, String text) {
        code.loadConstant(text);
        code.invokestatic(FAULT, factory, MethodTypeDesc.of(FAULT, CD_long, CD_String));
        code.athrow();
    }

    /** Pushes an int constant. */
    void pushInt(int value) {
        code.loadConstant(value);
    }

    /** Parameters of a method that takes an array and an offset. */
    static final ClassDesc[] PLACE = {BYTES, CD_int};
}
