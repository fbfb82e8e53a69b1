package io.millrace.model.classfile;

import io.millrace.codec.bytecode.FieldUses;
import io.millrace.model.ModelException;
import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Signature;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Imports a schema of the compact layout from a compiled class: an interface with getters, a JavaBean or a record. Not
 * thread-safe.
 */
public final class ClassImport {

    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Methods that views replace, whatever they use. */
    private static final Set<String> REPLACED = Set.of("equals", "hashCode", "toString", "clone");

    /** Annotations of types whose objects may be of subclasses. */
    private static final List<String> HIERARCHIES = List.of("JsonSubTypes", "JsonTypeInfo", "XmlSeeAlso");

    private final ClassPath classes;
    private final Set<String> leftOut;
    private final Set<String> leaving = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final BeanConstraints constraints;

    /** A type that contains the current one, and the member that leads to it. */
    private record Step(String type, String member) {}

    private ClassImport(ClassPath classes, Set<String> leftOut) {
        this.classes = classes;
        this.leftOut = leftOut;
        this.constraints = new BeanConstraints(classes, notes);
    }

    /**
     * An imported schema.
     *
     * @param notes what was left out, a line each
     */
    public record Result(ModelSchema schema, List<String> notes) {}

    /**
     * Imports a class.
     *
     * @param name name of the schema
     * @param root name of the class with its package; a nested class follows its class with a dot or a dollar sign
     * @param classPath folders and jar files
     * @param leftOut paths of members to leave out, such as {@code legs.parent}
     * @throws ModelException if a type can't be described by a schema; the message contains all reasons with the path
     *     of each member
     */
    public static Result read(String name, String root, List<Path> classPath, Set<String> leftOut) throws IOException {
        try (ClassPath classes = new ClassPath(classPath)) {
            ClassImport reader = new ClassImport(classes, leftOut);
            ModelSchema schema = reader.schema(name, root);
            return new Result(schema, reader.notes);
        }
    }

    private ModelSchema schema(String name, String root) {
        String internal = classes.internalName(root);
        if (internal == null) {
            throw new ModelException(List.of("Unknown class '" + root + "'. It is not in " + classes.entries()
                    + ". Use the full name of a class in one of these."));
        }
        ModelSchema schema = ModelSchema.of(name, "compact");
        schema.head()
                .add("# Imported by 'millrace model java' from " + internal.replace('/', '.')
                        + ". You can edit this file:");
        schema.head().add("# the next import keeps your changes.");
        Signature.ClassTypeSig type = Signature.ClassTypeSig.of(internal);
        ClassModel model = Objects.requireNonNull(classes.find(internal));
        String hierarchy = hierarchy(model);
        if (hierarchy != null) {
            problems.add("Type " + JavaTypes.show(type) + " " + hierarchy
                    + ", whose own members would be lost. Import one of them.");
        }
        schema.fields().addAll(members(type, model, "", Scope.RECORD));
        schema.constrain(constraints.conditions());
        Set<String> unknown = new LinkedHashSet<>(leftOut);
        unknown.removeAll(leaving);
        unknown.forEach(
                path -> problems.add("Unknown member '" + path + "' of --leave-out. Use a path such as legs.parent."));
        if (!problems.isEmpty()) {
            throw new ModelException(problems);
        }
        return schema;
    }

