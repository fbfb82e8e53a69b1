package io.millrace.config.binding;

import io.millrace.extension.Extension;
import io.millrace.pipeline.definition.Problem;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/** Binds the properties of feeds, steps and outputs to the types that their kinds declare. Thread-safe. */
final class ExtensionBinder {

    /** Path of all pipelines. */
    static final ConfigurationPropertyName PIPELINES = ConfigurationPropertyName.of(RootKeys.MILLRACE + ".pipelines");

    /** Path of all outputs. */
    static final ConfigurationPropertyName OUTPUTS = ConfigurationPropertyName.of(RootKeys.MILLRACE + ".outputs");

    private final Environment environment;
    /** What {@link #paths} returned: to list all properties for each step would take long. */
    private final Map<ConfigurationPropertyName, Map<String, ConfigurationPropertyName>> known =
            new ConcurrentHashMap<>();

    ExtensionBinder(Environment environment) {
        this.environment = environment;
    }

    /**
     * Returns the properties of a kind, or null if there are none or if errors leave none.
     *
     * @param parent path of the feed, step or output
     * @param problems receives each value that does not fit its type
     */
    <P> @Nullable P bind(Extension<P> kind, ConfigurationPropertyName parent, Consumer<Problem> problems) {
        ValueCheck values = new ValueCheck(environment);
        ConfigurationPropertyName name = parent.append(kind.name());
        Bindable<P> type = Bindable.of(ResolvableType.forType(kind.propertiesType()));
        Binder binder = PropertyBinding.binder(environment);
        P properties = kind.propertiesType() instanceof Class<?> bound && bound.isRecord()
                ? binder.bindOrCreate(name, type, values)
                : binder.bind(name, type, values).orElse(null);
        values.problems().forEach(problems);
        return properties;
    }

    /**
     * Returns a truth value, or false if there is none.
     *
     * @param problems receives a value of another type
     */
    boolean flag(ConfigurationPropertyName name, Consumer<Problem> problems) {
        ValueCheck values = new ValueCheck(environment);
        boolean flag = PropertyBinding.binder(environment)
                .bind(name, Bindable.of(Boolean.class), values)
                .orElse(false);
        values.problems().forEach(problems);
        return flag;
    }

    /** Finds the path of a pipeline, whose form depends on how the pipeline's name is written. */
    ConfigurationPropertyName path(String pipeline) {
        return path(PIPELINES, pipeline);
    }

    /** Finds the path of what has a name below a path. */
    ConfigurationPropertyName path(ConfigurationPropertyName parent, String named) {
        Map<String, ConfigurationPropertyName> below = known.computeIfAbsent(parent, this::paths);
        ConfigurationPropertyName path = below.get(named);
        if (path == null) {
            throw new IllegalStateException("No properties of '" + named + "' below '" + parent
                    + "'. Read them from the environment that they are bound from.");
        }
        return path;
    }

    /** Returns the paths below a path, by their last elements. */
    private Map<String, ConfigurationPropertyName> paths(ConfigurationPropertyName parent) {
        int index = parent.getNumberOfElements();
        Map<String, ConfigurationPropertyName> paths = new HashMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                for (ConfigurationPropertyName name : names) {
                    if (parent.isAncestorOf(name)) {
                        paths.putIfAbsent(name.getElement(index, Form.ORIGINAL), name.chop(index + 1));
                    }
                }
            }
        }
        return paths;
    }
}
