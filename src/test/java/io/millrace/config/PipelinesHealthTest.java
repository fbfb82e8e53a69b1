package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.pipeline.Pipelines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PipelinesHealthTest {

    @TempDir
    Path folder;

    @Test
    void shouldBeDownWhileAFeedCanNotBeRead() throws IOException {
        ServerSocket other = new ServerSocket(FreePort.next(), 1, InetAddress.getLoopbackAddress());
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withPropertyValues(
                        "millrace.data=" + folder,
                        "millrace.regions.all.layout=blocks",
                        "millrace.pipelines.trades.schema=trade",
                        "millrace.pipelines.trades.feed.tcp.port=" + other.getLocalPort(),
                        "millrace.pipelines.trades.feed.tcp.host=127.0.0.1",
                        "millrace.pipelines.trades.steps[0].to=all")
                .run(context -> {
                    PipelinesHealth health = new PipelinesHealth(context.getBean(Pipelines.class));
                    try (other) {
                        await().until(() -> status(health).equals(Status.DOWN));
                        assertThat(String.valueOf(details(health)))
                                .contains("state=waiting", "error=Unable to listen on 127.0.0.1:");
                    }
                    await().until(() -> status(health).equals(Status.UP));
                    assertThat(details(health)).isEqualTo(Map.of("trades", Map.of("state", "waiting")));
                });
    }

    private static Status status(PipelinesHealth health) {
        return Objects.requireNonNull(health.health()).getStatus();
    }

    private static Map<String, Object> details(PipelinesHealth health) {
        Health shown = Objects.requireNonNull(health.health());
        return shown.getDetails();
    }
}
