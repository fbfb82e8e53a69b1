package io.millrace.model.classfile;

import io.millrace.codec.javatype.ViewRules;
import io.millrace.model.ModelException;
import io.millrace.model.ModelField;
import io.millrace.model.ModelSchema;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Signature;
import java.lang.reflect.AccessFlag;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Imports a schema of the compact layout from a compiled class: an interface with getters, a JavaBean or a record. Not
 * thread-safe.
 */
public final class ClassImport {

    private static final String DIGITS = "digits";
    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final ClassPath classes;
    private final Options options;
    private final Set<String> leaving = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final ValueNotes values = new ValueNotes();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final ImportedTypes types = new ImportedTypes();
    private final BeanConstraints constraints;
    private final ViewChecks views;

    /** A type that contains the current one, and the member that leads to it. */
    private record Step(String type, String member) {}

    private ClassImport(ClassPath classes, Options options) {
        this.classes = classes;
        this.options = options;
        this.constraints = new BeanConstraints(classes, notes);
        this.views = new ViewChecks(classes, options.allowed());
    }

    /**
     * An imported schema.
     *
     * @param notes what was left out, and what views do differently, a line each
     */
    public record Result(ModelSchema schema, List<String> notes) {}

    /**
     * What an import does otherwise than by default.
     *
     * @param leftOut paths of members to leave out, such as {@code legs.parent}
     * @param depth how many levels a type that contains itself has in a record; 0 refuses such types
     * @param allowed names of methods, fields and subclasses for which it is accepted that views differ from objects
     * @param keepDigits whether a field of its own keeps the number of decimals of each {@code BigDecimal}
     */
    public record Options(Set<String> leftOut, int depth, Set<String> allowed, boolean keepDigits) {

        public static final Options NONE = new Options(Set.of(), 0, Set.of(), false);
    }

