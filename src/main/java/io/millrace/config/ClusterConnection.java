package io.millrace.config;

import io.millrace.store.geode.ClusterOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/** Reads how a cluster is reached from a configuration, without starting an application. */
public final class ClusterConnection {

    private ClusterConnection() {}

    /**
     * Returns how the cluster of a configuration is reached as its client, or null where it has none.
     *
     * @throws ConfigurationException with all that is wrong
     */
    public static @Nullable ClusterOptions of(MillraceProperties properties, ConfigurableEnvironment environment) {
        ClusterProperties geode = properties.geode();
        return new ClusterReader(
                        geode,
                        Role.INGEST,
                        List.of(geode::locators),
                        bundle -> ClusterTls.of(bundle, bundles(environment).getBundle(bundle)))
                .read();
    }

    private static SslBundles bundles(ConfigurableEnvironment environment) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.setEnvironment(environment);
            context.register(SslAutoConfiguration.class);
            context.refresh();
            return context.getBean(SslBundles.class);
        }
    }
}
