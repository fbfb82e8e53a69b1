package io.millrace.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import io.millrace.web.answer.QueryLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

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
        return get(context, path).statusCode();
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
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

    @Test
    void shouldServeTheApiBelowTheBasePath() throws Exception {
        try (ConfigurableApplicationContext context = start("--millrace.web.base-path=/trading/millrace")) {
            assertThat(status(context, "/trading/millrace/regions/all/records")).isEqualTo(200);
            assertThat(status(context, "/trading/millrace/sign-in")).isEqualTo(200);
            assertThat(status(context, "/trading/millrace/live/history")).isEqualTo(200);
            assertThat(get(context, "/trading/millrace/openapi.json").body())
                    .contains("\"servers\":[{\"url\":\"/trading/millrace\"}]");
            assertThat(status(context, "/api/regions")).isEqualTo(404);
            assertThat(status(context, "/")).as("the page, which requests /api").isEqualTo(404);
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

    /** An application with beans of its own instead of those of the library. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithOwnBeans {

        @Bean
        QueryLimits strictLimits() {
            return new QueryLimits(1, Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 1, Duration.ofSeconds(1));
        }

        @Bean
        HealthIndicator regionsHealthIndicator() {
            return () -> Health.up().build();
        }
    }

    @Test
    void shouldUseBeansOfTheApplication() {
        try (ConfigurableApplicationContext context = start(WithOwnBeans.class)) {
            assertThat(context.getBeansOfType(QueryLimits.class)).containsOnlyKeys("strictLimits");
            assertThat(context.getBean("regionsHealthIndicator").getClass().getName())
                    .startsWith(WithOwnBeans.class.getName());
        }
    }
}
