package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.JavaType;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.FunctionValues;
import io.millrace.expression.runtime.RecordException;
import io.millrace.expression.runtime.WideMath;
import io.millrace.schema.Dictionary;
import io.millrace.schema.FieldType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Writes the code that calls functions written in Java. Each function is a constant of the class and is called with the
 * exact types of its method, so that the JIT compiler can inline it and nothing is boxed. An exception that the method
 * throws rejects the record, and so does a stack overflow; other errors end the loop.
 */
final class FunctionCalls {

    private static final ClassDesc FAULT = ClassDescs.of(RecordException.class);
    private static final ClassDesc THROWABLE = ClassDescs.of(Throwable.class);

    /** Faults that reject the record. A function can overflow the stack for one value and not for others. */
    private static final List<ClassDesc> FAULTS =
            List.of(ClassDescs.of(Exception.class), ClassDescs.of(StackOverflowError.class));

    private static final ClassDesc DECIMAL = ClassDescs.of(BigDecimal.class);
    private static final ClassDesc DATE = ClassDescs.of(LocalDate.class);
    private static final ClassDesc INSTANT = ClassDescs.of(Instant.class);

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;

    FunctionCalls(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
    }

    /** Pushes the result, which is not a text, or jumps with the stack as it was if the result is null. */
    void call(Ir.Call call, Label absent) {
        invoke(call, absent);
        Class<?> returned = call.handle().type().returnType();
        switch (kind(returned)) {
            case LONG, DOUBLE, INT, BOOLEAN -> number(returned);
            case DATE -> record.call(FunctionValues.class, "fromDate", CD_long, DATE);
            case INSTANT -> {
                code.loadConstant(call.name());
                record.call(FunctionValues.class, "fromInstant", CD_long, INSTANT, CD_String);
            }
            case DECIMAL -> {
                record.pushInt(call.type().scaleOfExact());
                code.loadConstant(call.name());
                record.call(FunctionValues.class, "fromDecimal", CD_long, DECIMAL, CD_int, CD_String);
            }
            case STRING -> throw new IllegalStateException("a text is no value of the stack: #" + call.name());
        }
    }

    /**
     * Writes the result, which is a text, to an array in UTF-8 and pushes its length, or jumps with the stack as it was
     * if the result is null.
     *
     * @param into local variable of the array, which has the maximum length of the result
     */
    void text(Ir.Call call, int into, Label absent) {
        invoke(call, absent);
        code.aload(into).loadConstant(call.name());
        record.call(FunctionValues.class, "fromText", CD_int, CD_String, RecordCode.BYTES, CD_String);
    }

    private void invoke(Ir.Call call, Label absent) {
        MethodType type = call.handle().type();
        record.pool.push(code, call.handle(), MethodHandle.class);
        for (int i = 0; i < type.parameterCount(); i++) {
            argument(call.operands().get(i), kind(type.parameterType(i)), call.name());
        }
        Label tryStart = code.newBoundLabel();
        code.invokevirtual(
                CD_MethodHandle, "invokeExact", type.describeConstable().orElseThrow());
        Label tryEnd = code.newBoundLabel();
        Label done = code.newLabel();
        code.goto_(done);
        Label handler = code.newBoundLabel();
        FAULTS.forEach(fault -> code.exceptionCatch(tryStart, tryEnd, handler, fault));
        code.loadConstant(call.name());
        record.call(FunctionValues.class, "failed", FAULT, THROWABLE, CD_String);
        code.athrow().labelBinding(done);
        if (call.optional()) {
            Label present = code.newLabel();
            code.dup().ifnonnull(present).pop().goto_(absent).labelBinding(present);
        }
    }

    private static JavaType kind(Class<?> type) {
        return JavaType.of(type).orElseThrow();
    }

    private void argument(Ir value, JavaType parameter, String function) {
        switch (parameter) {
            case LONG, DOUBLE -> values.required(value);
            case INT -> {
                values.required(value);
                code.loadConstant(function);
                record.call(FunctionValues.class, "toInt", CD_int, CD_long, CD_String);
            }
            case BOOLEAN -> {
                values.required(value);
                code.l2i();
            }
            case STRING -> text(value);
            case DECIMAL -> object(value, () -> decimal(value.type(), function));
            case DATE -> object(value, () -> record.call(FunctionValues.class, "toDate", DATE, CD_long));
            case INSTANT -> object(value, () -> instant(value.type()));
        }
    }

