package io.millrace.config;

import io.millrace.background.BackgroundTasks;
import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.metrics.StoreUpMeter;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cluster.LocatorService;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the cluster from {@code millrace.geode}, and runs a locator if this process has that role. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "millrace.enabled", matchIfMissing = true)
@EnableConfigurationProperties(MillraceProperties.class)
public final class ClusterAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    GeodeConnectionDetails millraceGeodeConnection(MillraceProperties properties) {
        return () -> properties.geode().locators();
    }

    /** Returns null, which Spring treats as no bean, if this process uses no cluster. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    ClusterOptions millraceCluster(
            MillraceProperties properties,
            List<GeodeConnectionDetails> connections,
            ObjectProvider<SslBundles> sslBundles) {
        return new ClusterReader(
                        properties.geode(),
                        properties.role(),
                        connections,
                        bundle -> ClusterTls.of(bundle, sslBundles.getObject().getBundle(bundle)))
                .read();
    }

    @Bean
    StartSummary millraceStartSummary(
            MillraceProperties properties,
            ObjectProvider<ClusterOptions> cluster,
            ObjectProvider<Setup> setup,
            Environment environment) {
        return new StartSummary(properties, cluster.getIfAvailable(), setup.getIfAvailable(), environment);
    }

    /** Down while the last run of a background task has failed. Not part of readiness. */
    @Bean
    @ConditionalOnMissingBean(name = "backgroundTasksHealthIndicator")
    HealthIndicator backgroundTasksHealthIndicator(ObjectProvider<BackgroundTasks> owners) {
        return new BackgroundTasksHealth(owners);
    }

    /** Configures a locator. Nothing else of Millrace runs in its process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnExpression("'${millrace.role:ingest}'.toLowerCase() == 'locator'")
    static class LocatorConfiguration {

        @Bean
        @ConditionalOnMissingBean
        LocatorService millraceLocator(MillraceProperties properties, ObjectProvider<ClusterOptions> cluster) {
            return new LocatorService(properties.data(), Objects.requireNonNull(cluster.getIfAvailable()));
        }

        @Bean
        @ConditionalOnMissingBean(name = "geodeHealthIndicator")
        HealthIndicator geodeHealthIndicator(LocatorService locator) {
            return new StoreHealth(locator::requireAvailable);
        }

        @Bean
        @ConditionalOnMissingBean
        StoreUpMeter millraceLocatorMeter(LocatorService locator) {
            return StoreUpMeter.of(locator::requireAvailable);
        }
    }
}
