package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.millrace.codec.RawBytes;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.schema.Field;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes the code of conditions on texts, which are asked where they lie. */
final class TextConditions {

    /** Up to so many bytes a text is compared with a constant in words of up to 8 bytes. */
    private static final int WORDS_MAX = 32;

    private static final ClassDesc BYTE_ARRAYS = RecordCode.BYTES.arrayType();

    private final RecordCode record;
    private final CodeBuilder code;
    private final FieldReads fields;

    TextConditions(RecordCode record) {
        this.record = record;
        this.code = record.code;
        this.fields = new FieldReads(record);
    }

    void same(Ir.SameText node, Label target, boolean when) {
        Field field = node.left().field();
        switch (node.right()) {
            case Ir.Text(String value) -> is(field, TextEncoding.encode(field.type(), value), target, when);
            case Ir.Load(var other) -> {
                record.callWithTexts("same", CD_boolean, field, other);
                jumpIfTrue(target, when);
            }
            default -> throw new IllegalStateException("no text: " + node.right());
        }
    }

    private void is(Field field, byte[] constant, Label target, boolean when) {
        if (constant.length > WORDS_MAX) {
            record.pushPlace(field);
            record.pool.push(code, constant);
            record.call(TextBytes.class, "is", CD_boolean, RecordCode.BYTES, CD_int, RecordCode.BYTES);
            jumpIfTrue(target, when);
            return;
        }
        Label differs = code.newLabel();
        int at = 0;
        while (at < constant.length) {
            int width = Integer.highestOneBit(Math.min(8, constant.length - at));
            IntStorage word = IntStorage.of(width, true, ByteOrder.BIG_ENDIAN);
            fields.raw(Field.of(field.name(), field.type(), field.offset() + at), word);
            code.loadConstant(RawBytes.get(constant, at, word));
            code.lcmp();
            at += width;
            if (!when) {
                code.ifne(target);
            } else if (at < constant.length) {
                code.ifne(differs);
            } else {
                code.ifeq(target);
            }
        }
        code.labelBinding(differs);
    }

    void in(Ir.TextMembership node, Label target, boolean when) {
        Field field = node.value().field();
        byte[][] constants = node.members().stream()
                .map(member -> TextEncoding.encode(field.type(), member))
                .sorted(Arrays::compareUnsigned)
                .toArray(byte[][]::new);
        record.pushPlace(field);
        record.pool.push(code, constants);
        record.call(TextBytes.class, "in", CD_boolean, RecordCode.BYTES, CD_int, BYTE_ARRAYS);
        jumpIfTrue(target, when);
    }

    void empty(Field field, Label target, boolean when) {
        record.pushText(field);
        record.call(TextBytes.class, "blank", CD_boolean, RecordCode.BYTES, CD_int, CD_int, CD_int);
        jumpIfTrue(target, when);
    }

    /** Pushes array, offset, width and padding of a text field. */
    private void jumpIfTrue(Label target, boolean when) {
        if (when) {
            code.ifne(target);
        } else {
            code.ifeq(target);
        }
    }
}
