package io.millrace.model.classfile;

import io.millrace.codec.javatype.AccessorMethod;
import io.millrace.codec.javatype.DeclaredType;
import io.millrace.codec.javatype.DeclaredType.Declared;
import io.millrace.codec.javatype.Equality;
import io.millrace.codec.javatype.ProvidedMethods;
import io.millrace.codec.javatype.RecordConstructor;
import io.millrace.codec.javatype.SubclassMembers;
import io.millrace.codec.javatype.TypeProblem;
import io.millrace.codec.javatype.TypeProblem.Option;
import io.millrace.codec.javatype.ViewRules;
import java.lang.classfile.ClassModel;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what {@code RecordViews} refuses of the types of an import, and what views of them do differently. A problem
 * that can be accepted is one unless its name is allowed. Not thread-safe.
 */
final class ViewChecks {

    /** Abstract methods that views implement although they are not those of a member. */
    private static final Set<String> IMPLEMENTED = Set.of(
            "compareTo(Ljava/lang/Object;)", "clone()", "equals(Ljava/lang/Object;)", "hashCode()", "toString()");

    private static final Pattern CLASS_NAME = Pattern.compile("L([^;]+);");
    private static final Pattern SHELL_WORD = Pattern.compile("\\w+");

    private final ClassPath classes;
    private final Set<String> allowed;
    private final Set<String> problems = new LinkedHashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Set<String> byIdentity = new LinkedHashSet<>();
    private final Set<String> texts = new LinkedHashSet<>();
    private final Set<String> accepted = new TreeSet<>();
    private final Map<Option, Set<String>> calls = new EnumMap<>(Option.class);

    /** @param allowed names for which problems are accepted */
    ViewChecks(ClassPath classes, Set<String> allowed) {
        this.classes = classes;
        this.allowed = allowed;
    }

