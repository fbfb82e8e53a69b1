package io.millrace.expression.function;

import io.millrace.expression.error.FunctionException;
import io.millrace.expression.ir.JavaType;
import io.millrace.expression.operand.Constants;
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
import org.apiguardian.api.API;
import org.springframework.util.ClassUtils;

/**
 * A Java method that expressions can call by a name, such as {@code #riskClass(currency1, amount1)}. Immutable.
 *
 * <p>The method must be public, and so must be its class or an interface that declares it. Pipelines and queries call
 * it at the same time, once for each record for which an expression needs it, and possibly more or less often than the
 * expression says. So it must be safe for use by many threads, fast, and free of side effects. An exception that it
 * throws rejects the record; an error ends the pipeline.
 *
 * <p>Parameters and results are {@code long}, {@code int}, {@code double}, {@code boolean}, {@link String},
 * {@link BigDecimal}, {@link LocalDate} or {@link Instant}. Null is the absent value, so results may also be
 * {@link Long}, {@link Integer}, {@link Double} and {@link Boolean}. A primitive parameter accepts no absent value: the
 * record is rejected. A BigDecimal result needs a scale and a String result a width. An Instant result must be between
 * 1677 and 2262, the range of a long of nanoseconds.
 *
 * <p>Primitive arguments allocate nothing, and neither does a String that is a name of a dictionary. Other objects are
 * allocated for each call, unless the JIT compiler eliminates the allocation.
 */
@API(status = API.Status.STABLE)
public final class ExpressionFunction {

    private static final int UNKNOWN = -1;

    /** Each loop that calls the function has a buffer of this size. */
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
     * Returns a function that calls a static method.
     *
     * @param name the name in expressions
     * @param parameterTypes select one of several overloads; may be omitted if there is only one method of the name
     * @throws FunctionException if there is no such method or it can't be called
     */
    public static ExpressionFunction ofStatic(String name, Class<?> owner, String method, Class<?>... parameterTypes) {
        return new ExpressionFunction(
                name, handle(name, find(name, owner, method, true, parameterTypes), owner), UNKNOWN, UNKNOWN);
    }

    /**
     * Returns a function that calls a method of an object.
     *
     * @param name the name in expressions
     * @param parameterTypes select one of several overloads; may be omitted if there is only one method of the name
     * @throws FunctionException if there is no such method or it can't be called
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
        String what = (isStatic ? "static method '" : "method '") + method + "' in class '" + owner.getName() + "'";
        if (found.isEmpty()) {
            throw new FunctionException(name, "Unknown " + what + ". Use a public one.");
        }
        if (found.size() > 1) {
            throw new FunctionException(name, "Ambiguous " + what + ". Name the types of its parameters.");
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
            throw refuse(name, method.getReturnType(), "the result");
        }
        try {
            // A method of a hidden or private class can be called if a public class or interface declares it.
            return MethodHandles.publicLookup()
                    .unreflect(ClassUtils.getPubliclyAccessibleMethodIfPossible(method, owner));
        } catch (IllegalAccessException e) {
            throw new FunctionException(
                    name,
                    "Method '" + method.getName() + "' is not accessible. Make class '" + owner.getName()
                            + "' public.");
        }
    }

    private static FunctionException refuse(String name, Class<?> type, String what) {
        String types = Arrays.stream(JavaType.values())
                .map(java -> java.type().getSimpleName())
                .collect(Collectors.joining(", "));
        return new FunctionException(
                name, "Invalid type '" + type.getSimpleName() + "' of " + what + ". Use one of: " + types + ".");
    }

    /**
     * Returns the same function with a number of decimal places for its BigDecimal results. A result with more decimal
     * places rejects the record.
     */
    public ExpressionFunction withScale(int digits) {
        requireResult("scale", digits, 0, Constants.SCALE_MAX, BigDecimal.class);
        return new ExpressionFunction(name, handle, digits, width);
    }

    /**
     * Returns the same function with a maximum length of its String results, in bytes of UTF-8. A longer result rejects
     * the record.
     */
    public ExpressionFunction withWidth(int bytes) {
        requireResult("width", bytes, 1, WIDTH_MAX, String.class);
        return new ExpressionFunction(name, handle, scale, bytes);
    }

    private void requireResult(String what, int given, int min, int max, Class<?> type) {
        Class<?> result = handle.type().returnType();
        if (result != type) {
            throw new FunctionException(
                    name,
                    "A " + what + " has no effect on a result of type '" + result.getSimpleName() + "'. Use it with "
                            + type.getSimpleName() + ".");
        }
        if (given < min || given > max) {
            throw new FunctionException(name, "Invalid " + what + " '" + given + "'. Use " + min + " to " + max + ".");
        }
    }

    /**
     * Checks that the scale or width of the result is known.
     *
     * @throws FunctionException if it is not
     */
    void requireComplete() {
        Class<?> result = handle.type().returnType();
        if (result == BigDecimal.class && scale == UNKNOWN) {
            throw new FunctionException(name, "Missing scale of the result. Add its decimals, such as .withScale(2).");
        }
        if (result == String.class && width == UNKNOWN) {
            throw new FunctionException(
                    name, "Missing width of the result. Add its maximum bytes, such as .withWidth(20).");
        }
    }

    /** Returns the name in expressions. */
    public String name() {
        return name;
    }

    /** Returns the types of the parameters, such as {@code (String, long)}. */
    String parameters() {
        return Arrays.stream(handle.type().parameterArray())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    MethodHandle handle() {
        return handle;
    }

    /** Returns the number of decimal places of a BigDecimal result. */
    int scale() {
        return scale;
    }

    /** Returns the maximum number of bytes of a String result; 0 for other results. */
    int width() {
        return Math.max(0, width);
    }

    @Override
    public String toString() {
        return "#" + name + parameters();
    }
}
