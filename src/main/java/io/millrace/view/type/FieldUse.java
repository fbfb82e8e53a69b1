package io.millrace.view.type;

import io.millrace.codec.bytecode.FieldUses;
import io.millrace.codec.bytecode.FieldUses.Use;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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
                    .map(name -> ClassFiles.bytes(declaring, name))
                    .filter(bytes -> bytes.length > 0)
                    .forEach(bytes -> uses.addAll(FieldUses.of(ClassFile.of().parse(bytes), types, accessors)));
        }
        return uses;
    }

    /** Returns the names of the host of a nest and of its members. */
    private static Stream<String> nest(Class<?> host) {
        byte[] bytes = ClassFiles.bytes(host);
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
}
