package io.millrace.web;

import io.millrace.metrics.Sampler;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.table.Tables;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The controllers. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(name = "millrace.web.enabled", matchIfMissing = true)
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
    EventStreams millraceEventStreams(StreamLimits limits) {
        return new EventStreams(limits);
    }

    @Bean
    MeasureReads millraceMeasureReads() {
        return new MeasureReads(MeasureReads.Clock.real());
    }

    @Bean
    MeasureController millraceMeasureController(
            Pipelines pipelines,
            MeasureReads reads,
            MeasureEvents events,
            EventStreams streams,
            ObjectProvider<JsonMapper> mapper) {
        return new MeasureController(pipelines, reads, events, streams, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    AlertController millraceAlertController(
            Pipelines pipelines,
            MeasureReads reads,
            MeasureEvents events,
            EventStreams streams,
            ObjectProvider<JsonMapper> mapper) {
        return new AlertController(pipelines, reads, events, streams, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    TableController millraceTableController(Tables tables) {
        return new TableController(tables);
    }

    @Bean
    ApiErrors millraceApiErrors() {
        return new ApiErrors();
    }
}
