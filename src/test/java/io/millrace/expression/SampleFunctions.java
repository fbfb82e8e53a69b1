package io.millrace.expression;

import io.millrace.expression.function.ExpressionFunction;
import io.millrace.expression.function.FunctionRegistry;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Functions of all types for tests, and the built-in ones as stock SpEL can have them. */
public final class SampleFunctions {

    static final FunctionRegistry REGISTRY = FunctionRegistry.of(List.of(
            function("size"),
            function("rank"),
            function("scaled"),
            function("picky"),
            function("narrow"),
            function("half"),
            function("nonzero"),
            function("opposite"),
            function("nextDay"),
            function("later"),
            function("label").withWidth(64),
            function("price").withScale(2)));

    private SampleFunctions() {}

    private static ExpressionFunction function(String name) {
        return ExpressionFunction.ofStatic(name, SampleFunctions.class, name);
    }

    /** Gives stock SpEL the registered functions and the built-in ones. */
    static void register(StandardEvaluationContext context) {
        Arrays.stream(SampleFunctions.class.getMethods())
                .filter(method -> method.getDeclaringClass() == SampleFunctions.class)
                .forEach(method -> context.registerFunction(method.getName(), method));
        Arrays.stream(BuiltIn.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .forEach((Method method) -> context.registerFunction(method.getName(), method));
    }

    /** What our built-in functions mean. */
    public static final class BuiltIn {
        private BuiltIn() {}

        public static LocalDate date(Object of) {
            return of instanceof Instant instant
                    ? LocalDate.ofInstant(instant, ZoneOffset.UTC)
                    : LocalDate.parse((String) of);
        }

        public static Instant instant(Object of) {
            return of instanceof LocalDate date
                    ? date.atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse((String) of);
        }

        public static int hour(Instant instant) {
            return instant.atOffset(ZoneOffset.UTC).getHour();
        }

        public static Number abs(Number number) {
            return switch (number) {
                case BigDecimal decimal -> decimal.abs();
                case Double real -> Math.abs(real);
                default -> Math.absExact(number.longValue());
            };
        }

        public static Number round(Number number, int scale) {
            return number instanceof BigDecimal decimal
                    ? decimal.setScale(scale, RoundingMode.HALF_UP)
                    : Objects.requireNonNull(number);
        }

        public static int minute(Instant instant) {
            return instant.atOffset(ZoneOffset.UTC).getMinute();
        }
    }

    public static int size(@Nullable String text) {
        return text == null ? -1 : text.length();
    }

    public static long rank(@Nullable String name, long id, boolean up) {
        return (up ? 1 : -1) * id % 100 + (name == null ? 0 : name.hashCode() % 10);
    }

    /** Null for some numbers, and beyond ASCII for others. */
    public static @Nullable String label(@Nullable String text, long id) {
        String start = text == null ? "" : text;
        return id % 7 == 1 ? null : start + (id % 5 == 4 ? "" : "ß€") + id % 2;
    }

    public static double scaled(double number, int factor) {
        return number * factor;
    }

    /** Throws for some numbers. */
    public static long picky(long number) throws Exception {
        if (number % 5 == 3) {
            throw new Exception("don't like " + number);
        }
        return number / 2;
    }

    public static int narrow(int number) {
        return number ^ 1;
    }

    public static @Nullable Double half(double number) {
        return number < 0 ? null : (Double) (number / 2);
    }

    public static @Nullable Long nonzero(long number) {
        return number == 0 ? null : (Long) number;
    }

    public static @Nullable Boolean opposite(boolean truth) {
        return !truth;
    }

    public static @Nullable LocalDate nextDay(@Nullable LocalDate day) {
        return day == null || day.getDayOfMonth() == 3 ? null : day.plusDays(1);
    }

    public static @Nullable Instant later(@Nullable Instant moment) {
        return moment == null ? null : moment.plus(Duration.ofHours(1));
    }

    public static @Nullable BigDecimal price(@Nullable BigDecimal amount) {
        return amount == null ? null : amount.setScale(2, RoundingMode.HALF_EVEN);
    }
}
