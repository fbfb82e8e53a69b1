package io.millrace.web.measure;

import io.millrace.pipeline.Pipelines;
import io.millrace.web.request.RecordJson;
import io.millrace.web.stream.EventStreams;
import io.millrace.web.stream.ServletEventStreams;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
    MeasureStreams millraceMeasureStreams(Pipelines pipelines, MeasureEvents events) {
        return new MeasureStreams(pipelines, events, RecordJson.mapper());
    }

    @Bean
    MeasureController millraceMeasureController(Pipelines pipelines, MeasureReads reads) {
        return new MeasureController(pipelines, reads, RecordJson.mapper());
    }

    @Bean
    AlertController millraceAlertController(Pipelines pipelines, MeasureReads reads, MeasureEvents events) {
        return new AlertController(pipelines, reads, events, RecordJson.mapper());
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
