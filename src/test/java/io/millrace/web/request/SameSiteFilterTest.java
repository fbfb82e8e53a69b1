package io.millrace.web.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests as a browser sends them for a page of another site; over bare sockets, since clients guard these headers.
 */
class SameSiteFilterTest {

    private static final String PIPELINES = "/api/pipelines";
    private static final String PLAY = "/api/pipelines/trades/replay";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder,
                        "--millrace.web.allowed-hosts=millrace.example,Other.Example");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static String send(String method, String path, String... headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            String request = method + " " + path + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + (headers.length == 0 ? "" : "\r\n")
                    + "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST",
                "127.0.0.1",
                "[::1]",
                "192.0.2.1",
                "page.localhost",
                "millrace.example",
                "other.example"
            })
    void shouldAnswerForItsOwnNames(String host) throws IOException {
        assertThat(send("GET", PIPELINES, "Host: " + host + ":" + port())).startsWith("HTTP/1.1 200");
        assertThat(send("GET", PIPELINES, "Host: " + host)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "evil.example#localhost",
                "[evil.example]",
                "1",
                ":8080",
                ""
            })
    void shouldRefuseOtherNames(String host) throws IOException {
        for (String path : new String[] {PIPELINES, "/actuator/metrics", "/", "/api/nowhere"}) {
            assertThat(send("GET", path, "Host: " + host)).doesNotStartWith("HTTP/1.1 2");
        }
    }

    @Test
    void shouldRefuseARequestThatNamesTwoHosts() throws IOException {
        assertThat(send("GET", PIPELINES, "Host: localhost", "Host: localhost")).startsWith("HTTP/1.1 400");
        assertThat(send("GET", PIPELINES, "Host: localhost", "host: other.example"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void shouldSayWhatIsWrongAsEveryErrorDoes() throws IOException {
        String answer = send("GET", PIPELINES, "Host: evil.example");

        assertThat(answer).startsWith("HTTP/1.1 403").contains("application/problem+json");
        assertThat(JsonMapper.shared().readValue(answer.substring(answer.indexOf("{")), Object.class))
                .isEqualTo(Map.of(
                        "title",
                        "Forbidden",
                        "status",
                        403,
                        "detail",
                        "Unknown host 'evil.example'. Use localhost or an IP address, or add the name to"
                                + " millrace.web.allowed-hosts.",
                        "code",
                        "host"));
    }

    @Test
    void shouldRefuseARequestThatNamesNoHost() throws IOException {
        assertThat(send("GET", PIPELINES)).doesNotStartWith("HTTP/1.1 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example",
                "http://evil.example:8080",
                "null",
                "http://localhost:1",
                "http://127.0.0.1",
                "http://localhost@evil.example",
                "file://",
                "%",
                "http://millrace.example.evil.example"
            })
    void shouldRefuseChangesFromOtherOrigins(String origin) throws IOException {
        for (String method : new String[] {"PUT", "POST", "DELETE", "PATCH"}) {
            assertThat(send(method, PLAY, "Host: 127.0.0.1:" + port(), "Origin: " + origin))
                    .startsWith("HTTP/1.1 403")
                    .contains("\"code\":\"origin\"");
        }
    }

    @Test
    void shouldTakeChangesOfItsOwnPageAndOfClientsWithoutAPage() throws IOException {
        String host = "127.0.0.1:" + port();
        requireHandled(send("PUT", PLAY, "Host: " + host, "Origin: http://" + host));
        requireHandled(send("PUT", PLAY, "Host: " + host, "Origin: https://millrace.example"));
        requireHandled(send("PUT", PLAY, "Host: " + host));
    }

    /** By the controller, which knows no such pipeline. */
    private static void requireHandled(String answer) {
        assertThat(answer).startsWith("HTTP/1.1 404 Not Found\r\n").contains("\"code\":\"unknown-pipeline\"");
    }

    /** Without a header that allows it, a browser shows no page of another origin what it reads. */
    @Test
    void shouldNotAllowOtherOriginsToRead() throws IOException {
        assertThat(send("GET", PIPELINES, "Host: 127.0.0.1:" + port(), "Origin: http://evil.example"))
                .startsWith("HTTP/1.1 200")
                .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
    }
}
