package io.millrace.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** Reads configuration files without starting an application. */
public final class ConfigurationFiles {

    private ConfigurationFiles() {}

    /** Returns an environment of YAML files. Later files take precedence over earlier ones. */
    public static ConfigurableEnvironment load(List<Path> files) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        YamlPropertySourceLoader loader = new YamlPropertySourceLoader();
        for (Path file : files) {
            loader.load(file.toString(), new FileSystemResource(file))
                    .forEach(environment.getPropertySources()::addFirst);
        }
        return environment;
    }

    /** Returns an environment of the sample pipelines' configuration. */
    public static ConfigurableEnvironment sample() {
        StandardEnvironment environment = new StandardEnvironment();
        SamplePipelines.sources().forEach(environment.getPropertySources()::addFirst);
        return environment;
    }
}
