package io.millrace.codec.javatype;

import io.millrace.codec.bytecode.AccessorBody;
import io.millrace.codec.bytecode.FieldUses;
import io.millrace.codec.bytecode.FieldUses.Use;
import io.millrace.codec.javatype.DeclaredType.Declared;
import io.millrace.codec.javatype.TypeProblem.Option;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a class can be extended by views that behave like its objects: the values of a view are in bytes, and
 * its fields are unused. Not thread-safe.
 */
public final class ViewRules {

    /** Internal name of the interface of classes whose objects can be serialized. */
    public static final String SERIALIZABLE = "java/io/Serializable";

    private static final String CLONE = "clone()";
    private static final String EQUALS = "equals(Ljava/lang/Object;)Z";
    private static final String HASH_CODE = "hashCode()I";
    private static final String TO_STRING = "toString()Ljava/lang/String;";

    /** Methods by which a class changes how its objects are serialized; views have a form of their own. */
    private static final Set<String> SERIALIZATION = Set.of(
            "readResolve()",
            "writeReplace()",
            "readObjectNoData()",
            "readObject(Ljava/io/ObjectInputStream;)",
            "writeObject(Ljava/io/ObjectOutputStream;)",
            "readExternal(Ljava/io/ObjectInput;)",
            "writeExternal(Ljava/io/ObjectOutput;)");

    /** States the fields that are serialized. */
    private static final String SERIAL_FIELDS = "serialPersistentFields";

    private final DeclaredType type;
    private final List<DeclaredType> classes;
    private final List<AccessorMethod> accessors;
    private final List<TypeProblem> problems = new ArrayList<>();
    private final Set<String> usingFields = new HashSet<>();

    private ViewRules(List<DeclaredType> classes, List<AccessorMethod> accessors) {
        this.type = classes.getFirst();
        this.classes = classes;
        this.accessors = accessors;
    }

    /**
     * What views of a type change.
     *
     * @param problems why it is refused
     * @param usingFields names and descriptors of those methods of {@link Object} that views replace, because they use
     *     fields: {@code equals}, {@code hashCode}, {@code toString} and {@code clone}
     */
    public record Result(List<TypeProblem> problems, Set<String> usingFields) {}

    /** Returns why a type can't be implemented or subclassed, or null if it can. */
    public static @Nullable TypeProblem closed(DeclaredType type) {
        boolean open = type.record() || (!type.sealed() && !type.is(Modifier.FINAL) && !type.is(Modifier.PRIVATE));
        return open
                ? null
                : new TypeProblem(
                        "it is " + (type.sealed() ? "sealed" : type.is(Modifier.FINAL) ? "final" : "private"),
                        "Use an interface, a record class, or a class that can be subclassed",
                        null,
                        "");
    }

    /**
     * Returns the problem of a member whose type is a variable for which the class states no type.
     *
     * @param member the member or its accessor, for messages
     */
    public static TypeProblem open(String member, String variable) {
        return new TypeProblem(
                "its " + member + " has the type variable " + variable + ", so that its values may be of any type",
                "Use a subclass that states the type",
                null,
                "");
    }

    /**
     * Returns the problem of a getter or setter whose type the views, which are in the package of their type, can't
     * use.
     */
    public static TypeProblem hidden(String method, String valueType) {
        return new TypeProblem(
                "its method " + method + " has the type " + valueType + ", which is not public and in another package",
                "Make the type public",
                null,
                method);
    }

    /** Returns the problem of a field with constraints that no getter of a view has the value of. */
    public static TypeProblem unreadConstraint(String field) {
        return new TypeProblem(
                "its field '" + field
                        + "' has constraints, but no getter of a field of the schema returns it, and views"
                        + " do not use the field",
                "Move the constraints to a getter",
                null,
                field);
    }

    /** Returns the problem of an annotation that orders the constraints of a class. */
    public static TypeProblem orderedConstraints(String annotation) {
        return new TypeProblem(
                "@" + annotation + " orders constraints on fields, which views do not use",
                "Move them to getters",
                null,
                annotation);
    }

    /**
     * Checks a class that is not a class of Java records.
     *
     * @param classes the class and its superclasses, except Object
     * @param accessors methods that views override, getters first
     * @param used classes whose methods may use the fields, such as those that are nested in the class
     * @param serializable returns whether the objects of a class can be serialized
     */
    public static Result check(
            List<DeclaredType> classes,
            List<AccessorMethod> accessors,
            List<ClassModel> used,
            Predicate<DeclaredType> serializable) {
        ViewRules rules = new ViewRules(classes, accessors);
        rules.constructor();
        rules.gettersInConstructors();
        rules.publicFields();
        rules.problems.addAll(bodies(accessors));
        rules.fieldUse(used);
        rules.objectMethods();
        rules.cloning();
        rules.serialization(serializable);
        return new Result(List.copyOf(rules.problems), Set.copyOf(rules.usingFields));
    }

