package io.millrace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testcontainers.MillraceContainer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The project's own image, built from its Dockerfile and run. Skipped where there is no Docker engine. */
@Testcontainers(disabledWithoutDocker = true)
class DockerIT {

    @Container
    private static final MillraceContainer<?> MILLRACE = new MillraceContainer<>(MillraceImage.name());

    @Test
    void shouldRunTheSampleInAContainer() throws Exception {
        await().atMost(90, SECONDS).until(() -> page("/api/pipelines/trades").contains("\"state\":\"done\""));
        assertThat(page("/api/pipelines/trades")).contains("\"in\":3000000", "\"inFlight\":0");
        assertThat(page("/actuator/health")).contains("UP");
        assertThat(MILLRACE.execInContainer("id", "-u").getStdout().strip()).isNotEqualTo("0");
        await().atMost(30, SECONDS).until(MILLRACE::isHealthy);
    }

    private static String page(String path) throws Exception {
        URI uri = URI.create(MILLRACE.url(path));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
