package io.millrace.web.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Measures and alerts over HTTP, of records that are sent one after the other. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MeasureApiTest {

    private static final long START = Instant.parse("2026-03-01T06:00:00Z").toEpochMilli();

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/sale.yml"), """
                schema: sale
                fields:
                  - { name: time,   type: instant, as: i64, unit: ms }
                  - { name: shop,   type: u8 }
                  - { name: amount, type: decimal, scale: 2, as: i64 }
                """);
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: %s
                  regions:
                    sales: { layout: blocks }
                  pipelines:
                    till:
                      schema: sale
                      steps:
                        - measure:
                            name: turnover
                            by: shop
                            every: 10s
                            time: time
                            allowed-lateness: 1s
                            max-groups: 2
                            values: { sales: count(), amount: sum(amount), mean: sum(amount) / count() }
                            alerts: { idle: { when: amount < 1, until: amount >= 1 } }
                        - to: sales
                """.formatted(folder.resolve("schemas")));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        http.close();
        if (context.isActive()) {
            context.close();
        }
    }

    private static void sell(double second, int shop, long cents) {
        byte[] sale = ByteBuffer.allocate(17)
                .putLong(START + (long) (second * 1000))
                .put((byte) shop)
                .putLong(cents)
                .array();
        context.getBean("till.in", MessageChannel.class).send(new GenericMessage<>(sale));
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(uri(path)).timeout(TestTimeout.MAX).build(), BodyHandlers.ofString());
    }

    /** The next event of a stream, comments left out. */
    private static String event(BufferedReader stream) throws IOException {
        String line = stream.readLine();
        while (line != null && !line.startsWith("data:")) {
            line = stream.readLine();
        }
        return String.valueOf(line);
    }

    private static BufferedReader listen(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer = http.send(
                HttpRequest.newBuilder(uri(path)).timeout(TestTimeout.MAX).build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        BufferedReader reader = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
        // It listens once a sign of life has come.
        assertThat(reader.readLine()).isEqualTo(":listening");
        return reader;
    }

    @Test
    @Order(1)
    void shouldReportTheOpenWindowAndThoseThatWereClosed() throws Exception {
        sell(0, 1, 1050);
        sell(1, 1, 950);
        sell(2, 2, 10);
        sell(3, 3, 77);
        sell(9, 1, 100);

        assertThat(get("/api/measures").body())
                .isEqualTo(
                        "[{\"name\":\"turnover\",\"pipeline\":\"till\",\"by\":[\"shop\"],\"values\":{\"sales\":\"count()\","
                                + "\"amount\":\"sum(amount)\",\"mean\":\"sum(amount) / count()\"},\"to\":[],\"groups\":2,"
                                + "\"counted\":5,\"late\":0,\"ahead\":0,\"failed\":0,\"firstFailure\":null,"
                                + "\"alerts\":[{\"name\":\"idle\",\"raised\":0,\"missed\":0}]}]");
        assertThat(get("/api/measures/turnover").body())
                .contains(
                        "\"current\":{\"start\":\"2026-03-01T06:00:00Z\",\"end\":\"2026-03-01T06:00:10Z\",\"groups\":3,"
                                + "\"rows\":[{\"start\":\"2026-03-01T06:00:00Z\",\"end\":\"2026-03-01T06:00:10Z\","
                                + "\"others\":false,\"shop\":1,\"sales\":3,\"amount\":21.00,\"mean\":7.0},")
                .contains("{\"start\":\"2026-03-01T06:00:00Z\",\"end\":\"2026-03-01T06:00:10Z\",\"others\":true,"
                        + "\"shop\":null,\"sales\":1,\"amount\":0.77,\"mean\":0.77}]}")
                .endsWith("\"windows\":[]}");

        sell(11, 2, 500);
        assertThat(get("/api/measures/turnover?windows=5&limit=1").body())
                .contains("\"current\":{\"start\":\"2026-03-01T06:00:10Z\"")
                .contains(
                        "\"windows\":[{\"start\":\"2026-03-01T06:00:00Z\",\"end\":\"2026-03-01T06:00:10Z\",\"groups\":3,"
                                + "\"rows\":[{")
                .endsWith("\"shop\":1,\"sales\":3,\"amount\":21.00,\"mean\":7.0}]}]}");
        sell(5, 1, 1);
        assertThat(get("/api/measures/turnover").body()).contains("\"counted\":6,\"late\":1,");
    }

    @Test
    @Order(2)
    void shouldReportAlerts() throws Exception {
        String raised =
                "{\"measure\":\"turnover\",\"alert\":\"idle\",\"raised\":true,\"since\":\"2026-03-01T06:00:00Z\","
                        + "\"at\":\"2026-03-01T06:00:10Z\",\"row\":{\"start\":\"2026-03-01T06:00:00Z\","
                        + "\"end\":\"2026-03-01T06:00:10Z\",\"others\":false,\"shop\":2,\"sales\":1,\"amount\":0.10,\"mean\":0.1}}";
        assertThat(get("/api/alerts").body()).isEqualTo("{\"raised\":[" + raised + "],\"last\":[" + raised + "]}");

        sell(21, 2, 1);
        assertThat(get("/api/alerts").body())
                .startsWith("{\"raised\":[],\"last\":[{\"measure\":\"turnover\",\"alert\":\"idle\",\"raised\":false,")
                .contains(raised);
    }

    @Test
    @Order(3)
    void shouldStreamWindowsAndAlertsAsTheyCome() throws Exception {
        try (BufferedReader windows = listen("/api/measures/turnover/stream?limit=1");
                BufferedReader alerts = listen("/api/alerts/stream")) {
            sell(31, 3, 2);
            assertThat(event(windows))
                    .startsWith(
                            "data:{\"start\":\"2026-03-01T06:00:20Z\",\"end\":\"2026-03-01T06:00:30Z\",\"groups\":1,")
                    .contains("\"shop\":2,\"sales\":1,\"amount\":0.01");
            assertThat(event(alerts)).contains("\"alert\":\"idle\",\"raised\":true,", "\"shop\":2");
            sell(41, 3, 2);
            assertThat(event(windows)).contains("\"start\":\"2026-03-01T06:00:30Z\"", "\"shop\":3");
        }
    }

    @Test
    @Order(4)
    void shouldNotWaitForAListenerThatDoesNotRead() throws Exception {
        try (BufferedReader slow = listen("/api/measures/turnover/stream")) {
            for (int i = 0; i < 20_000; i++) {
                sell(100 + 11 * i, i % 200, i);
            }
            String last = String.valueOf(START + (100 + 11 * 19_999) * 1000L);
            assertThat(get("/api/measures/turnover").body()).contains("\"counted\":20009,");
            // What was kept for it comes when it reads; much in between is missing.
            int events = 0;
            sell(1_000_000, 1, 1);
            String found = "";
            while (!found.contains(
                    Instant.ofEpochMilli(Long.parseLong(last)).toString().substring(0, 15))) {
                found = event(slow);
                events++;
            }
            assertThat(events).isBetween(1, 19_000);
        }
    }

    @Test
    @Order(5)
    void shouldSayWhatIsWrongWithARequest() throws Exception {
        assertThat(get("/api/measures/turnovr").body())
                .contains("\"code\":\"unknown-measure\"", "Did you mean 'turnover'?");
        assertThat(get("/api/measures/turnovr/stream").statusCode()).isEqualTo(404);
        assertThat(get("/api/measures/turnover?limit=0").body())
                .contains("\"code\":\"bad-query\"", "Invalid limit '0'. Use 1 to 10000.");
        assertThat(get("/api/measures/turnover?windows=61").body()).contains("Invalid windows '61'. Use 0 to 60.");
    }

    @Test
    @Order(6)
    void shouldEndStreamsWhenItEnds() throws Exception {
        try (BufferedReader windows = listen("/api/measures/turnover/stream")) {
            Thread closing = new Thread(context::close, "closing");
            closing.start();
            assertThat(event(windows)).isEqualTo("null");
            closing.join(TestTimeout.MAX);
            await().until(() -> !context.isActive());
        }
    }
}
