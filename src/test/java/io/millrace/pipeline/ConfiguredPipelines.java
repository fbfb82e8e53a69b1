package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.MillraceAutoConfiguration;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;

/** Runs the pipelines of a configuration file in an application of its own. */
final class ConfiguredPipelines {

    private ConfiguredPipelines() {}

    /** Starts the application, runs a test, and stops the application. */
    static void run(Path configuration, ContextConsumer<ApplicationContext> test) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + configuration.toUri())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }
}
