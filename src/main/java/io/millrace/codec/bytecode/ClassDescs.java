package io.millrace.codec.bytecode;

import java.lang.constant.ClassDesc;

/** Descriptors of the classes that generated code uses. Stateless. */
public final class ClassDescs {

    private ClassDescs() {}

    /** Returns the descriptor of a class that is not hidden. */
    public static ClassDesc of(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
