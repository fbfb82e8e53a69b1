package io.millrace.application;

import io.millrace.config.MillraceProperties;
import io.millrace.config.SecurityReader;
import io.millrace.web.FrameworkErrors;
import io.millrace.web.RequestTimeout;
import io.millrace.web.SameSiteFilter;
import io.millrace.web.access.AccessConfiguration;
import io.millrace.web.access.AccessOptions;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.Environment;

/** The service as a Spring Boot application; nearly everything in it comes by auto-configuration. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(AccessConfiguration.class)
public class MillraceApplication {

    static {
        // Users' own endpoints evaluate expressions often. Only the service decides this for the whole JVM.
        SpringProperties.setProperty("spring.expression.compiler.mode", "MIXED");
    }

    /** Created before the beans of auto-configuration, so a refused start has opened nothing. */
    @Bean
    AccessOptions millraceAccessOptions(Environment environment) {
        return SecurityReader.read(environment);
    }

    /** The version, at {@code /actuator/info}. */
    @Bean
    InfoContributor millraceInfo() {
        String version = MillraceApplication.class.getPackage().getImplementationVersion();
        return info -> info.withDetail("millrace", Map.of("version", version == null ? "(not packaged)" : version));
    }

    /** Here, because an application that uses the library decides for itself whom its paths are served to. */
    @Bean
    SameSiteFilter millraceSameSiteFilter(MillraceProperties properties) {
        return new SameSiteFilter(properties.web().allowedHosts());
    }

    /** Here, because it bounds the requests of an application's own paths too. */
    @Bean
    RequestTimeout millraceRequestTimeout(MillraceProperties properties) {
        return new RequestTimeout(properties.web().requestTimeout());
    }

    /** Here, because it answers for an application's own controllers too. */
    @Bean
    FrameworkErrors millraceFrameworkErrors() {
        return new FrameworkErrors();
    }
}
