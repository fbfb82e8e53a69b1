package io.millrace.application;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ClassPathResource;

/**
 * Adds the service's defaults, such as its address, its actuator endpoints and log levels, with the lowest precedence.
 * Only {@link MillraceApplication} gets them: an application that uses Millrace as a library keeps its own. Stateless.
 */
public final class ServiceDefaults implements EnvironmentPostProcessor {

    private static final String FILE = "millrace/service.yml";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (application.getAllSources().contains(MillraceApplication.class)) {
            try {
                new YamlPropertySourceLoader()
                        .load(FILE, new ClassPathResource(FILE))
                        .forEach(environment.getPropertySources()::addLast);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
