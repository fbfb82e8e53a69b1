package io.millrace.config;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.EnvironmentSettings;
import io.millrace.config.properties.ClusterProperties;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.Role;
import io.millrace.store.geode.cache.ClusterOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

/** Reads the connection to a cluster from a configuration, without starting an application. */
public final class ClusterConnection {

    private ClusterConnection() {}

    /**
     * Returns the options of a client of the configured cluster, or null if none is configured.
     *
     * @throws ConfigurationException with all problems
     */
    public static @Nullable ClusterOptions of(MillraceProperties properties, ConfigurableEnvironment environment) {
        ClusterProperties geode = properties.geode();
        return new ClusterReader(
                        geode,
                        Role.INGEST,
                        List.of(geode::locators),
                        bundle -> ClusterTls.of(bundle, new EnvironmentSettings(environment).sslBundle(bundle)))
                .read();
    }
}
