package io.millrace.config.binding;

import io.millrace.extension.ApplicationSettings;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The settings of an application that is not started: those that its configuration has. Thread-safe. */
public final class EnvironmentSettings implements ApplicationSettings {

    private final Environment environment;
    private final Set<String> names;
    private @Nullable SslBundles bundles;

    /** @param environment with SSL bundles, if it is configurable */
    public EnvironmentSettings(Environment environment) {
        this.environment = environment;
        names = Set.copyOf(PropertyBinding.sslBundles(environment));
    }

    @Override
    public Set<String> sslBundles() {
        return names;
    }

    @Override
    public synchronized SslBundle sslBundle(String name) {
        SslBundles read = bundles;
        if (read == null) {
            read = read((ConfigurableEnvironment) environment);
            bundles = read;
        }
        return read.getBundle(name);
    }

    private static SslBundles read(ConfigurableEnvironment environment) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.setEnvironment(environment);
            context.register(SslAutoConfiguration.class);
            context.refresh();
            return context.getBean(SslBundles.class);
        }
    }

    @Override
    public <T> Optional<T> property(String name, Bindable<T> type) {
        return Optional.ofNullable(
                PropertyBinding.binder(environment).bind(name, type).orElse(null));
    }

    /** {@inheritDoc} There are no beans. */
    @Override
    public <T extends ConnectionDetails> @Nullable T connection(Class<T> type) {
        return null;
    }
}
