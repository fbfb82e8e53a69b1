package desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.Pipelines;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.test.annotation.DirtiesContext;

@DirtiesContext
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "millrace.pipelines.trades.feed.generator.count=400000")
class DeskApplicationTest {

    @LocalServerPort
    private int port;

    @Autowired
    private Environment environment;

    @Autowired
    private Pipelines pipelines;

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private void awaitEndOfFeed() {
        await().atMost(Duration.ofMinutes(15)).until(pipelines::ended);
    }

    @Test
    void shouldRunThePipelineAndListenToItsChannel() throws Exception {
        awaitEndOfFeed();

        assertThat(get("/").body()).matches("The desk has seen [1-9]\\d+ large trades\\.");
        assertThat(get("/largest/GBP").body())
                .startsWith("[{\"id\":")
                .contains("\"currency\":\"GBP\"")
                .doesNotContain("EUR");
    }

    @Test
    void shouldKeepItsOwnSettingsAndPages() throws Exception {
        assertThat(environment.getProperty("spring.application.name")).isEqualTo("desk");
        assertThat(environment.getProperty("server.address")).isNull();
        assertThat(environment.getProperty("management.endpoints.web.exposure.include"))
                .isNull();
        assertThat(get("/index.html").statusCode()).isEqualTo(404);
        assertThat(get("/api/live/history").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldServeTheHttpApi() throws Exception {
        awaitEndOfFeed();

        assertThat(get("/api/pipelines").body())
                .startsWith("[{\"name\":\"trades\"")
                .contains("\"in\":400000,");
        assertThat(get("/api/measures/turnover").body()).containsPattern("\"counted\":[1-9]");
        assertThat(get("/api/openapi.json").body()).startsWith("{\"openapi\":\"3.1");
        HttpResponse<String> json = get("/api/regions/trades/records?select=id,amount1&limit=2");
        assertThat(json.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(json.body()).startsWith("{\"records\":[{\"id\":").contains("\"scanned\":");
        HttpResponse<String> csv = get("/api/regions/trades/records?select=id&limit=2", "Accept", "text/csv");
        assertThat(csv.headers().firstValue("Content-Type")).hasValue("text/csv;charset=UTF-8");
        assertThat(csv.body()).matches("id\r\n\\d+\r\n\\d+\r\n");
    }

    @Test
    void shouldReturnProblemDetails() throws Exception {
        HttpResponse<String> unknown = get("/api/regions/trade/records");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(unknown.body()).contains("\"code\":\"unknown-region\"");
        assertThat(get("/api/regions/trades/records?select=amuont1").body()).contains("\"code\":\"bad-query\"");
        assertThat(get("/api/measures/turnovr/stream", "Accept", "text/event-stream")
                        .body())
                .contains("\"code\":\"unknown-measure\"");
    }

    @Test
    void shouldStreamEvents() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port + "/api/alerts/stream");
            HttpResponse<InputStream> stream =
                    client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
            assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            try (InputStream events = stream.body()) {
                assertThat(new String(events.readNBytes(12), StandardCharsets.UTF_8))
                        .isEqualTo(":listening\n\n");
            }
        }
    }

    /** The whole answer is several times larger than what the buffers of the connection hold. */
    @Test
    void shouldReadNoFurtherThanASlowClient() throws Exception {
        awaitEndOfFeed();
        try (Socket client = new Socket()) {
            client.setReceiveBufferSize(1 << 16);
            client.connect(new InetSocketAddress("127.0.0.1", port));
            client.getOutputStream()
                    .write(("GET /api/regions/trades/records?format=csv HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));

            await().atMost(Duration.ofMinutes(15))
                    .during(Duration.ofSeconds(3))
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().entrySet())
                            .as("a query that waits for its client")
                            .anyMatch(thread -> thread.getKey().getName().startsWith("answer-")
                                    && Arrays.stream(thread.getValue())
                                            .anyMatch(frame ->
                                                    frame.getMethodName().equals("write"))));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).hasSizeGreaterThan(10_000_000).endsWith("\r\n0\r\n\r\n");
        }
    }

    @Test
    void shouldCloseTheConnectionWhenAnAnswerFails() throws Exception {
        awaitEndOfFeed();
        Matcher last = Pattern.compile("\"id\":(\\d+)")
                .matcher(get("/api/regions/trades/records?select=id&orderBy=id%20desc&limit=1")
                        .body());
        assertThat(last.find()).isTrue();

        assertThatIOException()
                .isThrownBy(() -> get("/api/regions/trades/records?format=csv&where=1%20/%20(id%20-%20" + last.group(1)
                        + ")%20%3C%202"));
    }
}
