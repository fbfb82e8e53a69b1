package io.millrace.web.page;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The page's map. */
@Configuration(proxyBeanMethods = false)
public class MapConfiguration {

    @Bean
    MapController millraceMapController(ObjectProvider<PlaceMap> map) {
        return new MapController(map.getIfAvailable());
    }
}
