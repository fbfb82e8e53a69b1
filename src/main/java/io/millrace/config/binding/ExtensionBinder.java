package io.millrace.config.binding;

import io.millrace.extension.Extension;
import io.millrace.pipeline.definition.Problem;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
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
        int index = parent.getNumberOfElements();
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .flatMap(source -> ((IterableConfigurationPropertySource) source).stream())
                .filter(name -> parent.isAncestorOf(name)
                        && name.getElement(index, Form.ORIGINAL).equals(named))
                .findFirst()
                .map(name -> name.chop(index + 1))
                .orElseThrow(() -> new IllegalStateException("No properties of '" + named + "' below '" + parent
                        + "'. Read them from the environment that they are bound from."));
    }
}
