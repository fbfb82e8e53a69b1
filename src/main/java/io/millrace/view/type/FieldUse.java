package io.millrace.view.type;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the classes that may use the fields of a class directly. Stateless. */
final class FieldUse {

    private FieldUse() {}

    /** Returns the class, its superclasses, and the classes that are nested in the same class as one of these. */
    static List<ClassModel> classes(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        return Stream.<Class<?>>iterate(type, each -> each != null && each != Object.class, Class::getSuperclass)
                .flatMap(each -> Stream.concat(Stream.of(each.getName()), nest(each.getNestHost()))
                        .filter(names::add)
                        .map(name -> ClassFiles.bytes(each, name)))
                .filter(bytes -> bytes.length > 0)
                .map(bytes -> ClassFile.of().parse(bytes))
                .toList();
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
