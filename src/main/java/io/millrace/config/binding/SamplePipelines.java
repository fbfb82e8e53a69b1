package io.millrace.config.binding;

import io.millrace.config.properties.MillraceProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/**
 * Adds the sample pipelines if {@code millrace.sample} is set, or if nothing else is configured. Properties may
 * override their details, such as the generator's rate. Stateless.
 */
public final class SamplePipelines implements EnvironmentPostProcessor, Ordered {

    private static final String SAMPLE = "sample.yml";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (environment.getProperty("millrace.sample", Boolean.class, false)) {
            addTo(environment);
        }
    }

    /**
     * Adds the sample pipelines unless other pipelines or regions are configured. Properties that only override details
     * of the sample do not count.
     *
     * @throws ConfigurationException for properties that can't be bound
     */
    public static void addIfNothingIsConfigured(ConfigurableEnvironment environment) {
        MillraceProperties configured = PropertyBinding.bind(environment);
        boolean detailsOnly = hasNoOthers(configured)
                && configured.pipelines().values().stream().allMatch(pipeline -> pipeline.schema() == null);
        if (detailsOnly) {
            addTo(environment);
        }
    }

    private static void addTo(ConfigurableEnvironment environment) {
        if (!environment.getPropertySources().contains(SAMPLE)) {
            sources().forEach(environment.getPropertySources()::addLast);
        }
    }

    /** Returns whether an environment has the sample pipelines, and no other pipelines or regions. */
    static boolean areAlone(Environment environment) {
        return environment instanceof ConfigurableEnvironment configurable
                && configurable.getPropertySources().contains(SAMPLE)
                && hasNoOthers(PropertyBinding.bind(environment));
    }

    private static boolean hasNoOthers(MillraceProperties configured) {
        MillraceProperties sample = new Binder(ConfigurationPropertySources.from(sources()))
                .bindOrCreate("millrace", MillraceProperties.class);
        return sample.pipelines().keySet().containsAll(configured.pipelines().keySet())
                && sample.regions().keySet().containsAll(configured.regions().keySet());
    }

    /** Returns the property sources of the sample's configuration. */
    static List<PropertySource<?>> sources() {
        try {
            return new ConfigurationYaml().load(SAMPLE, new ClassPathResource(SAMPLE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs after the configuration files have been read. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 1;
    }
}
