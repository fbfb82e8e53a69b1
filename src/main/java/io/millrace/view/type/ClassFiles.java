package io.millrace.view.type;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Reads the bytecode of types. Stateless. */
public final class ClassFiles {

    private ClassFiles() {}

    /** Returns the class file of a type, or null if it is not on the class path. */
    public static byte @Nullable [] bytes(Class<?> type) {
        byte[] bytes = bytes(type, type.getName());
        return bytes.length == 0 ? null : bytes;
    }

    /**
     * Returns the class file of a type in the package of another one, or an empty array if it is not on the class path.
     *
     * @param type a type that has the class path
     */
    static byte[] bytes(Class<?> type, String name) {
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null ? new byte[0] : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytecode of a method, or null if it can't be read. */
    public static @Nullable MethodModel method(Method method) {
        byte[] bytes = bytes(method.getDeclaringClass());
        return bytes == null
                ? null
                : ClassFile.of().parse(bytes).methods().stream()
                        .filter(each -> each.methodName().equalsString(method.getName())
                                && each.methodType().equalsString(descriptor(method)))
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the descriptor of a method. */
    public static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
    }
}
