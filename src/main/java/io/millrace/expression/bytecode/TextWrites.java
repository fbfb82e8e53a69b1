package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.schema.Field;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.util.Arrays;

/** Writes the code that copies a text to a field. */
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
            case Ir.Text(String text) -> put(target, TextEncoding.encode(target.type(), text));
            case Ir.Absent _ -> absent(target);
            case Ir.Load(var source) -> copy(source, target);
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
            default -> throw new IllegalStateException("no text: " + value);
        }
    }

    private void put(Field target, byte[] constant) {
        record.pushPlace(target);
        record.pool.push(code, constant);
        record.call(TextBytes.class, "put", CD_void, RecordCode.BYTES, CD_int, RecordCode.BYTES);
    }

    private void absent(Field target) {
        if (!target.optional()) {
            record.fail("absentTarget", target.name());
            return;
        }
        byte[] padding = new byte[target.type().bytes()];
        Arrays.fill(padding, TextEncoding.pad(target.type()));
        put(target, padding);
    }

    private void copy(Field source, Field target) {
        if (source.optional() && !target.optional()) {
            Label present = code.newLabel();
            new TextConditions(record).empty(source, present, false);
            record.fail("absentTarget", target.name());
            code.labelBinding(present);
        }
        record.callWithTexts("copy", CD_void, source, target);
    }
}
