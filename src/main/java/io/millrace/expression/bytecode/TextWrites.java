package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.expression.bytecode.Texts.Slice;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.runtime.TextBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.Arrays;

/** Writes the code that stores a text in a field. */
final class TextWrites {

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;

    TextWrites(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
    }

    void store(Field target, Ir value) {
        record.count();
        switch (value) {
            case Ir.Text(String text) -> put(target, TextEncoding.encode(target.type(), text), false);
            case Ir.Absent _ -> absent(target);
            case Ir.Choice(var condition, var ifTrue, var ifFalse, var ignoredType) -> {
                Label otherwise = code.newLabel();
                Label done = code.newLabel();
                values.conditions().jump(condition, otherwise, false);
                int mark = record.shared.mark();
                store(target, ifTrue);
                record.shared.release(mark);
                code.goto_(done).labelBinding(otherwise);
                store(target, ifFalse);
                record.shared.release(mark);
                code.labelBinding(done);
            }
            default -> computed(target, value);
        }
    }

    private void put(Field target, byte[] constant, boolean absent) {
        record.pushPlace(target);
        record.pool.push(code, constant);
        record.call(TextBytes.class, "put", CD_void, RecordCode.BYTES, CD_int, RecordCode.BYTES);
        record.putNullFlag(target, absent);
    }

    private void absent(Field target) {
        if (!target.optional()) {
            record.fail("absentTarget", target.name());
            return;
        }
        byte[] padding = new byte[target.type().bytes()];
        Arrays.fill(padding, TextEncoding.pad(target.type()));
        put(target, padding, true);
    }

    private void computed(Field target, Ir value) {
        Label absent = code.newLabel();
        Label done = code.newLabel();
        TextCharset from = TextForm.of(value).charset();
        TextCharset to = target.type() instanceof FieldType.StringType type ? TextCharset.of(type.charset()) : from;
        Slice slice = values.texts().value(value, from.join(to), absent);
        if (to.compareTo(from) < 0) {
            narrow(slice, to, target);
        }
        values.texts().push(slice);
        record.pushText(target);
        code.loadConstant(target.name());
        record.call(
                TextBytes.class,
                target.optional() && !target.nullFlag() ? "putPresent" : "put",
                CD_void,
                RecordCode.BYTES,
                CD_int,
                CD_int,
                RecordCode.BYTES,
                CD_int,
                CD_int,
                CD_int,
                CD_String);
        record.putNullFlag(target, false);
        if (value.optional()) {
            code.goto_(done).labelBinding(absent);
            absent(target);
        } else {
            code.labelBinding(absent);
        }
        code.labelBinding(done);
    }

    /** Converts a slice to the smaller character set of its target; other characters reject the record. */
    private void narrow(Slice slice, TextCharset charset, Field target) {
        if (charset == TextCharset.LATIN1) {
            values.texts().toLatin1(slice, target);
            return;
        }
        values.texts().push(slice);
        code.loadConstant(target.name());
        record.call(TextBytes.class, "requireAscii", CD_void, RecordCode.BYTES, CD_int, CD_int, CD_String);
    }
}