    /**
     * Imports a class.
     *
     * @param name name of the schema
     * @param root name of the class with its package; a nested class follows its class with a dot or a dollar sign
     * @param classPath folders and jar files
     * @throws ModelException if a type can't be described by a schema, or if {@code RecordViews} would refuse it; the
     *     message contains all reasons with the member of each
     */
    public static Result read(String name, String root, List<Path> classPath, Options options) throws IOException {
        try (ClassPath classes = new ClassPath(classPath)) {
            ClassImport reader = new ClassImport(classes, options);
            ModelSchema schema = reader.schema(name, root);
            return new Result(schema, List.copyOf(reader.notes));
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
        if (Hierarchy.of(model) != null) {
            problems.add("Type " + JavaTypes.show(type)
                    + " of the records has subclasses, whose own members would be lost. Import one of them.");
        }
        schema.fields().addAll(members(type, model, "", Scope.RECORD, Set.of()));
        schema.constrain(constraints.conditions());
        Set<String> unknown = new LinkedHashSet<>(options.leftOut());
        unknown.removeAll(leaving);
        unknown.forEach(
                path -> problems.add("Unknown member '" + path + "' of --leave-out. Use a path such as legs.parent."));
        problems.addAll(views.problems());
        if (!problems.isEmpty()) {
            throw new ModelException(problems);
        }
        schema.head().addAll(views.comments());
        notes.addAll(views.notes());
        types.name(schema, JavaTypes.show(type));
        notes.addAll(values.all());
        return schema;
    }

    /** @param inherited names of members to pass over, because the group has them already */
    private List<ModelField> members(
            Signature.ClassTypeSig type, ClassModel model, String prefix, Scope scope, Set<String> inherited) {
        String name = JavaTypes.show(type);
        constraints.refuse(Annotations.of(List.of(model), 0), "Type " + name);
        List<JavaMember> all = JavaMembers.of(classes, model, type, prefix.isEmpty());
        Set<String> without = without(all, prefix, inherited);
        List<JavaMember> members = all.stream()
                .filter(member -> !member.ignored() && !inherited.contains(member.name()))
                .toList();
        List<ModelField> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JavaMember member : members) {
            String path = prefix + member.name();
            if (member.computed()) {
                notes.add("Left out " + noted(name, path) + ": " + name + " computes it.");
                constraints.refuse(member.annotations(), noted(name, path));
                continue;
            }
            if (options.leftOut().contains(path)) {
                leaving.add(path);
                continue;
            }
            steps.addLast(new Step(name, member.name()));
            ModelField field = field(member, path, scope);
            steps.removeLast();
            if (field != null && !names.add(field.name())) {
                problems.add(path + ": Duplicate name '" + field.name() + "' in " + name + ". Rename one.");
            } else if (field != null) {
                fields.add(field);
                addDigits(field, path, names, fields);
            }
        }
        checkViews(type, model, all, without, prefix.isEmpty());
        notes.addAll(JavaMembers.provided(model, prefix.isEmpty()).stream()
                .map(method -> "Left out " + noted(name, prefix + method) + ": views of " + name + " implement it.")
                .toList());
        boolean bare = fields.isEmpty() && members.stream().allMatch(JavaMember::computed);
        if (bare && inherited.isEmpty() && Hierarchy.of(model) == null) {
            problems.add((prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1) + ": ") + "No getters in "
                    + name + ". Use an interface or class with getters, or a record.");
        }
        return fields;
    }

    /**
     * Returns the name of a member in notes, which have each member of a type once: a type can be in many places.
     *
     * @param path path of the member; without a dot, it is one of the record itself
     */
    private static String noted(String type, String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? path : ImportedTypes.simpleName(type) + path.substring(dot);
    }

    /** Returns the names of the members that are not part of the schema. */
    private Set<String> without(List<JavaMember> all, String prefix, Set<String> inherited) {
        Set<String> without = new HashSet<>();
        for (JavaMember member : all) {
            String within = prefix;
            boolean left = member.ignored() || options.leftOut().contains(within + member.name());
            while (!left && inherited.contains(member.name()) && !within.isEmpty()) {
                within = within.substring(0, within.lastIndexOf('.', within.length() - 2) + 1);
                left = options.leftOut().contains(within + member.name());
            }
            if (left) {
                without.add(member.name());
            }
        }
        return without;
    }

    private void checkViews(
            Signature.ClassTypeSig type, ClassModel model, List<JavaMember> all, Set<String> without, boolean root) {
        Hierarchy hierarchy = Hierarchy.of(model);
        if (hierarchy == null || hierarchy.itself()) {
            views.check(model, all, without, root);
            if (!type.typeArgs().isEmpty()) {
                String internal = JavaTypes.internalName(type);
                JavaMembers.of(classes, model, Signature.ClassTypeSig.of(internal), root).stream()
                        .filter(member -> !without.contains(member.name()))
                        .forEach(member -> checkVariable(model, member));
            }
        }
        views.checkSubclasses(model, all, without, hierarchy == null ? List.of() : hierarchy.subclasses(), root);
    }

    private void checkVariable(ClassModel model, JavaMember member) {
        Signature value = Objects.requireNonNullElse(JavaTypes.present(member.type()), member.type());
        Signature single = JavaTypes.isList(value) ? JavaTypes.element(value) : value;
        if (single instanceof Signature.TypeVarSig variable) {
            views.add(model, ViewRules.open("member '" + member.name() + "'", variable.identifier()));
        }
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
        String noted = noted(steps.getLast().type(), path);
        String shown = JavaTypes.show(list ? JavaTypes.element(type) : type);
        if (options.keepDigits() && !list && shown.equals(ValueNotes.DECIMAL)) {
            field.with(DIGITS, name + "Digits");
        } else {
            values.add(noted, shown, field);
        }
        if (list) {
            if (!member.annotations(depth).required()) {
                values.addNullableList(noted);
            }
            constraints.addToValue(field, annotations, scope.values(name), noted);
            constraints.addToList(field, member.annotations(depth), scope, noted);
        } else {
            if (optional) {
                field.with("optional", true);
            }
            constraints.addToValue(field, annotations, scope, noted);
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

    /** Adds the field that has the number of decimals of another one, if there is one. */
    private void addDigits(ModelField field, String path, Set<String> names, List<ModelField> fields) {
        String digits = field.get(DIGITS) == null ? null : String.valueOf(field.get(DIGITS));
        if (digits != null && names.add(digits)) {
            fields.add(ModelField.of(digits, "i8").comment("number of decimals of " + field.name()));
        } else if (digits != null) {
            problems.add(path + ": The name '" + digits
                    + "' is that of another member. Rename it, or do not use --keep-digits.");
        }
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
        if (options.depth() > 0 && steps.stream().anyMatch(step -> step.type().equals(shown))) {
            return types.addEnd(ModelField.of(name, "group").with("depth", options.depth()), shown);
        }
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
                    + ". Use --depth with the number of levels that records have, --leave-out " + path
                    + ", or @JsonIgnore.");
            return null;
        }
        ModelField field = ModelField.of(name, "group");
        int before = problems.size();
        members(field, type, model, path, inner, Set.of());
        return problems.size() > before ? null : types.add(field, shown);
    }

    /** Adds the members of a type and, if it has subclasses, a group for those of each. */
    private void members(
            ModelField group,
            Signature.ClassTypeSig type,
            ClassModel model,
            String path,
            Scope scope,
            Set<String> inherited) {
        Hierarchy hierarchy = Hierarchy.of(model);
        group.fields().addAll(members(type, model, path + ".", scope, inherited));
        if (hierarchy == null) {
            return;
        }
        if (hierarchy.subclasses().isEmpty()) {
            refuse(path, type, "has subclasses according to @JsonTypeInfo that it does not name: add @JsonSubTypes");
            return;
        }
        Set<String> names = new HashSet<>(inherited);
        JavaMembers.of(classes, model, type, false).forEach(member -> names.add(member.name()));
        Deque<Step> around = new ArrayDeque<>(steps);
        steps.addLast(new Step(JavaTypes.show(type), "subclasses"));
        for (String internal : hierarchy.subclasses()) {
            ClassModel subclass = classes.find(internal);
            Signature.ClassTypeSig signature = Signature.ClassTypeSig.of(internal);
            if (subclass == null) {
                refuse(path, signature, "is not in " + classes.entries());
                continue;
            }
            String alternative = ImportedTypes.simpleName(JavaTypes.show(signature));
            String member = Character.toLowerCase(alternative.charAt(0)) + alternative.substring(1);
            ModelField fields = ModelField.of(member, "group");
            members(fields, signature, subclass, path + "." + member, scope.group(member, true), names);
            types.addAlternative(group, fields, JavaTypes.show(signature));
        }
        steps.clear();
        steps.addAll(around);
        if (hierarchy.itself()) {
            types.addItself(group);
        }
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
