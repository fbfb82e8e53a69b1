package io.millrace.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/**
 * Where no configuration defines a pipeline, the sample ones run, so that there is something to see. Properties may
 * still change their details, such as the generator's rate.
 */
final class SamplePipelines implements EnvironmentPostProcessor, Ordered {

    private static final String SAMPLE = "sample.yml";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean wanted = environment.getProperty("millrace.sample", Boolean.class, false);
        MillraceProperties properties = Binder.get(environment).bindOrCreate("millrace", MillraceProperties.class);
        boolean defined = properties.pipelines().values().stream().anyMatch(pipeline -> pipeline.schema() != null);
        if (!wanted || defined) {
            return;
        }
        try {
            sources().forEach(environment.getPropertySources()::addLast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the sample says. */
    static List<PropertySource<?>> sources() throws IOException {
        return new YamlPropertySourceLoader().load(SAMPLE, new ClassPathResource(SAMPLE));
    }

    /** After the configuration files have been read. */
    @Override
    public int getOrder() {
        return ConfigDataEnvironmentPostProcessor.ORDER + 1;
    }
}
