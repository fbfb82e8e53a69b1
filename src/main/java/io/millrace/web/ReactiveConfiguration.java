package io.millrace.web;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the controllers need in Spring WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class ReactiveConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "millraceBodyWriter")
    CodecCustomizer millraceBodyWriter() {
        return codecs -> codecs.customCodecs().register(new ReactiveBodyWriter());
    }

    @Bean
    @ConditionalOnMissingBean
    EventStreams millraceEventStreams(StreamLimits limits) {
        return new EventStreams(limits);
    }

    @Bean
    ReactiveStreamController millraceStreamController(MeasureStreams measures, EventStreams streams) {
        return new ReactiveStreamController(measures, streams);
    }
}