    /** Returns the getters and setters that do more than return or set the field of their member. */
    public static List<TypeProblem> bodies(List<AccessorMethod> accessors) {
        List<TypeProblem> problems = new ArrayList<>();
        Map<String, String> fields = new HashMap<>();
        for (AccessorMethod accessor : accessors) {
            if (accessor.model() == null) {
                continue;
            }
            if (!AccessorBody.isPlain(accessor.model())) {
                problems.add(body(accessor, "does more than return or set a field"));
            }
            String field = AccessorBody.field(accessor.model());
            String other = field == null ? null : fields.putIfAbsent(accessor.member(), field);
            if (field != null && other != null && !other.equals(field)) {
                problems.add(body(
                        accessor,
                        "uses the field " + field.replace('/', '.') + ", and another accessor of its member "
                                + other.replace('/', '.')));
            }
        }
        return problems;
    }

    private static TypeProblem body(AccessorMethod accessor, String problem) {
        return new TypeProblem(
                "its method " + accessor.name() + " " + problem
                        + ", and views would return or set the value in the bytes",
                "",
                Option.REPLACE_BODIES,
                accessor.name());
    }

    private void refuse(String reason, String advice, @Nullable Option option, String name) {
        problems.add(new TypeProblem(reason, advice, option, name));
    }

    private void constructor() {
        boolean present = type.methods().stream()
                .anyMatch(method -> method.name().equals(ConstantDescs.INIT_NAME)
                        && method.descriptor().equals("()V")
                        && !method.is(Modifier.PRIVATE));
        if (!present) {
            refuse(
                    "it has no constructor without parameters that views can call",
                    "Add a constructor without parameters that is not private",
                    null,
                    "");
        }
    }

    /** Refuses constructors that read what a view does not have yet. */
    private void gettersInConstructors() {
        Set<String> getters = accessors.stream()
                .filter(AccessorMethod::getter)
                .map(AccessorMethod::signature)
                .collect(Collectors.toSet());
        for (DeclaredType each : classes) {
            if (each.model() != null) {
                FieldUses.calls(each.model(), ConstantDescs.INIT_NAME, "()V").stream()
                        .filter(getters::contains)
                        .findFirst()
                        .ifPresent(getter -> refuse(
                                "the constructor of " + each.javaName() + " calls "
                                        + getter.substring(0, getter.indexOf('('))
                                        + ", and a view has no values before its constructor returns",
                                "Use the field",
                                null,
                                ""));
            }
        }
    }

    private void publicFields() {
        classes.stream()
                .flatMap(each -> each.fields().stream())
                .filter(field -> field.is(Modifier.PUBLIC) && !field.is(Modifier.STATIC))
                .forEach(field -> refuse(
                        "its field '" + field.name() + "' is public, and a view does not have its value",
                        "Make it private",
                        Option.ALLOW_FIELD_USE,
                        field.name()));
    }

    private void fieldUse(List<ClassModel> used) {
        Set<String> names =
                classes.stream().map(DeclaredType::name).collect(Collectors.toCollection(LinkedHashSet::new));
        Set<String> overridden =
                accessors.stream().map(AccessorMethod::signature).collect(Collectors.toSet());
        Set<String> platform = new HashSet<>();
        for (ClassModel each : used) {
            Set<String> replaced = new HashSet<>(overridden);
            replaced.addAll(inheritedFromObject(each.thisClass().asInternalName()));
            for (Use use : FieldUses.of(each, names, replaced)) {
                String method = use.method() + use.descriptor();
                boolean own = names.contains(use.owner()) && !use.method().equals(ConstantDescs.INIT_NAME);
                if (own && isOfObject(method)) {
                    usingFields.add(method);
                } else if (use.owner().startsWith("java/")) {
                    platform(use, platform);
                } else if (!(own && overridden.contains(method))) {
                    fieldUse(use);
                }
            }
        }
        if (usingFields.contains(EQUALS) || usingFields.contains(HASH_CODE)) {
            // Equal objects have equal hash codes only if both use the same values.
            usingFields.addAll(List.of(EQUALS, HASH_CODE));
        }
    }

    /** Returns the methods of Object that none of the superclasses of a class replaces. */
    private Set<String> inheritedFromObject(String name) {
        Set<String> inherited = new HashSet<>(Set.of(EQUALS, HASH_CODE, TO_STRING));
        classes.stream()
                .dropWhile(each -> !each.name().equals(name))
                .skip(1)
                .flatMap(each -> each.methods().stream())
                .forEach(method -> inherited.remove(method.name() + method.descriptor()));
        return inherited;
    }

    private void fieldUse(Use use) {
        refuse("the " + use.show() + use.effect(), use.advice(), Option.ALLOW_FIELD_USE, use.method());
    }

