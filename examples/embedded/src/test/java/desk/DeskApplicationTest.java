package desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.Pipelines;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class DeskApplicationTest {

    @LocalServerPort
    private int port;

    @Autowired
    private Environment environment;

    @Autowired
    private Pipelines pipelines;

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }
    }

    @Test
    void shouldRunThePipelineAndListenToItsChannel() throws Exception {
        await().atMost(Duration.ofSeconds(60)).until(pipelines::ended);

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
        assertThat(get("/api/pipelines").statusCode()).isEqualTo(404);
    }
}
