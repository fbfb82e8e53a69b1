package io.millrace.view.type;

import io.millrace.codec.javatype.AccessorMethod;
import io.millrace.codec.javatype.TypeProblem;
import io.millrace.codec.javatype.ViewRules;
import io.millrace.codec.shape.Shape.Member;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which of {@code equals}, {@code hashCode} and {@code toString} views of a type replace: those that the type does not
 * have, or that use fields, which a view does not have. And {@code clone}, which views replace whenever a type has it.
 *
 * @param fieldUse names and descriptors of those of these methods that use fields
 */
public record ObjectMethods(Class<?> type, Set<String> fieldUse) {

    /**
     * Checks a type that views implement or extend.
     *
     * @param accessors methods that views override
     * @param accepted returns whether the application accepts a problem
     * @throws IllegalArgumentException if views of the class would differ from its objects; the message has a line for
     *     each reason that is not accepted
     */
    public static ObjectMethods of(Class<?> type, List<Accessor> accessors, Predicate<TypeProblem> accepted) {
        if (type.isInterface()) {
            return new ObjectMethods(type, Set.of());
        }
        Set<String> serializable = Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .filter(Serializable.class::isAssignableFrom)
                .map(Class::getName)
                .collect(Collectors.toSet());
        ViewRules.Result result = ViewRules.check(
                DeclaredTypes.classes(type),
                methods(accessors),
                FieldUse.classes(type),
                each -> serializable.contains(each.javaName()));
        refuse(type, result.problems(), accepted);
        return new ObjectMethods(type, result.usingFields());
    }

    /** Requires that accessors of a class of Java records only return a component, unless this is accepted. */
    public static void requirePlain(Class<?> type, List<Accessor> accessors, Predicate<TypeProblem> accepted) {
        refuse(type, ViewRules.bodies(methods(accessors)), accepted);
    }

    private static List<AccessorMethod> methods(List<Accessor> accessors) {
        return accessors.stream().map(ObjectMethods::method).toList();
    }

    /** What computes a value, or returns one that the schema leaves out, may do anything. */
    private static AccessorMethod method(Accessor accessor) {
        Member member = accessor.member();
        return new AccessorMethod(
                member == null ? "" : member.name(),
                accessor.method().getName(),
                ClassFiles.descriptor(accessor.method()),
                member == null ? null : ClassFiles.method(accessor.method()));
    }

    private static void refuse(Class<?> type, List<TypeProblem> problems, Predicate<TypeProblem> accepted) {
        String refused = problems.stream()
                .filter(accepted.negate())
                .map(problem -> problem.message(
                        type.getName(),
                        problem.option() == null
                                ? ""
                                : problem.option().call(List.of(problem.name())) + " of the builder"))
                .distinct()
                .collect(Collectors.joining("\n"));
        if (!refused.isEmpty()) {
            throw new IllegalArgumentException(refused);
        }
    }

    /**
     * Returns the results of the {@code clone} methods that a type declares. Views replace them: that of {@link Object}
     * would share the bytes with the original.
     */
    public Set<Class<?>> clones() {
        Set<Class<?>> results = new LinkedHashSet<>();
        for (Method method : type.getMethods()) {
            addClone(method, results);
        }
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                addClone(method, results);
            }
        }
        return results;
    }

    private static void addClone(Method method, Set<Class<?>> results) {
        if (method.getName().equals("clone")
                && method.getParameterCount() == 0
                && method.getDeclaringClass() != Object.class
                && !Modifier.isPrivate(method.getModifiers())) {
            results.add(method.getReturnType());
        }
    }

    /** Returns whether views replace a method of {@link Object}. */
    public boolean replaced(String name, Class<?>... parameters) {
        if (type.isInterface()) {
            return true;
        }
        try {
            Method found = type.getMethod(name, parameters);
            return found.getDeclaringClass() == Object.class || fieldUse.contains(name + ClassFiles.descriptor(found));
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every object has it", e);
        }
    }
}