    /** Returns all problems, and the allowed names for which there is none. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        allowed.stream()
                .filter(name -> !accepted.contains(name))
                .forEach(name -> all.add("Unknown name '" + name + "' of --allow. No type needs it: remove it."));
        return all;
    }

    /** Returns what views do differently, a line each. */
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (!byIdentity.isEmpty()) {
            all.add("Views are equal if all their members are. Objects of these classes are equal only to themselves: "
                    + String.join(", ", byIdentity) + ".");
        }
        if (!texts.isEmpty()) {
            all.add(
                    "Views have a text of all their members. These classes have a toString that uses fields or the class: "
                            + String.join(", ", texts) + ".");
        }
        if (!calls.isEmpty()) {
            all.add(needed());
        }
        return all;
    }

    /** Returns comment lines about what was accepted. */
    List<String> comments() {
        List<String> comments = new ArrayList<>();
        if (!accepted.isEmpty()) {
            comments.add("# Accepted by --allow: " + String.join(", ", accepted) + ".");
        }
        if (!calls.isEmpty()) {
            comments.add("# " + needed());
        }
        return comments;
    }

    private String needed() {
        return "The builder of RecordViews needs "
                + calls.entrySet().stream()
                        .map(each -> each.getKey().call(each.getValue()))
                        .collect(Collectors.joining(" and "))
                + ".";
    }

    /**
     * Checks a type of which views are created.
     *
     * @param members all its members
     * @param without names of the members that are not part of the schema
     * @param root whether it is the type of the records
     */
    void check(ClassModel model, List<JavaMember> members, Set<String> without, boolean root) {
        List<DeclaredType> supertypes = supertypes(model);
        DeclaredType type = supertypes.getFirst();
        List<AccessorMethod> accessors = TypeAccessors.of(supertypes, TypeAccessors.names(members, without));
        List<TypeProblem> found = new ArrayList<>(hidden(type, accessors));
        TypeProblem closed = ViewRules.closed(type);
        if (closed != null) {
            found.add(closed);
        }
        if (type.record()) {
            found.addAll(ViewRules.bodies(accessors));
            found.addAll(RecordConstructor.check(model));
        } else {
            abstractMethods(supertypes, members, without, root, found);
            if (!type.is(Modifier.INTERFACE)) {
                classChecks(supertypes, accessors, without, found);
            }
        }
        members.stream()
                .filter(member -> !member.computed() && !without.contains(member.name()))
                .forEach(member -> found.addAll(SetterTypes.check(member)));
        found.forEach(problem -> add(type, problem));
    }

    /** Finds the getters and setters whose type is not visible in the package of the class. */
    private List<TypeProblem> hidden(DeclaredType type, List<AccessorMethod> accessors) {
        List<TypeProblem> found = new ArrayList<>();
        for (AccessorMethod accessor : accessors) {
            Matcher valueType = CLASS_NAME.matcher(accessor.descriptor());
            ClassModel model = valueType.find() ? classes.findAny(valueType.group(1)) : null;
            DeclaredType declared = model == null ? null : DeclaredType.of(model);
            if (declared != null
                    && !declared.is(Modifier.PUBLIC | Modifier.PROTECTED)
                    && !declared.packageName().equals(type.packageName())) {
                found.add(ViewRules.hidden(accessor.name(), declared.javaName()));
            }
        }
        return found;
    }

    private void classChecks(
            List<DeclaredType> supertypes,
            List<AccessorMethod> accessors,
            Set<String> without,
            List<TypeProblem> found) {
        DeclaredType type = supertypes.getFirst();
        List<DeclaredType> lineage =
                supertypes.stream().filter(each -> !each.is(Modifier.INTERFACE)).toList();
        String superclass = lineage.getLast().supertypes().getFirst();
        if (!superclass.equals("java/lang/Object")) {
            found.add(new TypeProblem(
                    "its superclass " + superclass.replace('/', '.') + " is not in " + classes.entries(),
                    "Add its classes",
                    null,
                    ""));
        }
        ViewRules.Result result = ViewRules.check(
                lineage,
                accessors,
                users(lineage),
                each -> supertypes(Objects.requireNonNull(each.model())).stream()
                        .anyMatch(supertype -> supertype.supertypes().contains(ViewRules.SERIALIZABLE)));
        Set<String> leftOut = TypeAccessors.methods(supertypes, without);
        for (TypeProblem problem : result.problems()) {
            if (problem.option() == Option.ALLOW_FIELD_USE && leftOut.contains(problem.name())) {
                need(problem);
            } else {
                found.add(problem);
            }
        }
        found.addAll(ConstrainedFields.check(classes, lineage, accessors));
        Equality equality = Equality.of(lineage, accessors, result.usingFields());
        if (equality != null && equality.compared().isEmpty()) {
            byIdentity.add(type.javaName());
        } else if (equality != null) {
            notes.add("Views are equal if all their members are. Objects of " + type.javaName()
                    + " are equal if these fields are: " + String.join(", ", equality.compared()) + ".");
        }
        if (result.usingFields().stream().anyMatch(method -> method.startsWith("toString()"))) {
            texts.add(type.javaName());
        }
    }

    /** Adds the methods that views can't implement, unless the builder can compute what they return. */
    private void abstractMethods(
            List<DeclaredType> supertypes,
            List<JavaMember> members,
            Set<String> without,
            boolean root,
            List<TypeProblem> found) {
        Set<String> names = TypeAccessors.names(members, without);
        Set<String> seen = new HashSet<>();
        for (DeclaredType each : supertypes) {
            for (Declared method : each.methods()) {
                boolean open = seen.add(method.name() + method.descriptor())
                        && method.is(Modifier.ABSTRACT)
                        && !IMPLEMENTED.contains(method.signature())
                        && !ProvidedMethods.contain(TypeAccessors.model(each, method), root)
                        && TypeAccessors.member(each, method, names) == null;
                String left = open && method.descriptor().startsWith("()")
                        ? TypeAccessors.member(each, method, without)
                        : null;
                if (left != null) {
                    notes.add("Left out " + left + ": the builder of RecordViews needs computed(\"" + left
                            + "\", …) for " + supertypes.getFirst().javaName() + "." + method.name() + ".");
                } else if (open) {
                    found.add(new TypeProblem(
                            "its method " + method.name() + " is abstract, and is not a getter or setter of a field",
                            "Implement it as a default method",
                            null,
                            method.name()));
                }
            }
        }
    }

    /** Returns the classes whose methods may use the fields of a class: all of its package. */
    private List<ClassModel> users(List<DeclaredType> lineage) {
        return lineage.stream()
                .flatMap(each -> classes.find(each.name()) == null
                        ? List.of(Objects.requireNonNull(each.model())).stream()
                        : classes.inPackageOf(each.name()).stream())
                .distinct()
                .toList();
    }

    private List<DeclaredType> supertypes(ClassModel model) {
        return DeclaredType.of(model).withSupertypes(name -> {
            ClassModel found = classes.findAny(name);
            return found == null ? null : DeclaredType.of(found);
        });
    }

    /**
     * Finds subclasses of a type with members that views would lose.
     *
     * @param stated subclasses that the type states
     * @param root whether it is the type of the records, which an application chooses
     */
    void checkSubclasses(
            ClassModel model, List<JavaMember> members, Set<String> without, List<String> stated, boolean root) {
        List<DeclaredType> supertypes = supertypes(model);
        DeclaredType type = supertypes.getFirst();
        if (type.is(Modifier.FINAL)) {
            return;
        }
        SubclassMembers own = new SubclassMembers(
                supertypes,
                TypeAccessors.of(supertypes, TypeAccessors.names(members, without)).stream()
                        .map(AccessorMethod::signature)
                        .collect(Collectors.toSet()));
        List<ClassModel> subclasses = classes.subtypes(type.name(), stated);
        Set<String> ends = subclasses.stream()
                .map(each -> each.thisClass().asInternalName())
                .collect(Collectors.toCollection(HashSet::new));
        ends.add(type.name());
        for (ClassModel each : subclasses) {
            DeclaredType subclass = DeclaredType.of(each);
            List<DeclaredType> lineage = Stream.concat(
                            Stream.of(subclass),
                            supertypes(each).stream()
                                    .skip(1)
                                    .takeWhile(next -> !ends.contains(next.name()) && !next.is(Modifier.INTERFACE)))
                    .toList();
            List<String> lost = own.lost(lineage);
            if (!lost.isEmpty()) {
                TypeProblem problem = new TypeProblem(
                        "its subclass " + subclass.javaName() + " has members that they would lose: " + lost,
                        "State all subclasses by 'sealed' or @JsonSubTypes",
                        Option.IGNORE_MEMBERS,
                        simpleName(subclass));
                if (root && !allowed.contains(problem.name())) {
                    notes.add("Views of " + type.javaName() + " refuse objects of " + subclass.javaName()
                            + ", because they would lose its members: " + lost + ".");
                } else {
                    add(type, problem);
                }
            }
        }
    }

    /** Adds a problem that only the import finds. */
    void add(ClassModel model, TypeProblem problem) {
        add(DeclaredType.of(model), problem);
    }

    private void add(DeclaredType type, TypeProblem problem) {
        String simple = simpleName(type);
        if (allowed.contains(simple)) {
            accepted.add(simple);
        } else if (problem.option() != null && allowed.contains(problem.name())) {
            accepted.add(problem.name());
            need(problem);
        } else {
            problems.add(problem.message(
                    type.javaName(),
                    problem.option() == null
                            ? "--allow " + simple + " if you create no views of it"
                            : "--allow " + quoted(problem.name())));
        }
    }

    /** Returns a name as shells take it. */
    private static String quoted(String name) {
        return SHELL_WORD.matcher(name).matches() ? name : "'" + name + "'";
    }

    private static String simpleName(DeclaredType type) {
        return type.name()
                .substring(Math.max(type.name().lastIndexOf('/'), type.name().lastIndexOf('$')) + 1);
    }

    private void need(TypeProblem problem) {
        Option option = Objects.requireNonNull(problem.option());
        if (option != Option.IMPORT) {
            calls.computeIfAbsent(option, _ -> new TreeSet<>()).add(problem.name());
        }
    }
}
