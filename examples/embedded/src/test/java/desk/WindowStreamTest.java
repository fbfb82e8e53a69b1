package desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

/** Windows of a measure while they close. */
@DirtiesContext
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "millrace.pipelines.trades.feed.generator.count=100000000",
            "millrace.pipelines.trades.feed.generator.rate=10000",
            "millrace.web.base-path=/millrace",
            "millrace.web.max-streams=1"
        })
class WindowStreamTest {

    @LocalServerPort
    private int port;

    @Test
    void shouldStreamWindowsBelowTheBasePath() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/millrace/measures/turnover/stream?limit=1"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient();
                BufferedReader events = new BufferedReader(new InputStreamReader(
                        client.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
            assertThat(events.readLine()).isEqualTo(":listening");
            assertThat(events.lines().filter(line -> line.startsWith("data:")).limit(2))
                    .hasSize(2)
                    .allMatch(event -> event.startsWith("data:{\"start\":") && event.contains("\"trades\":"));
            assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("\"too-many-streams\"");
        }
    }
}
