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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Virtual fields in queries over HTTP: records of both layouts, regions of both kinds. */
class VirtualFieldApiTest {

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        Path schemas = Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("reading.yml"), """
                schema: reading
                fields:
                  - { name: id,    type: u8 }
                  - { name: first, type: u8 }
                  - { name: last,  type: u8 }
                  - { name: rise,  virtual: last - first }
                  - { name: steep, virtual: rise > 10 }
                  - { name: parts, virtual: 100 / first }
                """);
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: %s
                  flush: 20ms
                  regions:
                    fixed-blocks: { layout: blocks }
                    fixed-entries: { layout: entries, key: id }
                    tagged-blocks: { layout: blocks }
                    tagged-entries: { layout: entries, key: sessionId }
                  pipelines:
                    a: { schema: reading, steps: [ { to: fixed-blocks } ] }
                    b: { schema: reading, steps: [ { to: fixed-entries } ] }
                    c: { schema: radius-accounting, steps: [ { to: tagged-blocks } ] }
                    d: { schema: radius-accounting, steps: [ { to: tagged-entries } ] }
                """.formatted(schemas));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        http = HttpClient.newHttpClient();
        for (String pipeline : new String[] {"a", "b"}) {
            send(pipeline, new byte[] {1, 20, 25, 2, 10, 50, 3, 0, 90, 4, 5, 16});
        }
        for (String pipeline : new String[] {"c", "d"}) {
            send(pipeline, Packets.of(Packets.STOP, "s1").number(42, 7).bytes());
            send(pipeline, Packets.of(Packets.STOP, "s2").number(52, 2).bytes());
            send(pipeline, Packets.of(Packets.STOP, "s3").number(42, 9).bytes());
        }
        await().untilAsserted(() -> {
            for (String pipeline : new String[] {"a", "b", "c", "d"}) {
                assertThat(body("/api/pipelines/" + pipeline))
                        .contains(
                                pipeline.compareTo("c") < 0
                                        ? "\"in\":4,\"made\":0,\"kept\":4,"
                                        : "\"in\":3,\"made\":0,\"kept\":3,");
            }
        });
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static void send(String pipeline, byte[] bytes) {
        context.getBean(pipeline + ".in", MessageChannel.class).send(new GenericMessage<>(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed-blocks", "fixed-entries"})
    void shouldComputeFieldsOfTheFixedLayout(String region) throws Exception {
        assertThat(query(
                        region,
                        "select=rise,id,steep&where=" + encoded("rise > 5") + "&orderBy=" + encoded("rise desc")))
                .contains("\"records\":[{\"rise\":90,\"id\":3,\"steep\":true},{\"rise\":40,\"id\":2,\"steep\":true},"
                        + "{\"rise\":11,\"id\":4,\"steep\":true}]")
                .contains("\"failed\":0");
        assertThat(query(region, "select=parts,steep&orderBy=id&onError=skip"))
                .contains("\"records\":[{\"parts\":5,\"steep\":false},{\"parts\":10,\"steep\":true},"
                        + "{\"parts\":20,\"steep\":true}]")
                .contains("\"failed\":1", "100 / first");
        assertThat(query(region, "orderBy=id")).contains("[{\"id\":1,\"first\":20,\"last\":25},");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tagged-blocks", "tagged-entries"})
    void shouldComputeFieldsOfTheTaggedLayout(String region) throws Exception {
        assertThat(query(
                        region,
                        "select=sessionId,inputTotal,cell&where=" + encoded("inputTotal > 7") + "&orderBy=inputTotal"))
                .contains("\"records\":[{\"sessionId\":\"s3\",\"inputTotal\":9,\"cell\":null},"
                        + "{\"sessionId\":\"s2\",\"inputTotal\":8589934592,\"cell\":null}]")
                .contains("\"failed\":0");
    }

    @Test
    void shouldShowAllVirtualFieldsOfTheRecordOfAKey() throws Exception {
        assertThat(body("/api/regions/fixed-entries/2"))
                .isEqualTo("{\"id\":2,\"first\":10,\"last\":50,\"rise\":40,\"steep\":true,\"parts\":10}");
        // Of 100 / 0 there is none.
        assertThat(body("/api/regions/fixed-entries/3")).endsWith(",\"rise\":90,\"steep\":true,\"parts\":null}");
        assertThat(body("/api/regions/tagged-entries/s2"))
                .contains("\"inputGigawords\":2,")
                .endsWith("\"inputTotal\":8589934592,\"outputTotal\":0,\"cell\":null}");
    }

    @Test
    void shouldGuessAtMisspeltVirtualFields() throws Exception {
        HttpResponse<String> response = get("/api/regions/fixed-blocks/records?select=id,rize");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body())
                .contains("\"code\":\"bad-query\"", "Unknown field 'rize' in schema 'reading'. Did you mean 'rise'?");
    }

    private static String query(String region, String query) throws Exception {
        return body("/api/regions/" + region + "/records?" + query);
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
