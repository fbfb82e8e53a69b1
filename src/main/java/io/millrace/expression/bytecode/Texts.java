package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.IrText;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.TextMapping;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.TextBytes;
import io.millrace.expression.runtime.TextCase;
import io.millrace.expression.runtime.TextSlices;
import io.millrace.expression.runtime.Utf8;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.util.SortedMap;

/**
 * Writes the code of texts: each becomes a slice, three local variables that locate its bytes. The bytes are in the
 * record, in a constant, or in an array that is reused for all records of a batch. Only changes of case beyond ASCII,
 * or in very long texts, allocate an array for a record.
 */
final class Texts {

    static final ClassDesc CHARSET = ClassDescs.of(TextCharset.class);

    private static final ClassDesc MAPPING = ClassDescs.of(TextMapping.class);

    /** Longer texts allocate an array if their case changes. */
    private static final int SCRATCH_MAX = 1 << 16;

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;

    /**
     * A slice: the local variables of an array, of the index of the first byte and of the index after the last byte.
     */
    record Slice(int bytes, int from, int to) {}

    Texts(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
    }

    /**
     * Computes a text, or jumps with the stack as it was if it is absent.
     *
     * @param charset of the slice: that of the text's form or a larger one
     */
    Slice value(Ir node, TextCharset charset, Label absent) {
        Slice slice = new Slice(
                code.allocateLocal(TypeKind.REFERENCE),
                code.allocateLocal(TypeKind.INT),
                code.allocateLocal(TypeKind.INT));
        int mark = record.shared.mark();
        write(node, charset, slice, absent);
        if (node.optional()) {
            // The code that follows can also be reached if the text is absent: shared values may not be set then.
            record.shared.release(mark);
        }
        return slice;
    }

