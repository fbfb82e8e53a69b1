package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A capture of three Starts, which have no octets, and two Stops, which have some, in regions of each kind. */
class AbsentValuesApiTest {

    private static final String NO_RECORDS = "status == 'Accounting-Off'";

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        Path capture = folder.resolve("absent-octets.pcap");
        try (InputStream in = AbsentValuesApiTest.class.getResourceAsStream("/values/absent-octets.pcap")) {
            Files.write(capture, Objects.requireNonNull(in).readAllBytes());
        }
        Path config = Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                rows: { layout: blocks }
                columns: { layout: blocks, encoding: columns }
                entries: { layout: entries, key: [sessionId, status] }
                windows: { layout: blocks }
              pipelines:
                rows:
                  feed: { pcap: { path: %1$s } }
                  schema: radius-accounting
                  steps:
                    - measure: { name: m, by: status, time: time, every: 1h, to: windows, values: { n: count(), octets: sum(inputOctets) } }
                    - to: rows
                columns:
                  feed: { pcap: { path: %1$s } }
                  schema: radius-accounting
                  steps: [ { to: columns } ]
                entries:
                  feed: { pcap: { path: %1$s } }
                  schema: radius-accounting
                  steps: [ { to: entries } ]
            """.formatted(capture));
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder.resolve("data"),
                        "--spring.config.location=" + config.toUri());
        http = HttpClient.newHttpClient();
        for (String region : List.of("rows", "columns", "entries")) {
            await().until(() -> get(region, null, null, "count()", "csv").body().contains("5"));
        }
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static HttpResponse<String> get(
            String region, @Nullable String by, @Nullable String where, String values, String format) throws Exception {
        String query = "values=" + encoded(values) + (by == null ? "" : "&by=" + encoded(by))
                + (where == null ? "" : "&where=" + encoded(where)) + "&format=" + format;
        URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port")
                + "/api/regions/" + region + "/aggregate?" + query);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows", "columns", "entries"})
    void shouldKeepTheGroupWhoseValuesAreAbsent(String region) throws Exception {
        String values = "count(),count(inputOctets),sum(inputOctets)";

        assertThat(get(region, "status", null, values, "json").body())
                .contains(
                        "{\"status\":\"Start\",\"count()\":3,\"count(inputOctets)\":0,\"sum(inputOctets)\":null}",
                        "{\"status\":\"Stop\",\"count()\":2,\"count(inputOctets)\":2,\"sum(inputOctets)\":")
                .contains("\"failed\":0");
        assertThat(get(region, "status", null, values, "csv").body().lines())
                .contains("Start,3,0,")
                .anyMatch(line -> line.startsWith("Stop,2,2,") && line.length() > 9);
        assertThat(get(region, null, null, values, "csv")
                        .body()
                        .lines()
                        .toList()
                        .getLast())
                .startsWith("5,2,");
        assertThat(get(region, "inputOctets", null, "count()", "csv").body().lines())
                .contains(",3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows", "columns", "entries"})
    void shouldReturnOneRowOfNoRecords(String region) throws Exception {
        String values = "count(),count(inputOctets),sum(inputOctets),min(delay),max(time),avg(sessionTime)";

        assertThat(get(region, null, NO_RECORDS, values, "json").body())
                .startsWith("{\"groups\":[{\"count()\":0,\"count(inputOctets)\":0,\"sum(inputOctets)\":null,"
                        + "\"min(delay)\":null,\"max(time)\":null,\"avg(sessionTime)\":null}]");
        assertThat(get(region, null, NO_RECORDS, values, "csv")
                        .body()
                        .lines()
                        .toList()
                        .getLast())
                .isEqualTo("0,0,,,,");
        assertThat(get(region, "status", NO_RECORDS, values, "json").body()).startsWith("{\"groups\":[]");
    }

    @Test
    void shouldMeasureAsItQueries() throws Exception {
        URI uri = URI.create(
                "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/api/measures/m");
        HttpResponse<String> windows = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

        assertThat(windows.body())
                .containsPattern("\"status\":\"Start\",\"n\":3,\"octets\":null")
                .containsPattern("\"status\":\"Stop\",\"n\":2,\"octets\":[1-9]");
    }
}
