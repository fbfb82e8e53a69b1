package io.millrace.model.classfile;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.bytecode.PropertyNames;
import io.millrace.codec.javatype.ProvidedMethods;
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

    /** Methods of views, and methods of all objects. */
    private static final Set<String> OTHERS = Set.of("compareTo", "getClass", "hashCode", "toString", "clone");

    private final ClassPath classes;
    private final boolean root;
    private final List<Found> found = new ArrayList<>();

    /** What was found of a member so far. */
    private static final class Found {
        /** Name of its field, or that of the property if it has none. */
        private final String key;

        private String name;
        private final List<AttributedElement> elements = new ArrayList<>();
        private @Nullable Signature type;
        private boolean getter;
        private boolean setter;
        private boolean field;
        private boolean open;
        /** Whether the getter is a default method of an interface, which views call. */
        private boolean computed;
        /** The fields that its getters and setters return or set, by their names. */
        private final Map<String, String> used = new LinkedHashMap<>();

        private Found(String key) {
            this.key = key;
            this.name = key;
        }
    }

    private JavaMembers(ClassPath classes, boolean root) {
        this.classes = classes;
        this.root = root;
    }

    /**
     * Returns the members of a type that have a getter or a public field.
     *
     * @param type type with its arguments
     * @param root whether it is the type of whole records
     */
    static List<JavaMember> of(ClassPath classes, ClassModel model, Signature.ClassTypeSig type, boolean root) {
        JavaMembers members = new JavaMembers(classes, root);
        members.collect(model, arguments(model, type));
        members.join();
        boolean bean = !model.flags().has(AccessFlag.INTERFACE);
        List<JavaMember> all = new ArrayList<>();
        for (Found each : members.found) {
            if (each.type != null && (each.getter || each.open)) {
                all.add(new JavaMember(
                        each.name,
                        each.type,
                        each.elements,
                        each.getter,
                        each.computed || (bean && !each.field && !each.setter)));
            }
        }
        return all;
    }

    /** Returns the names of the methods that an interface declares and views implement. */
    static List<String> provided(ClassModel model, boolean root) {
        return model.methods().stream()
                .filter(method -> ProvidedMethods.contain(method, root))
                .map(method -> method.methodName().stringValue())
                .toList();
    }

    /** Joins getters with the fields that they return, if these have other names and no getter. */
    private void join() {
        for (Found member : List.copyOf(found)) {
            List<String> fields = List.copyOf(new LinkedHashSet<>(member.used.values()));
            if (member.getter && !member.field && !fields.isEmpty()) {
                String name = fields.getFirst().substring(fields.getFirst().lastIndexOf('.') + 1);
                Found field = find(List.of(name));
                if (field != null && field.field && !field.getter) {
                    found.remove(field);
                    member.elements.addAll(field.elements);
                    member.field = true;
                }
            }
        }
    }

    /** @param names names of a property, of which the first one that a member has decides */
    private @Nullable Found find(List<String> names) {
        return names.stream()
                .flatMap(name -> found.stream().filter(each -> each.key.equals(name)))
                .findFirst()
                .orElse(null);
    }

    private Found findOrAdd(List<String> names) {
        Found known = find(names);
        if (known == null) {
            known = new Found(names.getFirst());
            found.add(known);
        }
        return known;
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
                .filter(this::isAccessor)
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
        Found member = findOrAdd(List.of(name));
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
        Found member = findOrAdd(List.of(field.fieldName().stringValue()));
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

    private boolean isAccessor(MethodModel method) {
        return method.flags().has(AccessFlag.PUBLIC)
                && !method.flags().has(AccessFlag.STATIC)
                && !method.flags().has(AccessFlag.BRIDGE)
                && !method.flags().has(AccessFlag.SYNTHETIC)
                && !OTHERS.contains(method.methodName().stringValue())
                && !ProvidedMethods.contain(method, root)
                && method.methodTypeSymbol().parameterCount() <= 1;
    }

    private void accessor(ClassModel model, MethodModel method, Map<String, Signature> arguments) {
        String name = method.methodName().stringValue();
        List<String> names = PropertyNames.of(name, method.methodType().stringValue());
        boolean plain =
                model.flags().has(AccessFlag.INTERFACE) && method.flags().has(AccessFlag.ABSTRACT);
        if (method.methodTypeSymbol().parameterCount() == 1) {
            Found member = find(names);
            if (member != null) {
                member.elements.add(method);
                member.setter = true;
                use(member, method);
            }
            return;
        }
        if (plain && names.isEmpty()) {
            names = List.of(name);
        }
        if (names.isEmpty()
                || method.methodTypeSymbol().returnType().descriptorString().equals("V")) {
            return;
        }
        Found member = findOrAdd(names);
        // As Jackson 3: getEMail is EMail, unless there is a field eMail.
        boolean ofField = member.field && names.size() > 1 && member.key.equals(names.get(1));
        member.name = ofField ? member.key : names.getFirst();
        member.elements.add(method);
        member.getter = true;
        member.computed =
                model.flags().has(AccessFlag.INTERFACE) && !method.flags().has(AccessFlag.ABSTRACT);
        use(member, method);
        Signature type = method.findAttribute(Attributes.signature())
                .map(each -> each.asMethodSignature())
                .orElseGet(() -> MethodSignature.of(method.methodTypeSymbol()))
                .result();
        member.type = JavaTypes.replace(type, arguments);
    }

    /** A method of a subclass replaces that of its superclass. */
    private static void use(Found member, MethodModel method) {
        String name = method.methodName().stringValue();
        String field = AccessorBody.field(method);
        member.used.remove(name);
        if (field != null) {
            member.used.put(name, field);
        }
    }
}
