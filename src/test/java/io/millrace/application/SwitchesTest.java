package io.millrace.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What {@code millrace.enabled}, {@code millrace.web.enabled} and {@code millrace.page.enabled} switch off. */
class SwitchesTest {

    @TempDir
    Path folder;

    private ConfigurableApplicationContext start(String... properties) {
        return start(MillraceApplication.class, properties);
    }

    private ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .run(Stream.concat(
                                Stream.of(
                                        "--server.port=0",
                                        "--millrace.data=" + folder.resolve("data"),
                                        "--millrace.regions.all.layout=blocks",
                                        "--millrace.regions.all.schema=trade"),
                                Stream.of(properties))
                        .toArray(String[]::new));
    }

    private static int status(ConfigurableApplicationContext context, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .statusCode();
        }
    }

    @Test
    void shouldServeTheApiAndThePageByDefault() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            assertThat(status(context, "/api/regions")).isEqualTo(200);
            assertThat(status(context, "/api/live/history")).isEqualTo(200);
            assertThat(status(context, "/")).isEqualTo(200);
        }
    }

    @Test
    void shouldServeTheApiWithoutThePage() throws Exception {
        try (ConfigurableApplicationContext context = start("--millrace.page.enabled=false")) {
            assertThat(status(context, "/api/regions")).isEqualTo(200);
            assertThat(status(context, "/api/live/history")).isEqualTo(404);
            assertThat(status(context, "/")).isEqualTo(404);
        }
    }

    @Test
    void shouldRunWithoutTheApi() throws Exception {
        try (ConfigurableApplicationContext context = start("--millrace.web.enabled=false")) {
            assertThat(context.getBean(Store.class)).isNotNull();
            assertThat(status(context, "/api/regions")).isEqualTo(404);
            assertThat(status(context, "/")).isEqualTo(404);
            assertThat(status(context, "/actuator/health")).isEqualTo(200);
        }
    }

    /** An application that uses Millrace as a library: the defaults of the service do not apply. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Embedding {}

    @Test
    void shouldStartNothingInAnApplicationThatSwitchesMillraceOff() {
        try (ConfigurableApplicationContext context = start(Embedding.class, "--millrace.enabled=false")) {
            assertThat(context.getBeanProvider(Store.class).getIfAvailable()).isNull();
            assertThat(context.getBeanProvider(Pipelines.class).getIfAvailable())
                    .isNull();
            assertThat(folder.resolve("data")).doesNotExist();
        }
    }
}
