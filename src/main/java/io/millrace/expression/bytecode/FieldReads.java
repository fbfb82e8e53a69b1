package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;

import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.runtime.LongSets;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.nio.ByteOrder;
import java.util.List;

/** Writes the code that reads a field: as a long, or as a double for a float field. */
final class FieldReads {

    private final RecordCode record;
    private final CodeBuilder code;

    FieldReads(RecordCode record) {
        this.record = record;
        this.code = record.code;
    }

    /** Pushes the field's value, or jumps with the stack as it was if the value is absent. */
    void value(Field field, Label absent) {
        if (field.nullFlag()) {
            record.pushNullFlag(field);
            code.ifne(absent);
        }
        if (field.type() instanceof FieldType.FloatType(int width, var order)) {
            real(field, width, order, absent);
            return;
        }
        FieldType.Numbered type = (FieldType.Numbered) field.type();
        number(field, type, absent);
        validate(field, type);
    }

    /**
     * Pushes the number of an integer or decimal without checks, an unsigned one of 64 bits as the long of the same
     * bits; jumps with the stack as it was if the value is absent.
     */
    void bits(Field field, Label absent) {
        if (field.nullFlag()) {
            record.pushNullFlag(field);
            code.ifne(absent);
        }
        number(field, (FieldType.Numbered) field.type(), absent);
    }

    private void number(Field field, FieldType.Numbered type, Label absent) {
        raw(field, type.storage());
        if (reservesValue(field)) {
            Label present = code.newLabel();
            code.dup2().loadConstant(field.nullRaw());
            code.lcmp().ifne(present).pop2().goto_(absent).labelBinding(present);
        }
    }

    /** Returns whether one of the type's values represents the absent value. */
    private static boolean reservesValue(Field field) {
        return field.optional() && !field.nullFlag();
    }

    /** Rejects the record if the number on the stack, which stays there, is not a valid value of the field. */
    void validate(Field field, FieldType.Numbered type) {
        IntStorage storage = type.storage();
        switch (type) {
            case FieldType.EnumType(var ignoredStorage, var dictionary) -> validateCode(field, storage, dictionary);
            case FieldType.BooleanType _ -> {
                if (storage.bits() > 1 || storage.signed()) {
                    Label valid = code.newLabel();
                    code.dup2().iconst_1();
                    code.lushr().lconst_0().lcmp().ifeq(valid);
                    record.failWithValue("invalid", field.name());
                    code.labelBinding(valid);
                }
            }
            default -> {
                if (storage.unsignedLong()) {
                    Label valid = code.newLabel();
                    code.dup2().lconst_0().lcmp().ifge(valid);
                    record.failWithValue("tooLarge", field.name());
                    code.labelBinding(valid);
                }
            }
        }
    }

    /** Rejects a code that the dictionary does not contain, unless the storage cannot hold one. */
    private void validateCode(Field field, IntStorage storage, Dictionary dictionary) {
        Label valid = code.newLabel();
        if (dictionary.dense() && !storage.signed()) {
            if (!storage.unsignedLong() && storage.max() <= dictionary.lastCode()) {
                return;
            }
            code.dup2();
            if (storage.unsignedLong()) {
                code.loadConstant((long) dictionary.lastCode());
                record.call(Long.class, "compareUnsigned", CD_int, CD_long, CD_long);
            } else {
                code.loadConstant((long) dictionary.lastCode());
                code.lcmp();
            }
            code.ifle(valid);
        } else {
            code.dup2();
            List<Long> codes = dictionary.valuesByCode().keySet().stream()
                    .map(Integer::longValue)
                    .toList();
            record.pool.push(code, LongSets.bits(codes));
            record.call(LongSets.class, "testBit", CD_boolean, CD_long, RecordCode.LONGS);
            code.ifne(valid);
        }
        record.failWithValue("invalid", field.name());
        code.labelBinding(valid);
    }

    /** Pushes the number in the field's bytes, without checks. */
    void raw(Field field, IntStorage storage) {
        record.pushPlace(field);
        boolean big = storage.order() == ByteOrder.BIG_ENDIAN;
        switch (storage.bytes()) {
            case 1 -> code.baload().i2l();
            case 2 -> {
                record.call(RawBytes.class, big ? "getShort" : "getShortLe", CD_short, RecordCode.PLACE);
                code.i2l();
            }
            case 4 -> {
                record.call(RawBytes.class, big ? "getInt" : "getIntLe", CD_int, RecordCode.PLACE);
                code.i2l();
            }
            case 8 -> record.call(RawBytes.class, big ? "getLong" : "getLongLe", CD_long, RecordCode.PLACE);
            default -> {
                // The storage is a constant of the class, so that the JIT compiler evaluates all branches on it.
                record.pool.push(code, storage);
                record.call(RawBytes.class, "get", CD_long, RecordCode.BYTES, CD_int, ClassDescs.of(IntStorage.class));
                return;
            }
        }
        cut(storage);
    }

    /** Extracts the number's bits from the sign-extended word on the stack. */
    private void cut(IntStorage storage) {
        boolean fillsLong = storage.bits() == 64;
        if (fillsLong || (storage.wholeWord() && storage.signed())) {
            return;
        }
        if (storage.signed()) {
            code.loadConstant(64 - storage.shift() - storage.bits());
            code.lshl().loadConstant(64 - storage.bits());
            code.lshr();
            return;
        }
        if (storage.shift() > 0) {
            code.loadConstant(storage.shift());
            code.lushr();
        }
        code.loadConstant((1L << storage.bits()) - 1);
        code.land();
    }

    private void real(Field field, int width, ByteOrder order, Label absent) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        record.pushPlace(field);
        Label present = code.newLabel();
        if (width == 4) {
            record.call(RawBytes.class, big ? "getInt" : "getIntLe", CD_int, RecordCode.PLACE);
            if (reservesValue(field)) {
                code.dup().loadConstant((int) field.nullRaw());
                code.if_icmpne(present).pop().goto_(absent).labelBinding(present);
            }
            record.call(Float.class, "intBitsToFloat", CD_float, CD_int);
            code.f2d();
        } else {
            record.call(RawBytes.class, big ? "getLong" : "getLongLe", CD_long, RecordCode.PLACE);
            if (reservesValue(field)) {
                code.dup2().loadConstant(field.nullRaw());
                code.lcmp().ifne(present).pop2().goto_(absent).labelBinding(present);
            }
            record.call(Double.class, "longBitsToDouble", CD_double, CD_long);
        }
    }
}
