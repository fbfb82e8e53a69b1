package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What health checks say of pipelines and background tasks, over a real socket. */
class HealthApiTest {

    @TempDir
    Path folder;

    /** Three pipelines: one fails, one rejects all, one is fine. */
    private ConfigurableApplicationContext start(String... arguments) throws IOException {
        Path good = TradeFile.write(folder.resolve("good.bin"), TradeFile.random(100, 1));
        Path bad = TradeFile.write(
                folder.resolve("bad.bin"), Collections.nCopies(100, new Trade(1, 1, 0, 99, 1, 1, 1, 1, 1)));
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  data: %1$s
                  regions:
                    buys: { layout: blocks, retain: { age: 1h } }
                    sells: { layout: blocks }
                  pipelines:
                    fine:
                      feed: { file: %2$s }
                      schema: trade
                      steps: [ { to: buys } ]
                    failing:
                      feed: { file: %2$s }
                      schema: trade
                      steps: [ { to: "channel:nobody" } ]
                    rejecting:
                      feed: { file: %3$s }
                      schema: trade
                      steps: [ { to: sells } ]
                """.formatted(folder.resolve("data"), good, bad));
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        all[0] = "--server.port=0";
        all[1] = "--spring.config.additional-location=" + config.toUri();
        ConfigurableApplicationContext context = SpringApplication.run(MillraceApplication.class, all);
        await().until(() -> context.getBean(Pipelines.class).ended());
        return context;
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void shouldBeDownWhereAPipelineHasFailed() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            HttpResponse<String> health = get(context, "/actuator/health");
            assertThat(health.statusCode()).isEqualTo(503);
            JsonNode pipelines = JsonMapper.shared().readTree(health.body()).at("/components/pipelines");
            assertThat(pipelines.at("/status").stringValue()).isEqualTo("DOWN");
            assertThat(pipelines.at("/details/fine/state").stringValue()).isEqualTo("done");
            assertThat(pipelines.at("/details/failing/state").stringValue()).isEqualTo("failed");
            assertThat(pipelines.at("/details/failing/error").stringValue()).contains("nobody");
            JsonNode rejecting = pipelines.at("/details/rejecting");
            assertThat(rejecting.at("/state").stringValue()).isEqualTo("degraded");
            assertThat(rejecting.at("/rejects/share").doubleValue()).isEqualTo(1);
            assertThat(rejecting.at("/rejects/reasons/0/reason").stringValue()).isEqualTo("invalid-value");
            assertThat(rejecting.at("/rejects/reasons/0/count").intValue()).isEqualTo(100);

            HttpResponse<String> readiness = get(context, "/actuator/health/readiness");
            assertThat(readiness.statusCode()).isEqualTo(200);
            assertThat(readiness.body()).doesNotContain("pipelines");
            assertThat(get(context, "/actuator/health/liveness").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakePipelinesIntoReadinessWhereConfigured(boolean included) throws Exception {
        try (ConfigurableApplicationContext context =
                start("--management.endpoint.health.group.readiness.include=readinessState,geode,standby"
                        + (included ? ",pipelines" : ""))) {
            HttpResponse<String> readiness = get(context, "/actuator/health/readiness");
            assertThat(readiness.statusCode()).isEqualTo(included ? 503 : 200);
            assertThat(readiness.body().contains("\"pipelines\"")).isEqualTo(included);
            assertThat(get(context, "/actuator/health/liveness").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldShowBackgroundTasks() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            await().untilAsserted(() -> {
                JsonNode tasks = JsonMapper.shared()
                        .readTree(get(context, "/actuator/health").body())
                        .at("/components/backgroundTasks");
                assertThat(tasks.at("/status").stringValue("")).isEqualTo("UP");
                assertThat(tasks.at("/details").propertyNames())
                        .contains("sampler", "store-watch", "retention-buys", "slow-clients", "events-live");
                assertThat(tasks.at("/details/sampler/state").stringValue("")).isEqualTo("ok");
                assertThat(tasks.at("/details/sampler/lastRun").stringValue("")).startsWith("20");
            });
        }
    }
}