    /** Computes a text that rejects the record if it is absent. */
    Slice required(Ir node, TextCharset charset) {
        if (!node.optional()) {
            // No code jumps to this label.
            return value(node, charset, code.startLabel());
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        Slice slice = value(node, charset, absent);
        code.goto_(done).labelBinding(absent);
        record.failAbsent(node);
        code.labelBinding(done);
        return slice;
    }

    /** Computes a text; the array is null if the text is absent. */
    Slice orNull(Ir node, TextCharset charset) {
        if (!node.optional()) {
            return required(node, charset);
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        Slice slice = value(node, charset, absent);
        code.goto_(done).labelBinding(absent);
        code.aconst_null().astore(slice.bytes);
        code.iconst_0().istore(slice.from).iconst_0().istore(slice.to);
        code.labelBinding(done);
        return slice;
    }

    void push(Slice slice) {
        code.aload(slice.bytes).iload(slice.from).iload(slice.to);
    }

    private void write(Ir node, TextCharset charset, Slice into, Label absent) {
        int mark = record.shared.mark();
        compute(node, charset, into, absent);
        if (node.optional()) {
            // The code that follows can also be reached if the text is absent: shared values may not be set then.
            record.shared.release(mark);
        }
    }

    private void compute(Ir node, TextCharset charset, Slice into, Label absent) {
        record.count();
        switch (node) {
            case Ir.Load(var field) when node.type() == Basic.TEXT -> load(field, into, absent);
            case Ir.Text(String value) -> {
                byte[] constant = charset.encode(value);
                record.pool.push(code, constant);
                code.astore(into.bytes).iconst_0().istore(into.from);
                record.pushInt(constant.length);
                code.istore(into.to);
                return;
            }
            case Ir.Absent _ -> code.goto_(absent);
            case TextNode.NameText(var value) -> {
                name(value, charset, into, absent);
                return;
            }
            case TextNode.Substring(var value, var begin, var end) -> substring(value, begin, end, into);
            case TextNode.Mapped(var mapping, var value) -> mapped(mapping, value, into);
            case TextNode.Joined(var left, var right) -> {
                TextForm form = TextForm.of(node);
                Slice first = required(left, form.charset());
                Slice second = required(right, form.charset());
                int scratch = record.scratch(form.bound());
                push(first);
                push(second);
                code.aload(scratch);
                record.call(
                        TextSlices.class,
                        "join",
                        CD_int,
                        RecordCode.BYTES,
                        CD_int,
                        CD_int,
                        RecordCode.BYTES,
                        CD_int,
                        CD_int,
                        RecordCode.BYTES);
                moveTo(scratch, into);
            }
            case TextNode.Replaced(var value, String target, String replacement) -> {
                TextForm form = TextForm.of(node);
                Slice source = required(value, form.charset());
                int scratch = record.scratch(form.bound());
                push(source);
                record.pool.push(code, form.charset().encode(target));
                record.pool.push(code, form.charset().encode(replacement));
                code.aload(scratch);
                record.call(
                        TextSlices.class,
                        "replace",
                        CD_int,
                        RecordCode.BYTES,
                        CD_int,
                        CD_int,
                        RecordCode.BYTES,
                        RecordCode.BYTES,
                        RecordCode.BYTES);
                moveTo(scratch, into);
            }
            case Ir.Call call -> {
                int scratch = record.scratch(call.width());
                values.functions().text(call, scratch, absent);
                moveTo(scratch, into);
            }
            case Fold fold -> {
                values.folds().pick(fold, absent, () -> write(fold.value(), charset, into, absent));
                return;
            }
            case Ir.Present(var value) -> move(required(value, charset(node)), into);
            case Ir.Choice(var condition, var ifTrue, var ifFalse, var ignoredType) -> {
                Label otherwise = code.newLabel();
                Label done = code.newLabel();
                values.conditions().jump(condition, otherwise, false);
                int mark = record.shared.mark();
                write(ifTrue, charset, into, absent);
                record.shared.release(mark);
                code.goto_(done).labelBinding(otherwise);
                write(ifFalse, charset, into, absent);
                record.shared.release(mark);
                code.labelBinding(done);
                return;
            }
            default -> throw new IllegalStateException("no text: " + IrText.of(node));
        }
        if (charset == TextCharset.UTF8 && charset(node) == TextCharset.LATIN1) {
            toUtf8(into, TextForm.of(node));
        }
    }

    private static TextCharset charset(Ir node) {
        return TextForm.of(node).charset();
    }

    private void move(Slice from, Slice into) {
        push(from);
        code.istore(into.to).istore(into.from).astore(into.bytes);
    }

    private void load(Field field, Slice into, Label absent) {
        if (field.nullFlag()) {
            record.pushNullFlag(field);
            code.ifne(absent);
        }
        record.pushPlace(field);
        code.istore(into.from).astore(into.bytes);
        code.iload(into.from);
        record.pushText(field);
        record.call(TextBytes.class, "length", CD_int, RecordCode.BYTES, CD_int, CD_int, CD_int);
        code.iadd().istore(into.to);
        if (field.optional() && !field.nullFlag()) {
            code.iload(into.from).iload(into.to).if_icmpeq(absent);
        }
    }

    /** Looks a name up by its code; the field read has checked that the dictionary contains the code. */
    private void name(Ir value, TextCharset charset, Slice into, Label absent) {
        values.value(value, absent);
        code.l2i();
        record.pool.push(code, names(((ValueType.Name) value.type()).dictionary(), charset));
        code.swap().aaload().dup().astore(into.bytes);
        code.arraylength().istore(into.to).iconst_0().istore(into.from);
    }

    private static byte[][] names(Dictionary dictionary, TextCharset charset) {
        SortedMap<Integer, String> names = dictionary.valuesByCode();
        byte[][] table = new byte[dictionary.lastCode() + 1][];
        names.forEach((code, name) -> table[code] = charset.encode(name));
        return table;
    }

    private void substring(Ir value, Ir begin, Ir end, Slice into) {
        TextCharset charset = charset(value);
        move(required(value, charset), into);
        if (end instanceof Ir.Absent) {
            position(begin, charset, into);
            code.istore(into.from);
            return;
        }
        int first = code.allocateLocal(TypeKind.LONG);
        values.required(begin);
        code.lstore(first);
        // In the order of the arguments: if both have no result, the first is reported.
        int last = code.allocateLocal(TypeKind.LONG);
        values.required(end);
        code.lstore(last);
        position(first, charset, into);
        code.istore(into.from);
        code.lload(last).lload(first).lsub().lstore(last);
        position(last, charset, into);
        code.istore(into.to);
    }

    private void position(Ir units, TextCharset charset, Slice slice) {
        int local = code.allocateLocal(TypeKind.LONG);
        values.required(units);
        code.lstore(local);
        position(local, charset, slice);
    }

    /** Pushes the index at which a number of UTF-16 units of a slice ends. */
    private void position(int units, TextCharset charset, Slice slice) {
        if (charset == TextCharset.UTF8) {
            push(slice);
            code.lload(units);
            record.call(Utf8.class, "position", CD_int, RecordCode.BYTES, CD_int, CD_int, CD_long);
        } else {
            code.iload(slice.from).iload(slice.to).lload(units);
            record.call(TextSlices.class, "position", CD_int, CD_int, CD_int, CD_long);
        }
    }

    private void mapped(TextMapping mapping, Ir value, Slice into) {
        TextForm form = TextForm.of(value);
        Slice source = required(value, form.charset());
        if (mapping == TextMapping.TRIM) {
            move(source, into);
            push(into);
            record.call(TextSlices.class, "trimmedStart", CD_int, RecordCode.BYTES, CD_int, CD_int);
            code.istore(into.from);
            push(into);
            record.call(TextSlices.class, "trimmedEnd", CD_int, RecordCode.BYTES, CD_int, CD_int);
            code.istore(into.to);
            return;
        }
        String ascii = mapping == TextMapping.UPPER ? "upper" : "lower";
        int scratch = record.scratch(Math.min(form.width(), SCRATCH_MAX));
        Label done = code.newLabel();
        code.iconst_0().istore(into.from);
        code.aload(scratch).astore(into.bytes);
        push(source);
        code.aload(scratch);
        record.call(TextCase.class, ascii, CD_int, RecordCode.BYTES, CD_int, CD_int, RecordCode.BYTES);
        code.dup().istore(into.to).ifge(done);
        push(source);
        record.pool.push(code, form.charset());
        record.pool.push(code, mapping);
        record.call(TextCase.class, "map", RecordCode.BYTES, RecordCode.BYTES, CD_int, CD_int, CHARSET, MAPPING);
        code.dup().astore(into.bytes).arraylength().istore(into.to);
        code.labelBinding(done);
    }

    private void toUtf8(Slice slice, TextForm latin1) {
        int scratch = record.scratch(latin1.in(TextCharset.UTF8).bound());
        push(slice);
        code.aload(scratch);
        record.call(Utf8.class, "fromLatin1", CD_int, RecordCode.BYTES, CD_int, CD_int, RecordCode.BYTES);
        moveTo(scratch, slice);
    }

    /** Converts a slice of UTF-8 to Latin-1 before it is stored in a field; other characters reject the record. */
    void toLatin1(Slice slice, Field target) {
        int scratch = record.scratch(target.type().bytes());
        push(slice);
        code.aload(scratch).loadConstant(target.name());
        record.call(Utf8.class, "toLatin1", CD_int, RecordCode.BYTES, CD_int, CD_int, RecordCode.BYTES, CD_String);
        moveTo(scratch, slice);
    }

    /** Sets the slice to the start of an array; its length is the int on the stack. */
    private void moveTo(int bytes, Slice slice) {
        code.istore(slice.to).iconst_0().istore(slice.from);
        code.aload(bytes).astore(slice.bytes);
    }

    /** Pushes the number of UTF-16 units of a text, as a long. */
    void length(Ir node) {
        TextCharset charset = charset(node);
        Slice slice = required(node, charset);
        if (charset == TextCharset.UTF8) {
            push(slice);
            record.call(Utf8.class, "units", CD_int, RecordCode.BYTES, CD_int, CD_int);
        } else {
            code.iload(slice.to).iload(slice.from).isub();
        }
        code.i2l();
    }

    /** Pushes the number of UTF-16 units before another text, or -1, as a long. */
    void index(Ir node, Ir sought) {
        TextCharset charset = charset(node).join(charset(sought));
        Slice slice = required(node, charset);
        Slice other = required(sought, charset);
        callWithBoth(slice, other, charset == TextCharset.UTF8 ? "indexOfUtf8" : "indexOf", CD_int);
        code.i2l();
    }

    /** Calls a method of {@link TextSlices} that takes two slices. */
    void callWithBoth(Slice first, Slice second, String name, ClassDesc result) {
        push(first);
        push(second);
        record.call(TextSlices.class, name, result, RecordCode.BYTES, CD_int, CD_int, RecordCode.BYTES, CD_int, CD_int);
    }
}
