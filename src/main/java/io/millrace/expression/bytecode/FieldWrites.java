package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.ir.FieldStore;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.DecimalMath;
import io.millrace.expression.runtime.Rounding;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;

/** Writes the code that computes a value and stores it in a field. */
final class FieldWrites {

    private static final ClassDesc STORAGE = ClassDescs.of(IntStorage.class);

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;
    private final TextWrites texts;

    FieldWrites(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
        this.texts = new TextWrites(record, values);
    }

    void store(FieldStore store) {
        Field target = store.target();
        if (!(target.type() instanceof FieldType.Numbered) && !(target.type() instanceof FieldType.FloatType)) {
            texts.store(target, store.value());
            return;
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        if (!store.value().type().isWide() || store.value().optional()) {
            values.value(store.value(), absent);
        }
        IntStorage storage = switch (target.type()) {
            case FieldType.Numbered numbered -> {
                number(numbered, store);
                yield numbered.storage();
            }
            case FieldType.FloatType(int width, var order) -> {
                real(target, width);
                yield IntStorage.of(width, true, order);
            }
            default -> throw new IllegalStateException("no number: " + target);
        };
        put(target, storage);
        record.putNullFlag(target, false);
        if (store.value().optional()) {
            code.goto_(done).labelBinding(absent);
            if (target.optional()) {
                code.loadConstant(target.nullRaw());
                put(target, storage);
                record.putNullFlag(target, true);
            } else {
                record.fail("absentTarget", target.name());
            }
        } else {
            code.labelBinding(absent);
        }
        code.labelBinding(done);
    }

    /** Converts the value on the stack to a raw number that the target's storage can hold. */
    private void number(FieldType.Numbered type, FieldStore store) {
        Field target = store.target();
        String name = target.name() + " (" + type.storage() + ")";
        if (store.value().type() == Basic.DOUBLE
                && type instanceof FieldType.DecimalType(var ignoredStorage, int scale)) {
            record.pushInt(scale);
            code.loadConstant(name);
            record.call(DecimalMath.class, "fromDouble", CD_long, CD_double, CD_int, CD_String);
        }
        if (!store.value().type().isWide()) {
            coarser(store.divisor(), name);
        } else if (store.value().optional()) {
            wideCoarser(store.divisor(), name);
        } else {
            values.shortForm()
                    .asLong(
                            store.value(),
                            () -> coarser(store.divisor(), name),
                            () -> wideCoarser(store.divisor(), name));
        }
        IntStorage storage = type.storage();
        if (!storage.signed() || storage.bits() < 64) {
            code.loadConstant(storage.min());
            code.loadConstant(storage.unsignedLong() ? Long.MAX_VALUE : storage.max());
            code.loadConstant(name);
            record.call(DecimalMath.class, "within", CD_long, CD_long, CD_long, CD_long, CD_String);
        }
        refuseNull(target, target.nullRaw());
    }

    private void coarser(long divisor, String target) {
        if (divisor != 1) {
            code.loadConstant(divisor);
            code.loadConstant(target);
            record.call(DecimalMath.class, "coarser", CD_long, CD_long, CD_long, CD_String);
        }
    }

    private void wideCoarser(long divisor, String target) {
        code.loadConstant(divisor);
        code.loadConstant(target);
        record.call(Rounding.class, "coarser", CD_long, CD_long, CD_long, CD_long, CD_String);
    }

    private void real(Field target, int width) {
        if (width == 4) {
            code.loadConstant(target.name());
            record.call(DecimalMath.class, "toFloatBits", CD_int, CD_double, CD_String);
            code.i2l();
            int nullBits = (int) target.nullRaw();
            refuseNull(target, nullBits);
        } else {
            record.call(Double.class, "doubleToRawLongBits", CD_long, CD_double);
            refuseNull(target, target.nullRaw());
        }
    }

    /** Refuses a value that equals the encoding of the absent value: it would be read as absent. */
    private void refuseNull(Field target, long nullRaw) {
        if (target.optional() && !target.nullFlag()) {
            code.loadConstant(nullRaw);
            code.loadConstant(target.name());
            record.call(DecimalMath.class, "notNull", CD_long, CD_long, CD_long, CD_String);
        }
    }

    /** Stores the raw number on the stack. */
    private void put(Field target, IntStorage storage) {
        int raw = code.allocateLocal(TypeKind.LONG);
        code.lstore(raw);
        record.pushPlace(target);
        if (storage.bytes() == 1 && storage.wholeWord()) {
            code.lload(raw).l2i().i2b().bastore();
            return;
        }
        record.pool.push(code, storage);
        code.lload(raw);
        record.call(RawBytes.class, "put", CD_void, RecordCode.BYTES, CD_int, STORAGE, CD_long);
    }
}
