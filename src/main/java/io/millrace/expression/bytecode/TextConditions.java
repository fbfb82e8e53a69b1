package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.bytecode.Texts.Slice;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextEncoding;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.TextRelation;
import io.millrace.expression.runtime.TextBytes;
import io.millrace.expression.runtime.TextSlices;
import io.millrace.regex.TextPattern;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Stream;

/** Writes the code of conditions on texts. A field is compared with a constant in the record, including the padding. */
final class TextConditions {

    /** A constant of up to this number of bytes is compared in words of up to 8 bytes. */
    private static final int WORDS_MAX = 32;

    private static final ClassDesc BYTE_ARRAYS = RecordCode.BYTES.arrayType();

    private final RecordCode record;
    private final CodeBuilder code;
    private final FieldReads fields;
    private final Texts texts;

    TextConditions(RecordCode record, Texts texts) {
        this.record = record;
        this.code = record.code;
        this.fields = new FieldReads(record);
        this.texts = texts;
    }

    void same(TextNode.SameText node, Label target, boolean when) {
        if (node.left() instanceof Ir.Load(var field) && node.right() instanceof Ir.Text(String value)) {
            Label absent = code.newLabel();
            ifAbsent(field, when ? absent : target);
            is(field, TextEncoding.encode(field.type(), value), target, when);
            code.labelBinding(absent);
            return;
        }
        TextCharset charset = common(node.left(), node.right());
        Slice left = texts.orNull(node.left(), charset);
        Slice right = texts.orNull(node.right(), charset);
        texts.callWithBoth(left, right, "same", CD_boolean);
        jumpIfTrue(target, when);
    }

    private static TextCharset common(Ir first, Ir second) {
        return TextForm.of(first).charset().join(TextForm.of(second).charset());
    }

    /** Jumps if a field has a null flag that is set. */
    private void ifAbsent(Field field, Label target) {
        if (field.nullFlag()) {
            record.pushNullFlag(field);
            code.ifne(target);
        }
    }

    /** Jumps by whether a field starts with these bytes. */
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

    /** Pushes the order of two texts: an int below, at or above zero. */
    void compare(TextNode.TextOrder node) {
        TextCharset charset = common(node.left(), node.right());
        Slice left = texts.orNull(node.left(), charset);
        Slice right = texts.orNull(node.right(), charset);
        texts.callWithBoth(left, right, charset == TextCharset.UTF8 ? "compareUtf8" : "compare", CD_int);
    }

    void answer(TextNode.TextAnswer node, Label target, boolean when) {
        if (node.test() == TextRelation.STARTS_WITH
                && node.value() instanceof Ir.Load(var field)
                && node.other() instanceof Ir.Text(String value)
                && inPlace(field, value)) {
            requirePresent(field);
            is(field, TextForm.of(node.value()).charset().encode(value), target, when);
            return;
        }
        TextCharset charset = common(node.value(), node.other());
        Slice slice = texts.required(node.value(), charset);
        switch (node.test()) {
            case STARTS_WITH ->
                texts.callWithBoth(slice, texts.required(node.other(), charset), "startsWith", CD_boolean);
            case ENDS_WITH -> texts.callWithBoth(slice, texts.required(node.other(), charset), "endsWith", CD_boolean);
            case CONTAINS -> texts.callWithBoth(slice, texts.required(node.other(), charset), "contains", CD_boolean);
            case SAME_IN_ANY_CASE -> {
                Slice other = texts.orNull(node.other(), charset);
                texts.push(slice);
                texts.push(other);
                record.pool.push(code, charset);
                record.call(
                        TextSlices.class,
                        "sameInAnyCase",
                        CD_boolean,
                        RecordCode.BYTES,
                        CD_int,
                        CD_int,
                        RecordCode.BYTES,
                        CD_int,
                        CD_int,
                        Texts.CHARSET);
            }
        }
        jumpIfTrue(target, when);
    }

