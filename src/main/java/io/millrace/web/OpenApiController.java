package io.millrace.web;

import io.millrace.web.request.ApiPath;
import io.millrace.web.request.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import reactor.core.publisher.Mono;

/** Returns the OpenAPI document of the HTTP API. */
@RestController
@RequestMapping(ApiPath.BASE + "/openapi.json")
class OpenApiController {

    private static final ClassPathResource DOCUMENT = new ClassPathResource("millrace/openapi.yml");

    private final String basePath;

    OpenApiController(String basePath) {
        this.basePath = basePath;
    }

    @GetMapping
    Mono<Map<String, Object>> document() {
        return Workers.run(this::read);
    }

    private Map<String, Object> read() throws IOException {
        try (InputStream text = DOCUMENT.getInputStream()) {
            Map<String, Object> document = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
            document.put("servers", List.of(Map.of("url", basePath)));
            return document;
        }
    }
}
