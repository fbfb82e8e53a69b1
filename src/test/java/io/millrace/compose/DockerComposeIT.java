package io.millrace.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.MillraceImage;
import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

/** An application whose cluster, of {@code docker-compose.yml}, Spring Boot starts and connects it to. */
@EnabledIfDockerAvailable
@EnabledIf(value = "hasCompose", disabledReason = "there is no `docker compose`, version 2")
class DockerComposeIT {

    private static final String PROJECT = "--project-name=millrace-it";
    private static final List<String> MEMBERS = List.of("locator", "server-1", "server-2");

    @TempDir
    Path folder;

    static boolean hasCompose() {
        return run("docker", "compose", "version") && run("docker", "info");
    }

    @AfterEach
    void removeTheCluster() {
        assertThat(run("docker", "compose", PROJECT, "down", "--volumes")).isTrue();
    }

    @Test
    void shouldFindTheClusterOfTheComposeFile() throws Exception {
        DockerClientFactory.instance()
                .client()
                .tagImageCmd(MillraceImage.name(), "millrace", "latest")
                .exec();

        // A busy machine needs longer than the health check of the image allows.
        Path patient = Files.writeString(
                folder.resolve("patient.yml"),
                MEMBERS.stream()
                        .map(member -> "  " + member + ": { healthcheck: { start_period: 15m } }\n")
                        .collect(Collectors.joining("", "services:\n", "")));
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.docker.compose.skip.in-tests=false",
                        "--spring.docker.compose.file=docker-compose.yml," + patient,
                        "--spring.docker.compose.arguments=" + PROJECT,
                        "--spring.docker.compose.start.arguments=" + String.join(",", MEMBERS),
                        "--spring.docker.compose.readiness.timeout=15m",
                        "--spring.docker.compose.lifecycle-management=start-only",
                        "--spring.config.additional-location=examples/istanbul.yml",
                        // As the compose file has it.
                        "--millrace.regions.events.redundant-copies=1",
                        "--millrace.regions.events.persistent=true",
                        "--millrace.tables.cells.file=examples/reference/cells.csv",
                        "--millrace.pipelines.istanbul.feed.generator.count=20000")) {
            await().until(() -> application.getBean(Pipelines.class).ended());
            Store store = application.getBean(Store.class);
            store.requireAvailable();
            assertThat(store.info("events").records()).isGreaterThan(10_000);
            assertThat(regionOfServer())
                    .contains("\"records\":" + store.info("events").records() + ",");
        }
    }

    /** What a server's own HTTP interface tells, with the password of the example. */
    private static String regionOfServer() throws IOException, InterruptedException {
        String user = "admin:"
                + Files.readString(Path.of("examples/passwords/admin.txt")).strip();
        String basic = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8081/api/regions/events"))
                .header("Authorization", "Basic " + basic)
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private static boolean run(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
