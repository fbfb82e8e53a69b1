package io.millrace;

import io.millrace.config.MillraceProperties;
import io.millrace.web.SameSiteFilter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The service as a Spring Boot application; nearly everything in it comes by auto-configuration. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class MillraceApplication {

    /** Here, because an application that uses the library decides for itself whom its paths are served to. */
    @Bean
    SameSiteFilter millraceSameSiteFilter(MillraceProperties properties) {
        return new SameSiteFilter(properties.web().allowedHosts());
    }
}
