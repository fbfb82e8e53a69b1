package io.millrace.web.stream;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Event streams, for Spring WebFlux and Spring MVC. */
@Configuration(proxyBeanMethods = false)
public class StreamConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactiveStreams {

        @Bean
        @ConditionalOnMissingBean
        EventStreams millraceEventStreams(StreamLimits limits) {
            return new EventStreams(limits);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class ServletStreams {

        @Bean
        @ConditionalOnMissingBean
        ServletEventStreams millraceEventStreams(StreamLimits limits) {
            return new ServletEventStreams(limits);
        }
    }
}
