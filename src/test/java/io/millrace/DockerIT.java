package io.millrace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.testcontainers.MillraceContainer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.OneShotStartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** The project's own image, built from its Dockerfile and run. Skipped where there is no Docker engine. */
@Testcontainers(disabledWithoutDocker = true)
class DockerIT {

    private static final Pattern PASSWORD = Pattern.compile("Sign in as sample with password (\\w+)");

    @Container
    private static final MillraceContainer<?> MILLRACE =
            new MillraceContainer<>(MillraceImage.name()).withStartupTimeout(TestTimeout.MAX);

    /** As {@code docker run -p 8080:8080 millrace} does: other machines can reach it, so there is a user. */
    @Test
    void shouldMakeAUserWhereNothingIsConfigured() throws Exception {
        try (GenericContainer<?> plain = new GenericContainer<>(MillraceImage.name())
                .withExposedPorts(8080)
                .waitingFor(Wait.forHealthcheck().withStartupTimeout(TestTimeout.MAX))) {
            plain.start();
            Matcher password = PASSWORD.matcher(plain.getLogs());
            assertThat(password.find()).as(plain.getLogs()).isTrue();
            assertThat(plain.getLogs()).doesNotContain("WARN", "ERROR");
            URI uri = URI.create("http://" + plain.getHost() + ":" + plain.getMappedPort(8080) + "/api/pipelines");
            String basic = Base64.getEncoder().encodeToString(("sample:" + password.group(1)).getBytes(UTF_8));
            HttpRequest.Builder request = HttpRequest.newBuilder(uri);
            try (HttpClient client = HttpClient.newHttpClient()) {
                assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                        .isEqualTo(401);
                request.header("Authorization", "Basic " + basic);
                assertThat(client.send(request.build(), BodyHandlers.ofString()).body())
                        .contains("\"name\":\"trades\"");
            }
            plain.getDockerClient()
                    .killContainerCmd(plain.getContainerId())
                    .withSignal("SEGV")
                    .exec();
            await().untilAsserted(() -> assertThat(plain.getLogs())
                    .as("report of a crash")
                    .contains("A fatal error has been detected", "SIGSEGV", "Command Line: ", "Heap:"));
        }
    }

    @Test
    void shouldTakeOptionsAndCommandsOfGfsh() {
        try (GenericContainer<?> locator = new GenericContainer<>(MillraceImage.name())
                .withEnv("JDK_JAVA_OPTIONS", "-Xms300m -Xmx300m")
                .withCopyToContainer(
                        Transferable.of("-XX:-UseZGC -XX:+UseSerialGC"), "/millrace/conf/container.options")
                .withCommand("sample", "--millrace.security.open=true")
                .withExposedPorts(8080)
                .waitingFor(Wait.forHealthcheck().withStartupTimeout(TestTimeout.MAX))) {
            locator.start();
            assertThat(locator.getLogs()).contains("Garbage collector: Copy and MarkSweepCompact");
        }
        try (GenericContainer<?> version = new GenericContainer<>(MillraceImage.name())
                .withCreateContainerCmdModifier(command -> command.withEntrypoint(
                        "java",
                        "@conf/jvm.options",
                        "-cp",
                        "lib/millrace.jar:lib/gfsh/*",
                        "@lib/modules.options",
                        "io.millrace.Millrace"))
                .withCommand("--version")
                .withStartupCheckStrategy(new OneShotStartupCheckStrategy().withTimeout(TestTimeout.MAX))) {
            version.start();
            assertThat(version.getLogs()).startsWith("millrace ");
        }
    }

    @Test
    void shouldRunTheSampleInAContainer() throws Exception {
        await().until(() -> page("/api/pipelines/trades").contains("\"state\":\"done\""));
        assertThat(page("/api/pipelines/trades")).contains("\"in\":3000000", "\"inFlight\":0");
        assertThat(page("/actuator/health")).contains("UP");
        assertThat(MILLRACE.getContainerInfo().getConfig().getUser()).isEqualTo("65532:65532");
        assertThat(MILLRACE.getLogs()).doesNotContain("WARN", "ERROR");
        await().until(MILLRACE::isHealthy);
    }

    private static String page(String path) throws Exception {
        URI uri = URI.create(MILLRACE.url(path));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
