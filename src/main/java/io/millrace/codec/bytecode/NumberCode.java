package io.millrace.codec.bytecode;

import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.codec.RawBytes;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteOrder;

/** Writes the code that writes integers to rows. Stateless. */
public final class NumberCode {

    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc RAW_BYTES = ClassDescs.of(RawBytes.class);
    private static final ClassDesc STORAGE = ClassDescs.of(IntStorage.class);

    private NumberCode() {}

    /**
     * Writes the code of {@link RawBytes#put}. The array and the offset are on the stack.
     *
     * @param raw local variable with the number, a long
     */
    public static void put(CodeBuilder code, Pool pool, IntStorage storage, int raw) {
        boolean simple = storage.wholeWord() && storage.order() == ByteOrder.BIG_ENDIAN;
        switch (simple ? storage.bytes() : 0) {
            case 1 -> code.lload(raw).l2i().bastore();
            case 2 -> code.lload(raw).l2i().i2s().invokestatic(RAW_BYTES, "putShort", type(CD_short));
            case 4 -> code.lload(raw).l2i().invokestatic(RAW_BYTES, "putInt", type(CD_int));
            case 8 -> code.lload(raw).invokestatic(RAW_BYTES, "putLong", type(CD_long));
            default -> {
                pool.push(code, storage);
                code.lload(raw)
                        .invokestatic(RAW_BYTES, "put", MethodTypeDesc.of(CD_void, BYTES, CD_int, STORAGE, CD_long));
            }
        }
    }

    private static MethodTypeDesc type(ClassDesc number) {
        return MethodTypeDesc.of(CD_void, BYTES, CD_int, number);
    }
}
