package io.millrace.web;

import io.millrace.metrics.Sampler;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.store.Store;
import io.millrace.table.Tables;
import io.millrace.web.answer.AnswerConfiguration;
import io.millrace.web.measure.MeasureConfiguration;
import io.millrace.web.request.ApiPath;
import io.millrace.web.stream.StreamConfiguration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The controllers, for Spring WebFlux and Spring MVC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "millrace.web.enabled", matchIfMissing = true)
@Import({StreamConfiguration.class, AnswerConfiguration.class, MeasureConfiguration.class})
public class WebConfiguration {

    @Bean
    PipelineController millracePipelineController(Pipelines pipelines, Sampler sampler) {
        return new PipelineController(pipelines, sampler);
    }

    @Bean
    RulesController millraceRulesController(Pipelines pipelines, RuleChanges changes, Shadows shadows) {
        return new RulesController(pipelines, changes, shadows);
    }

    @Bean
    ShadowController millraceShadowController(Pipelines pipelines, RuleChanges changes, Shadows shadows) {
        return new ShadowController(pipelines, changes, shadows);
    }

    @Bean
    BacktestController millraceBacktestController(
            Pipelines pipelines, RuleChanges changes, Shadows shadows, Store store) {
        return new BacktestController(pipelines, changes, shadows, store);
    }

    @Bean
    RegionController millraceRegionController(Store store) {
        return new RegionController(store, store);
    }

    @Bean
    CatalogController millraceCatalogController(Store store) {
        return new CatalogController(store);
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
