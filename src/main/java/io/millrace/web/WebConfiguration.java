package io.millrace.web;

import io.millrace.metrics.Sampler;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.table.Tables;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** The controllers, for Spring WebFlux and Spring MVC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "millrace.web.enabled", matchIfMissing = true)
@Import({ReactiveConfiguration.class, ServletConfiguration.class})
public class WebConfiguration {

    @Bean
    PipelineController millracePipelineController(Pipelines pipelines, Sampler sampler) {
        return new PipelineController(pipelines, sampler);
    }

    @Bean
    RegionController millraceRegionController(Store store) {
        return new RegionController(store);
    }

    @Bean
    CatalogController millraceCatalogController(Store store) {
        return new CatalogController(store);
    }

    @Bean
    AnswerThreads millraceAnswerThreads(QueryLimits limits) {
        return new AnswerThreads(limits.maxConcurrent(), limits.maxWaiting(), limits.unreadTimeout());
    }

    @Bean
    AnswerController millraceAnswerController(
            Store store, QueryLimits limits, AnswerThreads threads, ObjectProvider<JsonMapper> mapper) {
        return new AnswerController(store, limits, threads, mapper.getIfAvailable(JsonMapper::shared));
    }

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

    @Bean
    TableController millraceTableController(Tables tables) {
        return new TableController(tables);
    }

    @Bean
    OpenApiController millraceOpenApiController(@Value(ApiPath.BASE) String basePath) {
        return new OpenApiController(basePath);
    }

    @Bean
    ApiErrors millraceApiErrors() {
        return new ApiErrors();
    }
}
