package io.millrace.web.page;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.web.request.ApiPath;
import io.millrace.web.request.RecordJson;
import io.millrace.web.stream.EventStreams;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Controllers and beans for the requests of the page. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBooleanProperty(
        name = {"millrace.web.enabled", "millrace.page.enabled"},
        matchIfMissing = true)
public class PageConfiguration {

    @Bean
    LiveMoments millraceLiveMoments(Store store, ObjectProvider<JsonMapper> mapper) {
        return new LiveMoments(store, mapper.getIfAvailable(JsonMapper::shared));
    }

    @Bean
    LiveController millraceLiveController(LiveMoments moments, EventStreams streams) {
        return new LiveController(moments, streams);
    }

    @Bean
    MapController millraceMapController(ObjectProvider<PlaceMap> map, @Value(ApiPath.BASE) String basePath) {
        return new MapController(map.getIfAvailable(), basePath);
    }

    @Bean
    Taps millraceTaps(BeanFactory beans, FunctionRegistry functions) {
        return new Taps(beans, RecordJson.mapper(), functions);
    }

    @Bean
    TapController millraceTapController(Pipelines pipelines, Taps taps, EventStreams streams) {
        return new TapController(pipelines, taps, streams);
    }

    @Bean
    PlayController millracePlayController(Pipelines pipelines, PageOptions options) {
        return new PlayController(pipelines, options);
    }
}