    /** Adds one problem for a class of the JDK, instead of one for each of its methods. */
    private void platform(Use use, Set<String> found) {
        String superclass = use.owner().split("\\$", 2)[0];
        if (found.add(superclass)) {
            String simple = superclass.substring(superclass.lastIndexOf('/') + 1);
            refuse(
                    "its superclass " + superclass.replace('/', '.') + use.effect(),
                    "Use a member of this type instead of extending it",
                    Option.ALLOW_FIELD_USE,
                    simple);
        }
    }

    private static boolean isOfObject(String method) {
        return method.equals(EQUALS)
                || method.equals(HASH_CODE)
                || method.equals(TO_STRING)
                || method.startsWith(CLONE);
    }

    /** Refuses methods that views would have to replace, but can't. */
    private void objectMethods() {
        Set<String> found = new HashSet<>();
        for (DeclaredType each : classes) {
            for (Declared method : each.methods()) {
                boolean copies = method.signature().equals(CLONE) && !method.is(Modifier.PRIVATE);
                boolean uses = usingFields.contains(method.name() + method.descriptor());
                if ((copies || uses) && found.add(method.signature()) && method.is(Modifier.FINAL)) {
                    refuse(
                            "its method " + method.name() + " is final, and "
                                    + (copies
                                            ? "would share the bytes with the original"
                                            : "uses fields, which a view does not have"),
                            "Remove 'final'",
                            null,
                            method.name());
                }
            }
        }
    }

    /** Refuses a {@code clone} that sets a member of the copy: views copy all members. */
    private void cloning() {
        for (DeclaredType each : classes) {
            if (each.model() != null && !each.isOfPlatform()) {
                each.model().methods().stream()
                        .filter(method -> method.methodName().equalsString("clone")
                                && method.methodTypeSymbol().parameterCount() == 0
                                && sets(method))
                        .findFirst()
                        .ifPresent(_ -> refuse(
                                "its method clone changes the copy, and views copy all members",
                                "",
                                Option.REPLACE_BODIES,
                                "clone"));
            }
        }
    }

    /** Returns whether a method calls a setter, or sets a field to a constant. */
    private boolean sets(MethodModel method) {
        Set<String> setters = accessors.stream()
                .filter(accessor -> !accessor.getter())
                .map(AccessorMethod::signature)
                .collect(Collectors.toSet());
        CodeElement before = null;
        for (CodeElement element :
                method.code().<Iterable<CodeElement>>map(code -> code).orElse(List.of())) {
            boolean constant = before instanceof ConstantInstruction
                    && element instanceof FieldInstruction field
                    && field.opcode() == Opcode.PUTFIELD;
            boolean call = element instanceof InvokeInstruction invoke
                    && setters.contains(
                            invoke.name().stringValue() + invoke.type().stringValue());
            if (constant || call) {
                return true;
            }
            if (element instanceof Instruction) {
                before = element;
            }
        }
        return false;
    }

    private void serialization(Predicate<DeclaredType> serializable) {
        for (DeclaredType each : classes) {
            for (Declared method : each.methods()) {
                if (SERIALIZATION.contains(method.signature()) && !each.isOfPlatform()) {
                    boolean closed = method.name().equals("writeReplace") && method.is(Modifier.FINAL);
                    refuse(
                            "its method " + method.name() + " changes how objects are serialized, and views have a"
                                    + " serialized form of their own",
                            closed ? "Remove 'final'" : "",
                            closed ? null : Option.REPLACE_SERIALIZATION,
                            method.name());
                }
            }
        }
        fieldsOfSerialization(serializable);
    }

    /** Refuses members whose values are not part of serialized objects: those of views would be. */
    private void fieldsOfSerialization(Predicate<DeclaredType> serializable) {
        Set<String> members = new HashSet<>();
        for (AccessorMethod accessor : accessors) {
            String field = accessor.model() == null ? null : AccessorBody.field(accessor.model());
            if (field != null) {
                members.add(field);
            }
        }
        for (DeclaredType each : classes) {
            each.fields().stream()
                    .filter(field -> field.is(Modifier.STATIC) && field.name().equals(SERIAL_FIELDS))
                    .forEach(field -> refuse(
                            "its field '" + field.name() + "' changes how objects are serialized, and views have a"
                                    + " serialized form of their own",
                            "",
                            Option.REPLACE_SERIALIZATION,
                            field.name()));
            each.fields().stream()
                    .filter(field -> field.is(Modifier.TRANSIENT) && members.contains(each.name() + "." + field.name()))
                    .forEach(field -> refuse(
                            "its field '" + field.name() + "' is transient, and serialized views contain its value",
                            "Remove 'transient'",
                            Option.REPLACE_SERIALIZATION,
                            field.name()));
            if (serializable.test(type) && !serializable.test(each)) {
                each.fields().stream()
                        .filter(field -> members.contains(each.name() + "." + field.name()))
                        .forEach(field -> refuse(
                                "its field '" + field.name() + "' is that of " + each.javaName()
                                        + ", which is not Serializable, and serialized views contain its value",
                                "Make the superclass Serializable",
                                Option.REPLACE_SERIALIZATION,
                                field.name()));
            }
        }
    }
}
