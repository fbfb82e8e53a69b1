package io.millrace.codec.javatype;

import java.lang.classfile.MethodModel;
import org.jspecify.annotations.Nullable;

/**
 * A getter or setter that views replace.
 *
 * @param member name of the member that it reads or writes
 * @param model its bytecode, or null if there is none
 */
public record AccessorMethod(
        String member,
        String name,
        String descriptor,
        @Nullable MethodModel model) {

    /** Returns whether it is a getter. */
    public boolean getter() {
        return descriptor.startsWith("()");
    }

    /** Returns what identifies the method in its class. */
    public String signature() {
        return name + descriptor;
    }
}
