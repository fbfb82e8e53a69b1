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
import java.util.List;
import java.util.Optional;
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
 * <p>Parameters and results are {@code long}, {@code int}, {@code double}, {@code boolean}, {@link String},
 * {@link BigDecimal}, {@link LocalDate} or {@link Instant}. Null is the absent value, so results may be {@link Long},
 * {@link Integer}, {@link Double} and {@link Boolean} as well; a primitive parameter takes no absent value, the record
 * is rejected then. Of a BigDecimal that comes back the scale has to be known, of a String the width; an Instant has to
 * lie between 1677 and 2262, the range of a long of nanoseconds.
 *
 * <p>Primitive types cost nothing to pass. Objects are made for each call, unless the JIT compiler finds that it can do
 * without; a String that is the name of a dictionary is only looked up.
 */
public final class ExpressionFunction {

    private static final int UNKNOWN = -1;

    /** As wide as a text constant gets in the longest of expressions, and more. */
    private static final int WIDTH_MAX = 4096;

    private final String name;
    private final MethodHandle handle;
    private final int scale;
    private final int width;

    private ExpressionFunction(String name, MethodHandle handle, int scale, int width) {
        this.name = name;
        this.handle = handle;
        this.scale = scale;
        this.width = width;
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
                name, handle(name, find(name, owner, method, true, parameterTypes), owner), UNKNOWN, UNKNOWN);
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
        return new ExpressionFunction(name, handle.bindTo(bean), UNKNOWN, UNKNOWN);
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
                throw refuse(name, parameter, "a parameter");
            }
        }
        if (JavaType.of(method.getReturnType()).isEmpty()) {
            throw refuse(name, method.getReturnType(), "a result");
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

    private static FunctionException refuse(String name, Class<?> type, String what) {
        String types = Arrays.stream(JavaType.values())
                .map(java -> java.type().getSimpleName())
                .collect(Collectors.joining(", "));
        return new FunctionException(name, type.getSimpleName() + " can't be " + what + ", these can: " + types);
    }

    /**
     * The same function whose BigDecimal results have so many digits behind the point. A result with more rejects the
     * record.
     */
    public ExpressionFunction withScale(int digits) {
        requireResult("scale", digits, 0, Constants.SCALE_MAX, BigDecimal.class);
        return new ExpressionFunction(name, handle, digits, width);
    }

    /** The same function whose String results take at most so many bytes in UTF-8. A longer one rejects the record. */
    public ExpressionFunction withWidth(int bytes) {
        requireResult("width", bytes, 1, WIDTH_MAX, String.class);
        return new ExpressionFunction(name, handle, scale, bytes);
    }

    private void requireResult(String what, int given, int min, int max, Class<?> type) {
        Class<?> result = handle.type().returnType();
        if (result != type) {
            throw new FunctionException(
                    name,
                    "only a " + type.getSimpleName() + " has a " + what + ", the result is a "
                            + result.getSimpleName());
        }
        if (given < min || given > max) {
            throw new FunctionException(name, what + "=" + given + " is not between " + min + " and " + max);
        }
    }

    /**
     * Makes sure that all is known of the result.
     *
     * @throws FunctionException where it is not
     */
    void requireComplete() {
        Class<?> result = handle.type().returnType();
        if (result == BigDecimal.class && scale == UNKNOWN) {
            throw new FunctionException(name, "how many digits has its result behind the point? Say so: .withScale(2)");
        }
        if (result == String.class && width == UNKNOWN) {
            throw new FunctionException(name, "how many bytes does its result take at most? Say so: .withWidth(20)");
        }
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

    /** Digits behind the point of a BigDecimal result. */
    int scale() {
        return scale;
    }

    /** Bytes that a String result takes at most; 0 for other results. */
    int width() {
        return Math.max(0, width);
    }

    @Override
    public String toString() {
        return "#" + name + parameters();
    }
}
