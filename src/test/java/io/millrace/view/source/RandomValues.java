package io.millrace.view.source;

import io.millrace.view.RecordViews;
import io.millrace.view.access.BinaryView;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Calls all setters of records with values that the schema allows or refuses. The same seed has the same values. */
final class RandomValues {

    private static final int MAX_DEPTH = 3;

    /** Creates an object of a type of parts. */
    interface Parts {
        Object create(Class<?> type) throws ReflectiveOperationException;
    }

    private final Parts parts;
    private final Random random;
    private int depth;

    RandomValues(RecordViews<?> views, Random random) {
        this(views::create, random);
    }

    RandomValues(Parts parts, Random random) {
        this.parts = parts;
        this.random = random;
    }

    /** Sets all members of a record. A value that is refused leaves the one before. */
    void fill(Object view) throws ReflectiveOperationException {
        Class<?> type = Arrays.stream(view.getClass().getInterfaces())
                .filter(each -> !each.getName().startsWith("java.") && each != BinaryView.class)
                .findFirst()
                .orElseThrow();
        List<Method> setters = Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 1)
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        for (Method setter : setters) {
            Object value = value(setter.getGenericParameterTypes()[0]);
            try {
                setter.invoke(view, value);
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof RuntimeException)) {
                    throw e;
                }
            }
        }
    }

    /** Returns a value of the type of a setter, which may be null. */
    @Nullable
    Object value(Type type) throws ReflectiveOperationException {
        if (depth > MAX_DEPTH && isPart(type)) {
            return type instanceof ParameterizedType ? List.of() : null;
        }
        if (type instanceof ParameterizedType list) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int count = random.nextInt(4); count > 0; count--) {
                elements.add(element(list.getActualTypeArguments()[0]));
            }
            return elements;
        }
        Class<?> plain = (Class<?>) type;
        return !plain.isPrimitive() && random.nextInt(5) == 0 ? null : element(plain);
    }

    /** Returns whether a type is a part of the record, which can contain itself. */
    private static boolean isPart(Type type) {
        Type single = type instanceof ParameterizedType list ? list.getActualTypeArguments()[0] : type;
        return single instanceof Class<?> plain && plain.isInterface();
    }

    private Object element(Type type) throws ReflectiveOperationException {
        Class<?> plain = (Class<?>) type;
        if (plain.isEnum()) {
            return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
        }
        int small = random.nextInt(9);
        long any = random.nextInt(3) == 0 ? random.nextLong() : small;
        return switch (plain.getSimpleName()) {
            case "int", "Integer" -> (int) any;
            case "long", "Long" -> any;
            case "double", "Double" -> random.nextBoolean() ? random.nextGaussian() : (Object) (double) small;
            case "boolean", "Boolean" -> random.nextBoolean();
            case "Number" -> random.nextBoolean() ? any : BigInteger.TWO.pow(63).add(BigInteger.valueOf(small));
            case "BigDecimal" -> BigDecimal.valueOf(any, random.nextInt(4));
            case "LocalDate" -> LocalDate.ofEpochDay(random.nextInt(70_000));
            case "Instant" -> Instant.ofEpochMilli(any % 4_000_000_000_000L);
            case "String" ->
                List.of("", "ab", "EUR", "USD", "One", "ü", "127.0.0.1", "::1", "a".repeat(9))
                        .get(small);
            case "byte[]" -> new byte[random.nextBoolean() ? 4 : small];
            default -> {
                Object part = parts.create(plain);
                depth++;
                fill(part);
                depth--;
                yield part;
            }
        };
    }
}
