package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_SIZE;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.UNDEFINED_VARIABLE;

import io.millrace.background.DurationText;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.NearestName;
import io.millrace.schema.ProblemCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Collects values that can't be bound, so that all are reported, and those that Spring Boot would read as something
 * else: durations and sizes without a unit (zero needs none) and fractions of whole numbers. Not thread-safe; for one
 * binding.
 */
final class ValueCheck extends AbstractBindHandler {

    /**
     * About 100 years: its nanoseconds, and a time plus or minus it in milliseconds, are far from the limits of a long.
     */
    private static final Duration DURATION_MAX = Duration.ofDays(36_500);

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
    private static final Pattern ZERO = Pattern.compile("[+-]?0+");

    private final Environment environment;
    private final List<Problem> problems = new ArrayList<>();

    ValueCheck(Environment environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null && result instanceof Path && value(property).contains("${")) {
            problems.add(invalid(name, Path.class, value(property)));
        }
        if (property != null) {
            boolean whole = WHOLE.matcher(value(property)).matches();
            boolean lacksUnit = whole && !ZERO.matcher(value(property)).matches() && hasUnit(result.getClass());
            boolean isCut = !whole && property.getValue() instanceof Double && isWhole(result.getClass());
            if (lacksUnit || isCut) {
                problems.add(invalid(name, result.getClass(), value(property)));
            } else if (result instanceof Duration duration && duration.compareTo(DURATION_MAX) > 0) {
                problems.add(new Problem(
                        name.toString(),
                        INVALID_DURATION.message("Invalid duration '" + value(property) + "' for '" + name
                                + "'. Use at most " + DurationText.of(DURATION_MAX) + ".")));
            }
        }
        return result;
    }

    /** Continues without the value, to find further mistakes. */
    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null && property.getName().equals(name)) {
            problems.add(invalid(name, target.getType().resolve(Object.class), value(property)));
        }
        return null;
    }

    private String value(ConfigurationProperty property) {
        return environment
                .resolvePlaceholders(String.valueOf(property.getValue()))
                .strip();
    }

    /** Returns what was found so far. */
    List<Problem> problems() {
        return problems;
    }

    private static boolean hasUnit(Class<?> type) {
        return type == Duration.class || type == DataSize.class;
    }

    private static boolean isWhole(Class<?> type) {
        return type == Integer.class || type == Long.class;
    }

    /** Describes a value that can't be bound to a type. */
    private static Problem invalid(ConfigurationPropertyName name, Class<?> bound, String value) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(bound);
        String kind = type == Duration.class
                ? "duration"
                : type == DataSize.class ? "size" : Number.class.isAssignableFrom(type) ? "number" : "value";
        return new Problem(
                name.toString(),
                code(type, value)
                        .message(
                                value.contains("${")
                                        ? "Undefined variable in '" + value + "' for '" + name
                                                + "'. Set the variable, or write a default, such as ${NAME:"
                                                + (type == Path.class ? "FILE" : "10") + "}."
                                        : "Invalid " + kind + " '" + value + "' for '" + name + "'"
                                                + allowed(type, value)));
    }

    private static ProblemCode code(Class<?> type, String value) {
        if (value.contains("${")) {
            return UNDEFINED_VARIABLE;
        }
        if (type == Duration.class) {
            return INVALID_DURATION;
        }
        if (type == DataSize.class) {
            return INVALID_SIZE;
        }
        return Number.class.isAssignableFrom(type) ? INVALID_NUMBER : INVALID_VALUE;
    }

    private static String allowed(Class<?> type, String value) {
        if (type.isEnum()) {
            List<String> names =
                    Arrays.stream(type.getEnumConstants()).map(ValueCheck::name).toList();
            return NearestName.hint(value, names) + " Use one of: " + String.join(", ", names) + ".";
        }
        if (type == Duration.class) {
            return ". Use a number and a unit, such as 10s.";
        }
        if (type == DataSize.class) {
            return ". Use a number and a unit, such as 10MB.";
        }
        if (isWhole(type)) {
            return ". Use a whole number" + (type == Integer.class ? " up to " + Integer.MAX_VALUE : "") + ".";
        }
        return Number.class.isAssignableFrom(type)
                ? ". Use a number, such as 1.5."
                : type == Boolean.class ? ". Use true or false." : ".";
    }

    /** Returns the name of an enum constant in configurations, such as {@code length-prefixed}. */
    private static String name(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
