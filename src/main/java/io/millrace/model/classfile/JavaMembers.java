package io.millrace.model.classfile;

import io.millrace.codec.bytecode.AccessorBody;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a type: record components, or getters and public fields, first those of supertypes. They are in
 * the order in which the class declares its fields. Not thread-safe.
 */
final class JavaMembers {

    /** Methods that views implement, and methods of all objects. */
    private static final Set<String> OTHERS =
            Set.of("isValid", "validate", "bytes", "compareTo", "getClass", "hashCode", "toString", "clone");

    private final ClassPath classes;
    private final List<String> computed = new ArrayList<>();
    private final Map<String, Found> found = new LinkedHashMap<>();

    /** What was found of a member so far. */
    private static final class Found {
        private final List<AttributedElement> elements = new ArrayList<>();
        private @Nullable Signature type;
        private boolean getter;
        private boolean setter;
        private boolean field;
        private boolean open;
        private final Set<String> bodies = new LinkedHashSet<>();
    }

    private JavaMembers(ClassPath classes) {
        this.classes = classes;
    }

    /**
     * Returns the members of a type.
     *
     * @param type type with its arguments
     * @param computed receives the names of getters without a field and a setter
     */
    static List<JavaMember> of(
            ClassPath classes, ClassModel model, Signature.ClassTypeSig type, List<String> computed) {
        JavaMembers members = new JavaMembers(classes);
        members.collect(model, arguments(model, type));
        List<JavaMember> all = new ArrayList<>();
        boolean bean = !model.flags().has(AccessFlag.INTERFACE);
        members.found.forEach((name, each) -> {
            if (each.type == null || (!each.getter && !each.open)) {
                return;
            }
            JavaMember member = new JavaMember(
                    name, each.type, Annotations.of(each.elements), each.getter, List.copyOf(each.bodies));
            if (member.annotations().ignored()) {
                return;
            }
            if (bean && !each.field && !each.setter) {
                members.computed.add(name);
            } else {
                all.add(member);
            }
        });
        computed.addAll(members.computed);
        return all;
    }

    private static Map<String, Signature> arguments(ClassModel model, Signature.ClassTypeSig type) {
        Map<String, Signature> arguments = new HashMap<>();
        ClassSignature signature = signature(model);
        for (int i = 0;
                i < signature.typeParameters().size() && i < type.typeArgs().size();
                i++) {
            arguments.put(signature.typeParameters().get(i).identifier(), JavaTypes.argument(type, i));
        }
        return arguments;
    }

    private static ClassSignature signature(ClassModel model) {
        return model.findAttribute(Attributes.signature())
                .map(each -> each.asClassSignature())
                .orElseGet(() -> ClassSignature.of(
                        model.superclass()
                                .map(each -> Signature.ClassTypeSig.of(each.asSymbol()))
                                .orElseGet(() -> Signature.ClassTypeSig.of("java.lang.Object")),
                        model.interfaces().stream()
                                .map(each -> Signature.ClassTypeSig.of(each.asSymbol()))
                                .toArray(Signature.ClassTypeSig[]::new)));
    }

