package io.millrace.view.type;

import io.millrace.codec.javatype.DeclaredType;
import io.millrace.codec.javatype.DeclaredType.Declared;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what loaded classes declare, also those without a class file. Stateless. */
final class DeclaredTypes {

    private DeclaredTypes() {}

    static DeclaredType of(Class<?> type) {
        return new DeclaredType(
                name(type),
                type.getModifiers(),
                type.isSealed(),
                type.isRecord(),
                supertypes(type).map(DeclaredTypes::name).toList(),
                Arrays.stream(type.getDeclaredFields())
                        .map(field ->
                                new Declared(field.getName(), field.getType().descriptorString(), field.getModifiers()))
                        .toList(),
                methods(type),
                model(type));
    }

    private static List<Declared> methods(Class<?> type) {
        List<Declared> methods = new ArrayList<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            String descriptor = MethodType.methodType(void.class, constructor.getParameterTypes())
                    .toMethodDescriptorString();
            methods.add(new Declared(ConstantDescs.INIT_NAME, descriptor, constructor.getModifiers()));
        }
        Arrays.stream(type.getDeclaredMethods())
                .map(method -> new Declared(method.getName(), ClassFiles.descriptor(method), method.getModifiers()))
                .forEach(methods::add);
        return methods;
    }

    private static @Nullable ClassModel model(Class<?> type) {
        byte[] bytes = ClassFiles.bytes(type);
        return bytes == null ? null : ClassFile.of().parse(bytes);
    }

    /** Returns a type and its supertypes, except Object: first the classes, then the interfaces. */
    static List<DeclaredType> withSupertypes(Class<?> type) {
        Map<String, Class<?>> types = new HashMap<>();
        addSupertypes(type, types);
        return of(type).withSupertypes(name -> {
            Class<?> found = types.get(name);
            return found == null ? null : of(found);
        });
    }

    private static void addSupertypes(Class<?> type, Map<String, Class<?>> types) {
        supertypes(type)
                .filter(each -> types.putIfAbsent(name(each), each) == null)
                .forEach(each -> addSupertypes(each, types));
    }

    private static Stream<Class<?>> supertypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()));
    }

    /** Returns a class and its superclasses, except Object. */
    static List<DeclaredType> classes(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null && each != Object.class, Class::getSuperclass)
                .map(DeclaredTypes::of)
                .toList();
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/');
    }
}
