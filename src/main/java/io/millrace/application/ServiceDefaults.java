package io.millrace.application;

import io.millrace.config.properties.StreamProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
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
                if (!hasPage(environment)) {
                    environment
                            .getPropertySources()
                            .addLast(new MapPropertySource(
                                    "no page", Map.of("spring.web.resources.static-locations", "")));
                }
                new YamlPropertySourceLoader()
                        .load(FILE, new ClassPathResource(FILE))
                        .forEach(environment.getPropertySources()::addLast);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The page requests the default paths. */
    private static boolean hasPage(ConfigurableEnvironment environment) {
        boolean api = environment.getProperty("millrace.web.enabled", Boolean.class, true);
        String basePath = environment.getProperty("millrace.web.base-path", StreamProperties.BASE_PATH);
        return environment.getProperty("millrace.page.enabled", Boolean.class, api)
                && basePath.equals(StreamProperties.BASE_PATH);
    }
}