    /**
     * Pushes an object, or null if the value is absent.
     *
     * @param conversion replaces the value on the stack by the object
     */
    private void object(Ir value, Runnable conversion) {
        orNull(value, absent -> {
            values.value(value, absent);
            conversion.run();
        });
    }

    /** @param present pushes the object, or jumps if the value is absent */
    private void orNull(Ir value, Consumer<Label> present) {
        if (value.type() == Basic.ABSENT) {
            code.aconst_null();
            return;
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        present.accept(absent);
        if (value.optional()) {
            code.goto_(done).labelBinding(absent).aconst_null().labelBinding(done);
        } else {
            code.labelBinding(absent);
        }
    }

    private void decimal(ValueType type, String function) {
        if (type == Basic.DOUBLE) {
            code.loadConstant(function);
            record.call(FunctionValues.class, "toDecimal", DECIMAL, CD_double, CD_String);
        } else {
            record.pushInt(type.scaleOfExact());
            if (type.isWide()) {
                record.call(WideMath.class, "decimal", DECIMAL, CD_long, CD_long, CD_int);
            } else {
                record.call(FunctionValues.class, "toDecimal", DECIMAL, CD_long, CD_int);
            }
        }
    }

    private void instant(ValueType type) {
        TimeUnit unit = ((ValueType.Moment) type).unit();
        code.loadConstant(unit.convert(1, TimeUnit.SECONDS));
        record.call(FunctionValues.class, "toInstant", INSTANT, CD_long, CD_long);
    }

    private void text(Ir value) {
        switch (value) {
            case Ir.Text(String text) -> code.loadConstant(text);
            case Ir.Choice(var condition, var ifTrue, var ifFalse, var type)
            when type == Basic.TEXT -> {
                Label otherwise = code.newLabel();
                Label done = code.newLabel();
                values.conditions().jump(condition, otherwise, false);
                int mark = record.shared.mark();
                text(ifTrue);
                record.shared.release(mark);
                code.goto_(done).labelBinding(otherwise);
                text(ifFalse);
                record.shared.release(mark);
                code.labelBinding(done);
            }
            case Ir.Load(var field)
            when field.type() instanceof FieldType.IpType -> {
                record.pushPlace(field);
                record.pool.push(code, record.codec(field), FieldCodec.class);
                record.call(
                        FunctionValues.class,
                        "toText",
                        CD_String,
                        RecordCode.BYTES,
                        CD_int,
                        ClassDescs.of(FieldCodec.class));
            }
            default -> {
                if (value.type() instanceof ValueType.Name(var dictionary)) {
                    object(value, () -> name(dictionary));
                } else {
                    orNull(value, absent -> slice(value, absent));
                }
            }
        }
    }

    private void slice(Ir value, Label absent) {
        TextCharset charset = TextForm.of(value).charset();
        values.texts().push(values.texts().value(value, charset, absent));
        record.pool.push(code, charset);
        record.call(FunctionValues.class, "toText", CD_String, RecordCode.BYTES, CD_int, CD_int, Texts.CHARSET);
    }

    /** Replaces the code on the stack, which the dictionary contains, by the name. */
    private void name(Dictionary dictionary) {
        Object[] names = LongStream.rangeClosed(0, dictionary.lastCode())
                .mapToObj(dictionary::name)
                .toArray(String[]::new);
        code.l2i();
        record.pool.push(code, names, String[].class);
        code.swap().aaload();
    }

    private void number(Class<?> returned) {
        if (!returned.isPrimitive()) {
            ClassDesc type = returned == Double.class ? CD_double : CD_long;
            record.call(FunctionValues.class, "fromBoxed", type, ClassDescs.of(returned));
        } else if (returned == int.class || returned == boolean.class) {
            code.i2l();
        }
    }
}
