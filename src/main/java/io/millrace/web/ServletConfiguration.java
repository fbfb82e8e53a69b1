package io.millrace.web;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the controllers need in Spring MVC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ServletConfiguration {

    @Bean
    ServletBodyWriter millraceBodyWriter() {
        return new ServletBodyWriter();
    }

    @Bean
    ServletEventStreams millraceEventStreams(StreamLimits limits) {
        return new ServletEventStreams(limits);
    }

    @Bean
    ServletStreamController millraceStreamController(MeasureStreams measures, ServletEventStreams streams) {
        return new ServletStreamController(measures, streams);
    }
}
