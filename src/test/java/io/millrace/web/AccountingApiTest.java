package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.store.Packets;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Tagged records on their way from a message to what people read over HTTP. */
class AccountingApiTest {

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  flush: 20ms
                  regions:
                    events: { layout: blocks }
                    sessions: { layout: entries, key: [nasIp, sessionId], remove: status == 'Stop', keep-added: false }
                  pipelines:
                    calls:
                      schema: radius-accounting
                      steps:
                        - set: { octets: inputTotal + outputTotal }
                        - to: events
                    live:
                      schema: radius-accounting
                      steps:
                        - to: sessions
                """.formatted(folder.resolve("data")));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        http = HttpClient.newHttpClient();
        send(Packets.of(Packets.START, "a|1").nas(1).imsi("286011234567890").bytes());
        send(Packets.of(Packets.START, "b").nas(2).number(42, 5).number(52, 1).bytes());
        send(Packets.of(Packets.STOP, "b")
                .nas(2)
                .number(42, 7)
                .number(43, 3)
                .number(52, 1)
                .bytes());
        send(Packets.of(Packets.START, "c")
                .text(1, "user")
                .number(55, 1_600_000_000)
                .bytes());
        send(new byte[20]);
        await().untilAsserted(() -> {
            assertThat(body("/api/pipelines/calls"))
                    .contains("\"in\":5,\"made\":0,\"kept\":4,\"dropped\":0,\"rejected\":1");
            assertThat(body("/api/pipelines/live"))
                    .contains("\"in\":5,\"made\":0,\"kept\":4,\"dropped\":0,\"rejected\":1");
            assertThat(body("/api/regions/calls-rejected")).contains("\"records\":1,");
        });
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static void send(byte[] packet) {
        context.getBean("calls.in", MessageChannel.class).send(new GenericMessage<>(packet));
        context.getBean("live.in", MessageChannel.class).send(new GenericMessage<>(packet));
    }

    @Test
    void shouldShowRecordsThatAConditionFinds() throws Exception {
        assertThat(body("/api/regions/events/records?select=sessionId,status,octets,inputOctets,outputOctets&where="
                        + encoded("inputGigawords == 1") + "&orderBy=" + encoded("octets desc")))
                .contains("\"records\":[{\"sessionId\":\"b\",\"status\":\"Stop\",\"octets\":4294967306,"
                        + "\"inputOctets\":7,\"outputOctets\":3},{\"sessionId\":\"b\",\"status\":\"Start\",")
                .contains("\"scanned\":4", "\"failed\":0");
    }

    @Test
    void shouldHoldTheSessionsThatAreOpen() throws Exception {
        assertThat(body("/api/regions/sessions"))
                .contains("\"layout\":\"entries\"", "\"entries\":2", "\"records\":2")
                .contains("\"valueBytes\":"
                        + (2 * Integer.BYTES // their checksums
                                + Packets.of(Packets.START, "a|1")
                                        .nas(1)
                                        .imsi("286011234567890")
                                        .bytes()
                                        .length
                                + Packets.of(Packets.START, "c")
                                        .text(1, "user")
                                        .number(55, 0)
                                        .bytes()
                                        .length));
        assertThat(body("/api/regions/sessions/records?select=sessionId&where=" + encoded("status == 'Start'")))
                .contains("{\"sessionId\":\"a|1\"}", "{\"sessionId\":\"c\"}", "\"scanned\":2");
    }

    @Test
    void shouldGiveTheRecordOfAKey() throws Exception {
        assertThat(body("/api/regions/sessions/" + encoded("10.0.0.1|a\\|1")))
                .startsWith("{\"identifier\":7,")
                .contains("\"nasIp\":\"10.0.0.1\"", "\"sessionId\":\"a|1\"", "\"imsi\":\"286011234567890\"")
                .contains("\"status\":\"Start\"", "\"userName\":null")
                .doesNotContain("octets\"");
        assertThat(body("/api/regions/sessions/" + encoded("|c")))
                .contains("\"userName\":\"user\"", "\"time\":\"2020-09-13T12:26:40Z\"", "\"nasIp\":null");
    }

    @Test
    void shouldSayWhatIsWrongWithAKey() throws Exception {
        problem(
                "sessions/" + encoded("10.0.0.2|b"),
                404,
                "unknown-key",
                "Unknown key '10.0.0.2|b' in region 'sessions'.");
        problem("sessions/b", 400, "bad-key", "Invalid key 'b'. Use 2 parts");
        problem("sessions/" + encoded("here|b"), 400, "bad-key", "Invalid value 'here' of 'nasIp'.");
        problem("session/b", 404, "unknown-region", "Did you mean 'sessions'?");
    }

    @Test
    void shouldShowARejectedPacketsBytes() throws Exception {
        assertThat(body("/api/regions/calls-rejected/records"))
                .contains("\"reason\":\"invalid-value\"", "Missing or invalid value of 'status'.", "00".repeat(20));
    }

    private static void problem(String key, int status, String code, String text) throws Exception {
        HttpResponse<String> response = get("/api/regions/" + key);
        assertThat(response.statusCode()).as(key).isEqualTo(status);
        assertThat(response.body()).contains("\"code\":\"" + code + "\"", text);
    }

    private static String body(String path) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(TestTimeout.MAX)
                        .build(),
                BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
