package io.millrace.web.answer;

import io.millrace.store.Store;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The answers to queries, for Spring WebFlux and Spring MVC. */
@Configuration(proxyBeanMethods = false)
public class AnswerConfiguration {

    @Bean
    AnswerThreads millraceAnswerThreads(QueryLimits limits) {
        return new AnswerThreads(limits.maxConcurrent(), limits.maxWaiting(), limits.unreadTimeout());
    }

    @Bean
    AnswerController millraceAnswerController(Store store, QueryLimits limits, AnswerThreads threads) {
        return new AnswerController(store, limits, threads);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactiveAnswers {

        @Bean
        @ConditionalOnMissingBean(name = "millraceBodyWriter")
        CodecCustomizer millraceBodyWriter() {
            return codecs -> codecs.customCodecs().register(new ReactiveBodyWriter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class ServletAnswers {

        @Bean
        ServletBodyWriter millraceBodyWriter() {
            return new ServletBodyWriter();
        }
    }
}
