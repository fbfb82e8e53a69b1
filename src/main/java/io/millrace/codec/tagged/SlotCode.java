package io.millrace.codec.tagged;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;

import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.bytecode.NumberCode;
import io.millrace.codec.bytecode.Pool;
import io.millrace.schema.Field;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;

/**
 * Writes the code of {@link Slot#read} for one slot. Only the instructions for its field remain, and integers are read
 * and written without calls: the JIT compiler inlines a limited number of bytecodes into a method.
 */
final class SlotCode {

    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc RAW_BYTES = ClassDescs.of(RawBytes.class);
    private static final ClassDesc ELEMENTS = ClassDescs.of(Elements.class);
    private static final MethodTypeDesc PUT = MethodTypeDesc.of(CD_boolean, BYTES, CD_int, CD_int, BYTES, CD_int);

    private final CodeBuilder code;
    private final Pool pool;
    private final int record;
    private final int row;
    private final int rowAt;
    private final int malformed;
    private final Map<Slot, Presence> required;

    /**
     * A bit of a local variable.
     *
     * @param mask a local variable of type long
     */
    record Presence(int mask, long bit) {}

    /**
     * @param record local variable of the array with the record
     * @param row local variable of the array with the row
     * @param rowAt local variable of the row's offset
     * @param malformed local variable with the number of invalid values
     * @param required the bit to set for each required slot that was found
     */
    SlotCode(CodeBuilder code, Pool pool, int record, int row, int rowAt, int malformed, Map<Slot, Presence> required) {
        this.code = code;
        this.pool = pool;
        this.record = record;
        this.row = row;
        this.rowAt = rowAt;
        this.malformed = malformed;
        this.required = required;
    }

    /**
     * Writes the code that reads a value.
     *
     * @param value local variable with the offset of the element's value
     * @param end local variable with the offset past it
     */
    void read(Slot slot, int value, int end) {
        ElementPlace place = slot.place();
        Label invalid = code.newLabel();
        Label done = code.newLabel();
        int start = value;
        if (place.byKind().length > 0) {
            code.iload(value).iload(end).if_icmpeq(invalid);
            pool.push(code, place.byKind());
            code.aload(record).iload(value);
            code.invokestatic(ELEMENTS, "part", MethodTypeDesc.of(CD_int, CD_int.arrayType(), BYTES, CD_int));
            start = code.allocateLocal(TypeKind.INT);
            code.dup().istore(start).iflt(done);
            code.iload(start).iload(value).iadd().istore(start);
            checkEnd(start, place.width(), end, invalid);
        } else if (place.offset() != ElementPlace.WHOLE) {
            start = code.allocateLocal(TypeKind.INT);
            code.iload(value).loadConstant(place.offset()).iadd().istore(start);
            checkEnd(start, place.width(), end, invalid);
        } else if (place.width() > 0) {
            code.iload(end).iload(value).isub().loadConstant(place.width());
            code.if_icmpne(invalid);
        }
        if (slot instanceof NumberSlot number && number.plain()) {
            number(number, start, invalid);
        } else {
            put(slot, start, end, invalid);
        }
        markPresent(slot);
        code.goto_(done);
        code.labelBinding(invalid).iinc(malformed, 1);
        code.labelBinding(done);
    }

    private void markPresent(Slot slot) {
        Field field = slot.place().field();
        if (field.nullFlag()) {
            code.aload(row).iload(rowAt).loadConstant(field.nullFlagAt()).iadd();
            code.iconst_0().bastore();
        }
        Presence presence = required.get(slot);
        if (presence != null) {
            code.lload(presence.mask).loadConstant(presence.bit).lor();
            code.lstore(presence.mask);
        }
    }

    private void checkEnd(int start, int width, int end, Label invalid) {
        code.iload(start).loadConstant(width).iadd().iload(end).if_icmpgt(invalid);
    }

    private void put(Slot slot, int start, int end, Label invalid) {
        pool.push(code, slot, Slot.class);
        code.aload(record).iload(start);
        if (slot.place().width() > 0) {
            code.loadConstant(slot.place().width());
        } else {
            code.iload(end).iload(start).isub();
        }
        pushPlace(slot);
        code.invokeinterface(ClassDescs.of(Slot.class), "put", PUT).ifeq(invalid);
    }

    private void pushPlace(Slot slot) {
        code.aload(row).iload(rowAt).loadConstant(slot.place().rowAt()).iadd();
    }

    private void number(NumberSlot slot, int start, Label invalid) {
        IntStorage input = slot.input();
        int raw = code.allocateLocal(TypeKind.LONG);
        code.aload(record).iload(start);
        unsigned(code, input.bytes());
        if (input.shift() > 0) {
            code.loadConstant(input.shift()).lushr();
        }
        if (!input.wholeWord()) {
            code.loadConstant(input.max()).land();
        }
        code.lstore(raw);
        if (!slot.anyBytesValid()) {
            pool.push(code, slot);
            code.lload(raw);
            code.invokevirtual(ClassDescs.of(NumberSlot.class), "isValue", MethodTypeDesc.of(CD_boolean, CD_long));
            code.ifeq(invalid);
        }
        pushPlace(slot);
        NumberCode.put(code, pool, slot.target(), raw);
    }

    /** Replaces an array and an offset on the stack by the unsigned integer there, as a long. */
    static void unsigned(CodeBuilder code, int width) {
        switch (width) {
            case 1 -> code.baload().loadConstant(0xFF).iand().i2l();
            case 2 -> {
                code.invokestatic(RAW_BYTES, "getShort", MethodTypeDesc.of(CD_short, BYTES, CD_int));
                code.loadConstant(0xFFFF).iand().i2l();
            }
            case 3 -> {
                code.iconst_3();
                code.invokestatic(ELEMENTS, "unsigned", MethodTypeDesc.of(CD_long, BYTES, CD_int, CD_int));
            }
            default -> {
                code.invokestatic(RAW_BYTES, "getInt", MethodTypeDesc.of(CD_int, BYTES, CD_int));
                code.i2l().loadConstant(0xFFFF_FFFFL).land();
            }
        }
    }
}
