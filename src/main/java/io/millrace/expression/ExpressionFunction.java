package io.millrace.expression;

import io.millrace.expression.ir.JavaType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.util.ClassUtils;

/**
 * A Java method that rules may call by a name of its own: {@code #riskClass(currency1, amount1)}. Immutable.
 *
 * <p>The method must be public, and so must be the class or an interface that declares it. It is called for each record
 * that a rule asks it for, by pipelines and queries at the same time, and maybe more often or less often than the rule
 * has it written: it must be safe for use by many threads, quick, and free of side effects. An exception that it throws
 * rejects the record; an error ends the pipeline.
 *
 * <p>Parameters are {@code long}, {@code int}, {@code double}, {@code boolean}, {@link String}, {@link BigDecimal},
 * {@link LocalDate} or {@link Instant}; results as well, or {@link Long}, {@link Integer}, {@link Double} or
 * {@link Boolean}, where null is the absent value, but no String. A primitive parameter takes no absent value: the
 * record is rejected then; the others get null. Primitive types cost nothing to pass. Objects are made for each call,
 * unless the JIT compiler finds that it can do without; a String that is the name of a dictionary is only looked up. An
 * {@link Instant} that comes back has to lie between 1677 and 2262, the range of a long of nanoseconds.
 */
public final class ExpressionFunction {

    private final String name;
    private final MethodHandle handle;
    private final OptionalInt scale;

    private ExpressionFunction(String name, MethodHandle handle, OptionalInt scale) {
        this.name = name;
        this.handle = handle;
        this.scale = scale;
    }

    /**
     * A static method.
     *
     * @param name how rules call it
     * @param parameterTypes which of several methods of the name; may be left out where there is one
     * @throws FunctionException where there is no such method or it can't be used
     */
    public static ExpressionFunction ofStatic(String name, Class<?> owner, String method, Class<?>... parameterTypes) {
        return new ExpressionFunction(
                name, handle(name, find(name, owner, method, true, parameterTypes), owner), OptionalInt.empty());
    }

    /**
     * A method of an object.
     *
     * @param name how rules call it
     * @param parameterTypes which of several methods of the name; may be left out where there is one
     * @throws FunctionException where there is no such method or it can't be used
     */
    public static ExpressionFunction of(String name, Object bean, String method, Class<?>... parameterTypes) {
        Class<?> owner = bean.getClass();
        MethodHandle handle = handle(name, find(name, owner, method, false, parameterTypes), owner);
        return new ExpressionFunction(name, handle.bindTo(bean), OptionalInt.empty());
    }

    private static Method find(
            String name, Class<?> owner, String method, boolean isStatic, Class<?>... parameterTypes) {
        List<Method> found = Arrays.stream(owner.getMethods())
                .filter(candidate -> candidate.getName().equals(method) && !candidate.isBridge())
                .filter(candidate -> Modifier.isStatic(candidate.getModifiers()) == isStatic)
                .filter(candidate ->
                        parameterTypes.length == 0 || Arrays.equals(candidate.getParameterTypes(), parameterTypes))
                .toList();
        String what = (isStatic ? "static method " : "method ") + method + " in " + owner.getName();
        if (found.isEmpty()) {
            throw new FunctionException(name, "there is no public " + what);
        }
        if (found.size() > 1) {
            throw new FunctionException(
                    name, "there is more than one public " + what + ": name the types of its parameters");
        }
        return found.getFirst();
    }

    private static MethodHandle handle(String name, Method method, Class<?> owner) {
        for (Class<?> parameter : method.getParameterTypes()) {
            Optional<JavaType> known = JavaType.of(parameter);
            if (known.isEmpty() || known.get().type() != parameter) {
                throw refuse(name, parameter, "a parameter", EnumSet.allOf(JavaType.class));
            }
        }
        Optional<JavaType> result = JavaType.of(method.getReturnType());
        if (result.isEmpty() || result.get() == JavaType.STRING) {
            throw refuse(name, method.getReturnType(), "a result", EnumSet.complementOf(EnumSet.of(JavaType.STRING)));
        }
        try {
            // A method of a hidden or private class can be called where a public class or interface declares it.
            return MethodHandles.publicLookup()
                    .unreflect(ClassUtils.getPubliclyAccessibleMethodIfPossible(method, owner));
        } catch (IllegalAccessException e) {
            throw new FunctionException(
                    name,
                    "the method " + method.getName() + " can't be reached: " + owner.getName() + " must be public");
        }
    }

    private static FunctionException refuse(String name, Class<?> type, String what, Set<JavaType> known) {
        String types = known.stream().map(java -> java.type().getSimpleName()).collect(Collectors.joining(", "));
        return new FunctionException(name, type.getSimpleName() + " can't be " + what + ", these can: " + types);
    }

    /**
     * The same function whose BigDecimal results have so many digits behind the point. A result with more rejects the
     * record.
     */
    public ExpressionFunction withScale(int digits) {
        if (digits < 0 || digits > Constants.SCALE_MAX) {
            throw new FunctionException(name, "scale=" + digits + " is not between 0 and " + Constants.SCALE_MAX);
        }
        if (handle.type().returnType() != BigDecimal.class) {
            throw new FunctionException(
                    name,
                    "only a BigDecimal has a scale, the result is a "
                            + handle.type().returnType().getSimpleName());
        }
        return new ExpressionFunction(name, handle, OptionalInt.of(digits));
    }

    /** How rules call it. */
    public String name() {
        return name;
    }

    /** The types of its parameters, such as {@code (String, long)}. */
    String parameters() {
        return Arrays.stream(handle.type().parameterArray())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    MethodHandle handle() {
        return handle;
    }

    /** The scale of a BigDecimal result, if it was given. */
    OptionalInt scale() {
        return scale;
    }

    @Override
    public String toString() {
        return "#" + name + parameters();
    }
}
