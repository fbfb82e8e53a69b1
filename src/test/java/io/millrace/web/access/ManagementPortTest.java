package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The actuator on a port of its own has the users of the service. */
class ManagementPortTest {

    @TempDir
    Path folder;

    @Test
    void shouldAuthenticateRequestsToTheManagementPort() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                        .run(
                                "--server.port=0",
                                "--management.server.port=0",
                                "--management.server.address=127.0.0.1",
                                "--millrace.data=" + folder,
                                "--millrace.security.users.vera.password="
                                        + Passwords.hash("a password of some length"),
                                "--millrace.security.users.vera.role=viewer");
                HttpClient http = HttpClient.newHttpClient()) {
            String port = context.getEnvironment().getProperty("local.management.port");
            for (Map.Entry<String, Integer> expected : Map.of(
                            "/actuator/metrics", 401, "/actuator/health/liveness", 200)
                    .entrySet()) {
                URI uri = URI.create("http://127.0.0.1:" + port + expected.getKey());
                assertThat(http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                                .statusCode())
                        .as(expected.getKey())
                        .isEqualTo(expected.getValue());
            }
        }
    }
}
