package io.millrace.config;

import io.millrace.config.binding.EnvironmentSettings;
import io.millrace.extension.ApplicationSettings;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/** The settings of an application that runs: its properties, and beans. Thread-safe. */
final class BeanSettings implements ApplicationSettings {

    private final EnvironmentSettings properties;
    private final BeanFactory beans;
    private final ObjectProvider<SslBundles> bundles;

    BeanSettings(Environment environment, BeanFactory beans) {
        this.properties = new EnvironmentSettings(environment);
        this.beans = beans;
        this.bundles = beans.getBeanProvider(SslBundles.class);
    }

    @Override
    public Set<String> sslBundles() {
        return bundles.stream().flatMap(all -> all.getBundleNames().stream()).collect(Collectors.toSet());
    }

    @Override
    public SslBundle sslBundle(String name) {
        return bundles.getObject().getBundle(name);
    }

    @Override
    public <T> Optional<T> property(String name, Bindable<T> type) {
        return properties.property(name, type);
    }

    @Override
    public <T extends ConnectionDetails> @Nullable T connection(Class<T> type) {
        return beans.getBeanProvider(type).getIfAvailable();
    }
}
