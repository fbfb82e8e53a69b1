package io.millrace.web;

import io.millrace.metrics.PipelineReporter;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.table.Tables;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
    TableController millraceTableController(Tables tables) {
        return new TableController(tables);
    }

    @Bean
    ApiErrors millraceApiErrors() {
        return new ApiErrors();
    }
}
