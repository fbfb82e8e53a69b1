package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The live page's moments over a real socket, of the sample. */
class LiveApiTest {

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static PageClient client;

    @BeforeAll
    static void runTheSample() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.sample=true",
                        "--millrace.web.max-streams=4",
                        "--millrace.data=" + folder,
                        "--millrace.pipelines.trades.feed.generator.rate=1000");
        client = new PageClient(context);
    }

    @AfterAll
    static void end() {
        context.close();
    }

    /** The server may still count streams that the test before has closed. */
    private static EventReader listen(String path) {
        return await().ignoreException(AssertionError.class).until(() -> client.listen(path), _ -> true);
    }

    @Test
    void shouldSendAMomentASecond() throws Exception {
        try (EventReader events = listen("/api/live")) {
            JsonNode first = events.next();
            JsonNode second = events.next();
            assertThat(second.get("time").asLong())
                    .isGreaterThan(first.get("time").asLong());
            while (second.at("/pipelines/0/in").asLong() == 0) {
                second = events.next();
            }
            JsonNode pipeline = second.get("pipelines").get(0);
            assertThat(pipeline.get("name").asString()).isEqualTo("trades");
            assertThat(pipeline.get("conserved").asBoolean()).isTrue();
            assertThat(pipeline.get("in").asLong())
                    .isPositive()
                    .isEqualTo(pipeline.get("kept").asLong()
                            + pipeline.get("dropped").asLong()
                            + pipeline.get("rejected").asLong()
                            + pipeline.get("superseded").asLong()
                            + pipeline.get("inFlight").asLong());
            assertThat(pipeline.get("steps")).hasSize(4);
            assertThat(pipeline.has("eventsPerSecond")).isTrue();
            assertThat(second.get("heapUsed").asLong())
                    .isPositive()
                    .isLessThanOrEqualTo(second.get("heapCommitted").asLong());
            assertThat(second.get("processors").asInt())
                    .isEqualTo(Runtime.getRuntime().availableProcessors());
            assertThat(second.get("regions").findValuesAsString("name"))
                    .containsExactlyInAnyOrder("buys", "sells", "trades-rejected");
            assertThat(second.get("gc").isArray()).isTrue();
        }
    }

    @Test
    void shouldReportThePausesOfTheCollector() throws Exception {
        try (EventReader events = listen("/api/live")) {
            events.next();
            System.gc();
            JsonNode pauses = events.next().get("gc");
            while (pauses.isEmpty()) {
                pauses = events.next().get("gc");
            }
            assertThat(pauses.get(0).get("kind").asString()).isNotEmpty();
            assertThat(pauses.get(0).get("millis").asDouble()).isNotNegative();
        }
        JsonNode reported = client.json("/api/live/history").get("gc");
        assertThat(reported).isNotEmpty();
    }

    @Test
    void shouldRememberTheLastMinutes() throws Exception {
        await().until(() -> client.json("/api/live/history").get("times").size() >= 2);
        JsonNode history = client.json("/api/live/history");
        int seconds = history.get("times").size();
        JsonNode trades = history.get("pipelines").get("trades");
        for (JsonNode column : List.of(
                history.get("heapUsed"),
                history.get("cpu"),
                trades.get("eventsPerSecond"),
                trades.get("bytesPerEvent"))) {
            assertThat(column).hasSize(seconds);
        }
        assertThat(history.get("times").get(1).asLong()
                        - history.get("times").get(0).asLong())
                .isEqualTo(1000);
    }

    @Test
    void shouldRefuseAStreamMoreThanThereMayBe() throws Exception {
        List<EventReader> readers = new ArrayList<>();
        for (String path : List.of("/api/live", "/api/live", "/api/live", "/api/alerts/stream")) {
            readers.add(listen(path));
        }
        HttpResponse<String> refused = client.get("/api/live");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("\"code\":\"too-many-streams\"", "Too many streams: 4.");
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        for (EventReader reader : readers) {
            reader.close();
        }
        listen("/api/live").close();
    }
}
