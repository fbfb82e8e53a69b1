package io.millrace.application;

import io.millrace.config.binding.SecurityReader;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.StreamProperties;
import io.millrace.web.access.AccessConfiguration;
import io.millrace.web.access.AccessOptions;
import io.millrace.web.page.PageFiles;
import io.millrace.web.request.ConnectionLimit;
import io.millrace.web.request.FrameworkErrors;
import io.millrace.web.request.RequestTimeout;
import io.millrace.web.request.SameSiteFilter;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.metrics.KafkaMetricsAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** The service as a Spring Boot application. Auto-configuration creates nearly all of its beans. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = {KafkaAutoConfiguration.class, KafkaMetricsAutoConfiguration.class})
@Import(AccessConfiguration.class)
public class MillraceApplication {

    static {
        // Users' own endpoints evaluate expressions often. The setting is JVM-wide, so a library must not change it.
        SpringProperties.setProperty("spring.expression.compiler.mode", "MIXED");
    }

    /**
     * Returns the access options. They are created before the beans of auto-configuration, so that a refused start has
     * opened nothing.
     */
    @Bean
    AccessOptions millraceAccessOptions(Environment environment) {
        return SecurityReader.read(environment);
    }

    /** Adds the version to {@code /actuator/info}. */
    @Bean
    InfoContributor millraceInfo() {
        String version = MillraceApplication.class.getPackage().getImplementationVersion();
        return info -> info.withDetail("millrace", Map.of("version", version == null ? "(not packaged)" : version));
    }

    /** Serves the page, which requests the default paths; nothing if it is switched off or the paths are others. */
    @Bean
    RouterFunction<ServerResponse> millracePage(Environment environment) {
        boolean api = environment.getProperty("millrace.web.enabled", Boolean.class, true);
        String basePath = environment.getProperty("millrace.web.base-path", StreamProperties.BASE_PATH);
        boolean page = environment.getProperty("millrace.page.enabled", Boolean.class, api)
                && basePath.equals(StreamProperties.BASE_PATH);
        return page ? new PageFiles() : _ -> Mono.empty();
    }

    /**
     * Filters requests from other sites. Not auto-configured, because an application that uses the library decides for
     * itself which sites it serves.
     */
    @Bean
    SameSiteFilter millraceSameSiteFilter(MillraceProperties properties) {
        return new SameSiteFilter(properties.web().allowedHosts());
    }

    /**
     * Limits the time of requests. Not auto-configured, because it would also limit requests for an application's own
     * paths.
     */
    @Bean
    RequestTimeout millraceRequestTimeout(MillraceProperties properties) {
        return new RequestTimeout(properties.web().requestTimeout());
    }

    /** Limits connections. Not auto-configured, because an application's own clients may need more. */
    @Bean
    ConnectionLimit millraceConnectionLimit(MillraceProperties properties) {
        return new ConnectionLimit(properties.web().maxConnections());
    }

    /**
     * Adds codes to the framework's errors. Not auto-configured, because it would also handle errors of an
     * application's own controllers.
     */
    @Bean
    FrameworkErrors millraceFrameworkErrors() {
        return new FrameworkErrors();
    }
}
