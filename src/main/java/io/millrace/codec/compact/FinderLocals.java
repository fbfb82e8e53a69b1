package io.millrace.codec.compact;

import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * The parameters of every generated method that reads members, and its local variables. The bits are a parameter of
 * methods for some members only.
 */
final class FinderLocals {

    /** Type of the array that contains the record. */
    static final ClassDesc BYTES = CD_byte.arrayType();

    /** Type of a step that returns the offset past something: of the array, an offset in it, and the limit. */
    static final MethodTypeDesc END = MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int);

    static final int RECORD = 0;
    static final int AT = 1;
    static final int LIMIT_OF_METHOD = 2;
    static final int ROW = 3;
    static final int ROW_AT = 4;
    static final int ELEMENT_ROWS = 5;
    static final int PARENT = 6;
    static final int BITS = 7;
    static final int NEXT = 9;
    static final int LIMIT = 10;
    static final int VALUE = 11;
    static final int FROM = 13;
    static final int COUNT = 14;
    static final int LIST_ROWS = 15;
    static final int INDEX = 16;

    private FinderLocals() {}
}
