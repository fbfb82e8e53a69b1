package io.millrace.web;

import io.millrace.metrics.PipelineReporter;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.table.Tables;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The controllers. */
@Configuration(proxyBeanMethods = false)
public class WebConfiguration {

    @Bean
    PipelineController millracePipelineController(Pipelines pipelines, PipelineReporter reporter) {
        return new PipelineController(pipelines, reporter);
    }

    @Bean
    RegionController millraceRegionController(Store store) {
        return new RegionController(store);
    }

    @Bean
    AnswerController millraceAnswerController(Store store, QuestionLimits limits, ObjectProvider<JsonMapper> mapper) {
        return new AnswerController(store, limits, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    MeasureEvents millraceMeasureEvents(Pipelines pipelines) {
        return new MeasureEvents(pipelines);
    }

    @Bean
    MeasureController millraceMeasureController(Pipelines pipelines, MeasureEvents events) {
        return new MeasureController(pipelines, events);
    }

    @Bean
    AlertController millraceAlertController(Pipelines pipelines, MeasureEvents events) {
        return new AlertController(pipelines, events);
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