    private void collect(ClassModel model, Map<String, Signature> arguments) {
        ClassSignature signature = signature(model);
        var components = model.findAttribute(Attributes.record());
        if (components.isPresent()) {
            components.get().components().forEach(component -> component(model, component, arguments));
            return;
        }
        superclass(signature.superclassSignature(), arguments);
        signature.superinterfaceSignatures().forEach(each -> superclass(each, arguments));
        model.fields().stream()
                .filter(field ->
                        !field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.SYNTHETIC))
                .forEach(field -> field(field, arguments));
        model.methods().stream()
                .filter(JavaMembers::isAccessor)
                .sorted(Comparator.comparingInt(
                        method -> method.methodTypeSymbol().parameterCount()))
                .forEach(method -> accessor(model, method, arguments));
    }

    private void superclass(Signature.ClassTypeSig type, Map<String, Signature> arguments) {
        ClassModel model = classes.find(JavaTypes.internalName(type));
        if (model != null) {
            Signature.ClassTypeSig full = (Signature.ClassTypeSig) JavaTypes.replace(type, arguments);
            collect(model, arguments(model, full));
        }
    }

    private void component(ClassModel model, RecordComponentInfo component, Map<String, Signature> arguments) {
        String name = component.name().stringValue();
        Found member = found.computeIfAbsent(name, _ -> new Found());
        member.elements.add(component);
        model.fields().stream()
                .filter(field -> field.fieldName().stringValue().equals(name))
                .forEach(member.elements::add);
        model.methods().stream()
                .filter(method -> method.methodName().stringValue().equals(name)
                        && method.methodTypeSymbol().parameterCount() == 0)
                .forEach(member.elements::add);
        Signature type = component
                .findAttribute(Attributes.signature())
                .map(each -> each.asTypeSignature())
                .orElseGet(() -> Signature.of(component.descriptorSymbol()));
        member.type = JavaTypes.replace(type, arguments);
        member.getter = true;
        member.field = true;
    }

    private void field(FieldModel field, Map<String, Signature> arguments) {
        Found member = found.computeIfAbsent(field.fieldName().stringValue(), _ -> new Found());
        member.elements.add(field);
        member.field = true;
        if (field.flags().has(AccessFlag.PUBLIC)) {
            member.open = true;
        }
        Signature type = field.findAttribute(Attributes.signature())
                .map(each -> each.asTypeSignature())
                .orElseGet(() -> Signature.of(field.fieldTypeSymbol()));
        member.type = JavaTypes.replace(type, arguments);
    }

    private static boolean isAccessor(MethodModel method) {
        return method.flags().has(AccessFlag.PUBLIC)
                && !method.flags().has(AccessFlag.STATIC)
                && !method.flags().has(AccessFlag.BRIDGE)
                && !method.flags().has(AccessFlag.SYNTHETIC)
                && !OTHERS.contains(method.methodName().stringValue())
                && method.methodTypeSymbol().parameterCount() <= 1;
    }

    private void accessor(ClassModel model, MethodModel method, Map<String, Signature> arguments) {
        String name = method.methodName().stringValue();
        boolean nothing =
                method.methodTypeSymbol().returnType().descriptorString().equals("V");
        if (method.methodTypeSymbol().parameterCount() == 1) {
            Found member = found.get(property(name, "set"));
            if (member != null && nothing && name.startsWith("set")) {
                member.setter = true;
                body(member, model, method);
            }
            return;
        }
        if (nothing) {
            return;
        }
        boolean truth =
                method.methodTypeSymbol().returnType().descriptorString().equals("Z");
        String property = property(name, "get");
        if (property.equals(name) && truth) {
            property = property(name, "is");
        }
        boolean plain =
                model.flags().has(AccessFlag.INTERFACE) && method.flags().has(AccessFlag.ABSTRACT);
        if (property.equals(name) && !plain) {
            return;
        }
        Found member = found.computeIfAbsent(property, _ -> new Found());
        member.elements.add(method);
        member.getter = true;
        body(member, model, method);
        Signature type = method.findAttribute(Attributes.signature())
                .map(each -> each.asMethodSignature())
                .orElseGet(() -> MethodSignature.of(method.methodTypeSymbol()))
                .result();
        member.type = JavaTypes.replace(type, arguments);
    }

    /** A method of a subclass replaces that of its superclass. Views do not replace those of interfaces. */
    private static void body(Found member, ClassModel model, MethodModel method) {
        String name = method.methodName().stringValue();
        if (AccessorBody.isPlain(method)) {
            member.bodies.remove(name);
        } else if (!model.flags().has(AccessFlag.INTERFACE)) {
            member.bodies.add(name);
        }
    }

    /** Returns the name of the property of a method with a prefix, or the name of the method. */
    private static String property(String method, String prefix) {
        boolean prefixed = method.startsWith(prefix)
                && method.length() > prefix.length()
                && !Character.isLowerCase(method.charAt(prefix.length()));
        return prefixed
                ? Character.toLowerCase(method.charAt(prefix.length())) + method.substring(prefix.length() + 1)
                : method;
    }
}
