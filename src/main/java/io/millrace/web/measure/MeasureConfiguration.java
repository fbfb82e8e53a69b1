package io.millrace.web.measure;

import io.millrace.pipeline.Pipelines;
import io.millrace.web.stream.EventStreams;
import io.millrace.web.stream.ServletEventStreams;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The controllers of measures and alerts, for Spring WebFlux and Spring MVC. */
@Configuration(proxyBeanMethods = false)
public class MeasureConfiguration {

    @Bean
    MeasureEvents millraceMeasureEvents(Pipelines pipelines) {
        return new MeasureEvents(pipelines);
    }

    @Bean
    MeasureReads millraceMeasureReads() {
        return new MeasureReads(MeasureReads.Clock.real());
    }

    @Bean
    MeasureStreams millraceMeasureStreams(
            Pipelines pipelines, MeasureEvents events, ObjectProvider<JsonMapper> mapper) {
        return new MeasureStreams(pipelines, events, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    MeasureController millraceMeasureController(
            Pipelines pipelines, MeasureReads reads, ObjectProvider<JsonMapper> mapper) {
        return new MeasureController(pipelines, reads, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    AlertController millraceAlertController(
            Pipelines pipelines, MeasureReads reads, MeasureEvents events, ObjectProvider<JsonMapper> mapper) {
        return new AlertController(pipelines, reads, events, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactiveMeasures {

        @Bean
        ReactiveStreamController millraceStreamController(MeasureStreams measures, EventStreams streams) {
            return new ReactiveStreamController(measures, streams);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class ServletMeasures {

        @Bean
        ServletStreamController millraceStreamController(MeasureStreams measures, ServletEventStreams streams) {
            return new ServletStreamController(measures, streams);
        }
    }
}