    private List<ModelField> members(Signature.ClassTypeSig type, ClassModel model, String prefix, Scope scope) {
        String name = JavaTypes.show(type);
        constraints.refuse(Annotations.of(List.of(model), 0), "Type " + name);
        List<JavaMember> members = JavaMembers.of(classes, model, type);
        List<ModelField> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<String> accessors = new HashSet<>();
        for (JavaMember member : members) {
            String path = prefix + member.name();
            if (member.computed()) {
                notes.add("Left out " + path + ": " + name + " computes it.");
                constraints.refuse(member.annotations(), path);
                continue;
            }
            if (leftOut.contains(path)) {
                leaving.add(path);
                continue;
            }
            member.elements().stream()
                    .filter(MethodModel.class::isInstance)
                    .forEach(method -> accessors.add(signature((MethodModel) method)));
            member.bodies()
                    .forEach((body, what) -> notes.add(path + ": " + name + "." + body + " " + what
                            + ". RecordViews needs replaceBodies(\"" + body + "\")."));
            steps.addLast(new Step(name, member.name()));
            ModelField field = field(member, path, scope);
            steps.removeLast();
            if (field != null && !names.add(field.name())) {
                problems.add(path + ": Duplicate name '" + field.name() + "' in " + name + ". Rename one.");
            } else if (field != null) {
                fields.add(field);
            }
        }
        fieldUses(model, accessors);
        notes.addAll(JavaMembers.provided(model).stream()
                .map(method -> "Left out " + prefix + method + ": views of " + name + " implement it.")
                .toList());
        if (fields.isEmpty() && members.stream().allMatch(JavaMember::computed)) {
            problems.add((prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1) + ": ") + "No getters in "
                    + name + ". Use an interface or class with getters, or a record.");
        }
        return fields;
    }

    private static String signature(MethodModel method) {
        return method.methodName().stringValue() + method.methodType().stringValue();
    }

    /** Notes the methods that use fields of a class directly, which views do not set. */
    private void fieldUses(ClassModel model, Set<String> accessors) {
        if (model.flags().has(AccessFlag.INTERFACE)
                || model.findAttribute(Attributes.record()).isPresent()) {
            return;
        }
        Set<String> types = new LinkedHashSet<>();
        for (ClassModel each = model; each != null; each = superclass(each)) {
            types.add(each.thisClass().asInternalName());
        }
        for (ClassModel each : types.stream()
                .flatMap(type -> classes.inPackageOf(type).stream())
                .distinct()
                .toList()) {
            for (FieldUses.Use use : FieldUses.of(each, types, accessors)) {
                boolean own = types.contains(use.owner());
                if (own && (REPLACED.contains(use.method()) || accessors.contains(use.method() + use.descriptor()))) {
                    continue;
                }
                String found = "The " + use.show()
                        + (use.superCall() ? " calls " + use.field() : " uses the field '" + use.field() + "'") + " of "
                        + model.thisClass().asInternalName().replace('/', '.')
                        + (use.superCall() ? ", whose field" : " directly, which") + " a view does not set. "
                        + (outermost(use.owner())
                                        .equals(outermost(types.iterator().next()))
                                ? "RecordViews needs allowFieldUse(\"" + use.method() + "\")."
                                : "Use its getter or setter.");
                if (!notes.contains(found)) {
                    notes.add(found);
                }
            }
        }
    }

    private static String outermost(String internalName) {
        return internalName.split("\\$", 2)[0];
    }

    private @Nullable ClassModel superclass(ClassModel model) {
        return model.superclass()
                .map(each -> classes.find(each.asInternalName()))
                .orElse(null);
    }

    private @Nullable ModelField field(JavaMember member, String path, Scope scope) {
        Signature type = member.type();
        String stated = member.annotations().text("JsonProperty", "value");
        String name = stated != null && FIELD_NAME.matcher(stated).matches() ? stated : member.name();
        boolean optional = !(type instanceof Signature.BaseTypeSig)
                && !member.annotations().required();
        int depth = 0;
        Signature present = JavaTypes.present(type);
        if (present != null) {
            boolean generic = !((Signature.ClassTypeSig) type).typeArgs().isEmpty();
            depth = generic ? 1 : 0;
            optional = !generic || !member.annotations(depth).required();
            type = present;
        }
        boolean list = JavaTypes.isList(type);
        if (list && present != null) {
            refuse(path, member.type(), "contains a list, which is never absent in a record");
            return null;
        }
        Annotations annotations = member.annotations(list ? depth + 1 : depth);
        Scope inner = list ? scope.elements(name) : scope.group(name, optional);
        ModelField field = value(name, list ? JavaTypes.element(type) : type, annotations, path, inner);
        if (field == null) {
            return null;
        }
        if (list && "group".equals(field.get("type")) && JavaTypes.isSet(type)) {
            refuse(path, type, "has groups in no order, so that equal sets would have different bytes");
            return null;
        }
        if (list) {
            constraints.addToValue(field, annotations, scope.values(name), path);
            constraints.addToList(field, member.annotations(depth), scope, path);
        } else {
            if (optional) {
                field.with("optional", true);
            }
            constraints.addToValue(field, annotations, scope, path);
        }
        if (stated != null && !name.equals(stated)) {
            comment(field, "JSON name '" + stated + "' is not a field name");
        }
        if (!name.equals(member.name())) {
            comment(field, "@JsonProperty of '" + member.name() + "', whose getter RecordViews does not find");
        }
        if (!member.getter()) {
            comment(field, "no getter, which RecordViews needs");
        }
        return field;
    }

    private static void comment(ModelField field, String text) {
        field.comment(field.comment().isEmpty() ? text : field.comment() + "; " + text);
    }

    private @Nullable ModelField value(String name, Signature type, Annotations annotations, String path, Scope inner) {
        boolean inList = !steps.isEmpty() && JavaTypes.isList(type);
        if (inList) {
            refuse(path, type, "is a list of lists");
            return null;
        }
        ModelField single = ValueTypes.field(name, JavaTypes.show(type), annotations);
        if (single != null) {
            return single;
        }
        if (!(type instanceof Signature.ClassTypeSig named)) {
            refuse(path, type, "has no known type");
            return null;
        }
        ClassModel model = classes.find(JavaTypes.internalName(named));
        if (model == null) {
            model = classes.findPlatformEnum(JavaTypes.internalName(named));
        }
        if (model == null) {
            refuse(
                    path,
                    type,
                    JavaTypes.show(type).startsWith("java.") ? "is not supported" : "is not in " + classes.entries());
            return null;
        }
        return model.flags().has(AccessFlag.ENUM) ? dictionary(name, model) : group(name, named, model, path, inner);
    }

    private void refuse(String path, Signature type, String reason) {
        problems.add(path + ": Type " + JavaTypes.show(type) + " " + reason
                + ". Add its classes, use another type, or leave it out with --leave-out " + path + ".");
    }

    private @Nullable ModelField group(
            String name, Signature.ClassTypeSig type, ClassModel model, String path, Scope inner) {
        String shown = JavaTypes.show(type);
        if (steps.stream().anyMatch(step -> step.type().equals(shown))) {
            StringBuilder cycle = new StringBuilder();
            boolean inside = false;
            for (Step step : steps) {
                inside |= step.type().equals(shown);
                if (inside) {
                    cycle.append(step.type()).append('.').append(step.member()).append(" -> ");
                }
            }
            problems.add(path + ": Type " + shown + " contains itself: " + cycle + shown
                    + ". A record can't contain itself. Use --leave-out " + path + ", or @JsonIgnore.");
            return null;
        }
        String hierarchy = hierarchy(model);
        if (hierarchy != null) {
            refuse(path, type, hierarchy + ", whose own members would be lost");
            return null;
        }
        ModelField field = ModelField.of(name, "group");
        int before = problems.size();
        field.fields().addAll(members(type, model, path + ".", inner));
        return problems.size() > before ? null : field;
    }

    /** Returns which subclasses a type states, as a part of a message, or null if it states none. */
    private static @Nullable String hierarchy(ClassModel model) {
        Optional<PermittedSubclassesAttribute> permitted = model.findAttribute(Attributes.permittedSubclasses());
        if (permitted.isPresent()) {
            return "is sealed with the subclasses "
                    + permitted.get().permittedSubclasses().stream()
                            .map(each -> each.asInternalName().replace('/', '.'))
                            .collect(Collectors.joining(", "));
        }
        Annotations annotations = Annotations.of(List.of(model), 0);
        return HIERARCHIES.stream()
                .filter(annotations::has)
                .findFirst()
                .map(name -> "has subclasses according to @" + name)
                .orElse(null);
    }

    /** Returns a field whose codes are the ordinals of the constants. */
    private static ModelField dictionary(String name, ClassModel model) {
        List<String> names = new ArrayList<>();
        model.fields().stream()
                .filter(field -> field.flags().has(AccessFlag.ENUM))
                .forEach(constant -> {
                    String stated = Annotations.of(List.of(constant), 0).text("JsonProperty", "value");
                    names.add(stated == null ? constant.fieldName().stringValue() : stated);
                });
        return ModelField.of(name, "enum").with("values", List.copyOf(names));
    }
}
