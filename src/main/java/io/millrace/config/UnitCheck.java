package io.millrace.config;

import io.millrace.pipeline.definition.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Collects durations and sizes that are bound from a number without a unit, which Spring Boot would read as
 * milliseconds or bytes. Zero needs no unit. Not thread-safe; for one binding.
 */
final class UnitCheck extends AbstractBindHandler {

    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");
    private static final Pattern ZERO = Pattern.compile("[+-]?0+");

    private final Environment environment;
    private final List<Problem> problems = new ArrayList<>();

    UnitCheck(Environment environment, BindHandler parent) {
        super(parent);
        this.environment = environment;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null && (result instanceof Duration || result instanceof DataSize)) {
            String value = environment
                    .resolvePlaceholders(String.valueOf(property.getValue()))
                    .strip();
            if (NUMBER.matcher(value).matches() && !ZERO.matcher(value).matches()) {
                problems.add(invalid(name, result.getClass(), value));
            }
        }
        return super.onSuccess(name, target, context, result);
    }

    /** Returns the problems that were collected so far. */
    List<Problem> problems() {
        return problems;
    }

    /** Returns whether values of a type have a unit. */
    static boolean hasUnit(Class<?> type) {
        return type == Duration.class || type == DataSize.class;
    }

    /**
     * Describes a value that is not a valid duration or size.
     *
     * @param type type of the property, which {@linkplain #hasUnit has a unit}
     */
    static Problem invalid(ConfigurationPropertyName name, Class<?> type, String value) {
        boolean duration = type == Duration.class;
        return new Problem(
                name.toString(),
                "Invalid " + (duration ? "duration" : "size") + " '" + value + "' for '" + name
                        + "'. Use a number and a unit, such as " + (duration ? "10s" : "10MB") + ".");
    }
}
