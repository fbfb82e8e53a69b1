package io.millrace.codec.view;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds methods of a class that read or write its fields directly. In a view, these fields are unused: the values are
 * in bytes, and only getters and setters reach them.
 */
final class FieldUse {

    private FieldUse() {}

    /**
     * Returns the first field that each method uses, by name and descriptor of the method. Constructors are left out.
     *
     * @param type class whose methods and inherited methods are read
     * @param overridden names and descriptors of methods to leave out
     */
    static Map<String, String> of(Class<?> type, Set<String> overridden) {
        Map<String, String> used = new HashMap<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            byte[] bytes = bytes(each);
            if (bytes == null) {
                continue;
            }
            for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
                String name =
                        method.methodName().stringValue() + method.methodType().stringValue();
                String field = field(method);
                if (field != null && !name.startsWith("<") && !overridden.contains(name)) {
                    used.putIfAbsent(name, field);
                }
            }
        }
        return used;
    }

    private static @Nullable String field(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return null;
        }
        return code.elementStream()
                .filter(element -> element instanceof FieldInstruction field
                        && (field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD)
                        && field.owner()
                                .asInternalName()
                                .equals(method.parent()
                                        .orElseThrow()
                                        .thisClass()
                                        .asInternalName()))
                .map(element -> ((FieldInstruction) element).name().stringValue())
                .findFirst()
                .orElse(null);
    }

    /** Returns the class file of a type, or null if it is not on the class path. */
    static byte @Nullable [] bytes(Class<?> type) {
        String file = type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
