package io.millrace.config;

import io.millrace.background.CauseChain;
import io.millrace.pipeline.definition.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/** Binds properties as a start does, and converts binding errors to problems. */
public final class PropertyBinding {

    private PropertyBinding() {}

    /**
     * Returns the properties under {@code millrace}.
     *
     * @throws ConfigurationException for invalid values, for durations and sizes without a unit, and for unknown names
     *     other than those of environment variables
     */
    public static MillraceProperties bind(Environment environment) {
        UnitCheck units = new UnitCheck(
                environment, new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
        List<Problem> problems = new ArrayList<>();
        MillraceProperties properties = null;
        try {
            properties = Binder.get(environment).bindOrCreate("millrace", Bindable.of(MillraceProperties.class), units);
        } catch (BindException e) {
            problems.addAll(problems(e, environment));
        }
        problems.addAll(units.problems());
        if (properties == null || !problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return properties;
    }

    /** Returns the names of the SSL bundles that the configuration defines. */
    public static Set<String> sslBundles(Environment environment) {
        Set<String> names = new HashSet<>();
        for (String kind : List.of("pem", "jks")) {
            Binder.get(environment)
                    .bind("spring.ssl.bundle." + kind, Bindable.mapOf(String.class, Object.class))
                    .ifBound(bundles -> names.addAll(bundles.keySet()));
        }
        return names;
    }

    private static @Nullable String reason(BindException e, Throwable root) {
        Class<?> type = e.getTarget().getType().resolve(Object.class);
        return type.isEnum()
                ? "it is none of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(PropertyBinding::name)
                                .toList()
                : root.getMessage();
    }

    /** Returns the name of an enum constant in the form of the configuration, such as {@code big-endian}. */
    static String name(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static List<Problem> problems(BindException e, Environment environment) {
        if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
            Set<ConfigurationProperty> unknown = unbound.getUnboundProperties();
            return unknown.stream()
                    .map(property -> new Problem(
                            property.getName().toString(), "means nothing here: misspelt, or at a wrong place"))
                    .toList();
        }
        Throwable root = CauseChain.of(e).getLast();
        ConfigurationProperty property = e.getProperty();
        Class<?> type = e.getTarget().getType().resolve(Object.class);
        if (property != null && UnitCheck.hasUnit(type)) {
            String given = environment.resolvePlaceholders(String.valueOf(property.getValue()));
            return List.of(UnitCheck.invalid(e.getName(), type, given));
        }
        String value = property == null ? "" : "value=" + property.getValue() + " ";
        return List.of(new Problem(e.getName().toString(), value + "can't be used: " + reason(e, root)));
    }
}