    /** Returns whether a field's bytes start with a constant only if its text does: padding must not match. */
    private static boolean inPlace(Field field, String value) {
        if (value.isEmpty() || !(field.type() instanceof FieldType.StringType type)) {
            return false;
        }
        byte[] constant = TextCharset.of(type.charset()).encode(value);
        return constant[constant.length - 1] != type.pad();
    }

    private void requirePresent(Field field) {
        if (field.optional()) {
            Label present = code.newLabel();
            absent(field, present, false);
            record.failAbsent(new Ir.Load(field));
            code.labelBinding(present);
        }
    }

    void in(TextNode.TextMembership node, Label target, boolean when) {
        Label no = code.newLabel();
        if (node.value() instanceof Ir.Load(var field)) {
            ifAbsent(field, when ? no : target);
            record.pushPlace(field);
            code.dup();
            record.pushInt(field.type().bytes());
            code.iadd();
            pushSorted(node.members().stream().map(member -> TextEncoding.encode(field.type(), member)));
        } else {
            TextCharset charset = TextForm.of(node.value()).charset();
            texts.push(texts.value(node.value(), charset, when ? no : target));
            pushSorted(node.members().stream().map(charset::encode));
        }
        record.call(TextBytes.class, "in", CD_boolean, RecordCode.BYTES, CD_int, CD_int, BYTE_ARRAYS);
        jumpIfTrue(target, when);
        code.labelBinding(no);
    }

    void matches(TextNode.TextMatch node, Label target, boolean when) {
        TextCharset charset = TextForm.of(node.value()).charset();
        Slice slice = texts.required(node.value(), charset);
        record.pool.push(code, TextPattern.of(node.regex(), charset.charset()));
        texts.push(slice);
        code.invokevirtual(
                ClassDescs.of(TextPattern.class),
                "matches",
                MethodTypeDesc.of(CD_boolean, RecordCode.BYTES, CD_int, CD_int));
        jumpIfTrue(target, when);
    }

    private void pushSorted(Stream<byte[]> constants) {
        record.pool.push(code, constants.sorted(Arrays::compareUnsigned).toArray(byte[][]::new));
    }

    /** Jumps by whether a text is empty or absent. */
    void empty(Ir value, Label target, boolean when) {
        if (value instanceof Ir.Load(var field)) {
            empty(field, target, when);
            return;
        }
        Label absent = code.newLabel();
        Slice slice = texts.value(value, TextForm.of(value).charset(), when ? target : absent);
        code.iload(slice.from()).iload(slice.to());
        if (when) {
            code.if_icmpeq(target);
        } else {
            code.if_icmpne(target);
        }
        code.labelBinding(absent);
    }

    private void empty(Field field, Label target, boolean when) {
        Label absent = code.newLabel();
        ifAbsent(field, when ? target : absent);
        record.pushText(field);
        record.call(TextBytes.class, "blank", CD_boolean, RecordCode.BYTES, CD_int, CD_int, CD_int);
        jumpIfTrue(target, when);
        code.labelBinding(absent);
    }

    /** Jumps by whether a text is absent. */
    void absent(Ir value, Label target, boolean when) {
        if (value instanceof Ir.Load(var field)) {
            absent(field, target, when);
            return;
        }
        Label absent = code.newLabel();
        texts.value(value, TextForm.of(value).charset(), when ? target : absent);
        if (!when) {
            code.goto_(target);
        }
        code.labelBinding(absent);
    }

    private void absent(Field field, Label target, boolean when) {
        if (field.nullFlag()) {
            record.pushNullFlag(field);
            jumpIfTrue(target, when);
        } else if (field.optional()) {
            empty(field, target, when);
        } else if (!when) {
            code.goto_(target);
        }
    }

    private void jumpIfTrue(Label target, boolean when) {
        if (when) {
            code.ifne(target);
        } else {
            code.ifeq(target);
        }
    }
}
