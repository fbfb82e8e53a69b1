package io.millrace.view.type;

import io.millrace.codec.bytecode.PropertyNames;
import io.millrace.codec.javatype.ProvidedMethods;
import io.millrace.codec.javatype.TypeProblem;
import io.millrace.codec.javatype.ViewRules;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shapes;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * A method of a type that reads or writes a member of a record.
 *
 * @param owner the type, which may have arguments for type variables of the method
 * @param member the member, or null if the value is computed
 * @param setter whether the method writes
 * @param computed name of the computed value, or null
 * @param end name of the member if the schema leaves it out, because its type contains itself, or null
 */
public record Accessor(
        Class<?> owner,
        Method method,
        @Nullable Member member,
        boolean setter,
        @Nullable String computed,
        @Nullable String end) {

    /** Names of methods that views always implement if an interface declares them. */
    private static final Set<String> PROVIDED = Set.of("compareTo", "clone");

    /** Returns whether the method reads what records contain, or what the schema leaves out of them. */
    public boolean getsMember() {
        return !setter && (member != null || end != null);
    }

    /** Returns the name of the member, or null if the value is computed. */
    public @Nullable String memberName() {
        return member == null ? end : member.name();
    }

    /** Returns the type of the value. */
    public ResolvableType type() {
        return setter
                ? ResolvableType.forMethodParameter(method, 0, owner)
                : ResolvableType.forMethodReturnType(method, owner);
    }

    /** Returns the type of the value in the descriptor of the method. */
    public Class<?> rawType() {
        return setter ? method.getParameterTypes()[0] : method.getReturnType();
    }

    /**
     * Returns the accessors of a type, getters first.
     *
     * @param members members by name
     * @param ends names of members that the schema leaves out
     * @param computed names of computed values
     * @param root whether the views are of whole records
     * @throws IllegalArgumentException if the type can't be implemented or subclassed, or if an abstract method is not
     *     a getter or setter of a member
     */
    public static List<Accessor> of(
            Class<?> type, Map<String, Member> members, Set<String> ends, Set<String> computed, boolean root) {
        requireOpen(type);
        List<Accessor> accessors = new ArrayList<>();
        for (Method method : methods(type)) {
            boolean required = Modifier.isAbstract(method.getModifiers());
            Set<String> names = new LinkedHashSet<>(members.keySet());
            names.addAll(ends);
            String name = name(method, required, names, computed);
            if (name != null) {
                Accessor accessor = new Accessor(
                        type,
                        method,
                        members.get(name),
                        method.getParameterCount() == 1,
                        computed.contains(name) ? name : null,
                        ends.contains(name) ? name : null);
                accessor.requireVisibleType();
                accessors.add(accessor);
            } else if (required && !isProvided(method, root)) {
                throw new IllegalArgumentException(method.toGenericString()
                        + " is not a getter or setter of a field. Fields: " + members.keySet());
            }
        }
        accessors.sort(Comparator.comparing(Accessor::setter)
                .thenComparing(each -> each.method.getName())
                .thenComparing(each -> each.method.toString()));
        return accessors;
    }

    /**
     * Returns the names of the fields for which an interface has getters.
     *
     * @param names names of the available fields
     */
    public static List<String> fields(Class<?> view, Collection<String> names) {
        Set<String> found = new LinkedHashSet<>();
        Map<String, List<String>> byMember = new LinkedHashMap<>();
        for (String name : names) {
            String first = name.split("[.\\[]", 2)[0];
            byMember.computeIfAbsent(first, _ -> new ArrayList<>()).add(name);
        }
        for (Accessor accessor : of(view, Shapes.ofNames(byMember.keySet()).members(), Set.of(), Set.of(), true)) {
            if (accessor.member() != null && !accessor.setter()) {
                found.addAll(
                        Objects.requireNonNull(byMember.get(accessor.member().name())));
            }
        }
        return List.copyOf(found);
    }

    private static boolean isProvided(Method method, boolean root) {
        MethodModel model = ClassFiles.method(method);
        return PROVIDED.contains(method.getName()) || (model != null && ProvidedMethods.contain(model, root));
    }

    private static void requireOpen(Class<?> type) {
        TypeProblem problem = ViewRules.closed(DeclaredTypes.of(type));
        if (problem != null) {
            throw new IllegalArgumentException(problem.message(type.getName(), ""));
        }
    }

    private void requireVisibleType() {
        Class<?> valueType = rawType();
        while (valueType.isArray()) {
            valueType = valueType.componentType();
        }
        boolean samePackage = valueType.getPackageName().equals(owner.getPackageName())
                && Objects.equals(valueType.getClassLoader(), owner.getClassLoader());
        if ((valueType.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0 && !samePackage) {
            throw new IllegalArgumentException(
                    ViewRules.hidden(method.getName(), valueType.getName()).message(owner.getName(), ""));
        }
    }

    /** Returns the methods that a subclass can replace, each once, except those of {@link Object}. */
    static List<Method> methods(Class<?> type) {
        List<Method> methods = new ArrayList<>(Arrays.asList(type.getMethods()));
        if (!type.isInterface()) {
            for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
                for (Method method : each.getDeclaredMethods()) {
                    if (!Modifier.isPrivate(method.getModifiers())
                            && !Modifier.isPublic(method.getModifiers())
                            && methods.stream().noneMatch(other -> sameSignature(other, method))) {
                        methods.add(method);
                    }
                }
            }
        }
        return methods.stream()
                .filter(method -> !Modifier.isStatic(method.getModifiers())
                        && !Modifier.isFinal(method.getModifiers() & ~(type.isRecord() ? Modifier.FINAL : 0))
                        && method.getDeclaringClass() != Object.class
                        && !method.isBridge()
                        && !isOfObject(method)
                        && isVisible(method, type))
                .collect(Collectors.toMap(
                        method -> method.getName() + ClassFiles.descriptor(method),
                        Function.identity(),
                        (first, _) -> first, // the same method of two interfaces
                        TreeMap::new)) // reflection returns them in any order
                .values()
                .stream()
                .toList();
    }

    /** Returns whether a class in the package of a type can replace a method. */
    private static boolean isVisible(Method method, Class<?> type) {
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                || method.getDeclaringClass().getPackageName().equals(type.getPackageName());
    }

    private static boolean sameSignature(Method one, Method other) {
        return one.getName().equals(other.getName())
                && Arrays.equals(one.getParameterTypes(), other.getParameterTypes())
                && one.getReturnType() == other.getReturnType();
    }

    static boolean isOfObject(Method method) {
        try {
            var _ = Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException _) {
            return false;
        }
    }

    /** Returns the name of the member that a method reads or writes, or null. */
    private static @Nullable String name(Method method, boolean required, Set<String> members, Set<String> computed) {
        String name = method.getName();
        boolean bean = !method.getDeclaringClass().isInterface()
                && !method.getDeclaringClass().isRecord();
        boolean concrete = !required && !method.getDeclaringClass().isRecord();
        if (concrete && !bean) {
            return null;
        }
        List<String> candidates = new ArrayList<>(PropertyNames.of(name, ClassFiles.descriptor(method)));
        if (!concrete && method.getParameterCount() == 0 && method.getReturnType() != void.class) {
            candidates.addFirst(name);
        }
        return candidates.stream()
                .map(candidate -> renamed(method, candidate, members))
                .filter(candidate -> members.contains(candidate)
                        || (method.getParameterCount() == 0 && computed.contains(candidate)))
                .findFirst()
                .orElse(null);
    }

    private static String renamed(Method method, String property, Set<String> members) {
        String renamed = JsonNames.of(method, property);
        return renamed != null && members.contains(renamed) ? renamed : property;
    }
}
