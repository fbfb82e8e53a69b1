package io.millrace.codec.view;

import io.millrace.codec.bytecode.FieldUses;
import io.millrace.codec.bytecode.FieldUses.Use;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the methods that use the fields of a class directly. Stateless. */
final class FieldUse {

    private FieldUse() {}

    /**
     * Returns the first field that each method uses: of methods of the class, its superclasses, and the classes that
     * are nested in the same class as one of these.
     *
     * @param accessors names and descriptors of the methods that views replace
     */
    static List<Use> of(Class<?> type, Set<String> accessors) {
        Set<String> types = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        List<Use> uses = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            types.add(each.getName().replace('.', '/'));
        }
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            Class<?> declaring = each;
            Stream.concat(Stream.of(each.getName()), nest(each.getNestHost()))
                    .filter(names::add)
                    .map(name -> bytes(declaring, name))
                    .filter(bytes -> bytes.length > 0)
                    .forEach(bytes -> uses.addAll(FieldUses.of(ClassFile.of().parse(bytes), types, accessors)));
        }
        return uses;
    }

    /** Returns the names of the host of a nest and of its members. */
    private static Stream<String> nest(Class<?> host) {
        byte[] bytes = bytes(host);
        if (bytes == null) {
            return Stream.of();
        }
        ClassModel model = ClassFile.of().parse(bytes);
        return Stream.concat(
                Stream.of(host.getName()),
                model.findAttribute(Attributes.nestMembers()).stream()
                        .flatMap(members -> members.nestMembers().stream())
                        .map(member -> member.asInternalName().replace('/', '.')));
    }

    /** Returns the bytecode of a method, or null if it can't be read. */
    static @Nullable MethodModel method(Method method) {
        byte[] bytes = bytes(method.getDeclaringClass());
        return bytes == null
                ? null
                : ClassFile.of().parse(bytes).methods().stream()
                        .filter(each -> each.methodName().equalsString(method.getName())
                                && each.methodType().equalsString(ViewClass.descriptor(method)))
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the class file of a type, or null if it is not on the class path. */
    static byte @Nullable [] bytes(Class<?> type) {
        byte[] bytes = bytes(type, type.getName());
        return bytes.length == 0 ? null : bytes;
    }

    private static byte[] bytes(Class<?> type, String name) {
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in == null ? new byte[0] : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
