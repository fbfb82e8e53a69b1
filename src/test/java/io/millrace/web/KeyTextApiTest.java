package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A key in a URL is read as the text of its type, as everywhere, in regions of entries and of blocks. */
class KeyTextApiTest {

    private static final List<String> FIELDS =
            List.of("whole", "big", "amount", "day", "local", "time", "status", "kept", "name", "v4", "v6");
    private static final List<String> LAYOUTS = List.of("entries", "blocks");

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("schemas")).resolve("event.yml"), """
            schema: event
            fields:
              - { name: whole,  type: i32 }
              - { name: big,    type: u64 }
              - { name: amount, type: decimal, scale: 2 }
              - { name: day,    type: date }
              - { name: local,  type: date, format: dd/MM/yyyy }
              - { name: time,   type: instant, unit: ms }
              - { name: status, type: enum, values: [Start, Stop, NO] }
              - { name: kept,   type: enum, values: [On], unknown: keep }
              - { name: name,   type: string, length: 12, charset: utf8 }
              - { name: v4,     type: ipv4 }
              - { name: v6,     type: ipv6 }
            """);
        Path file = Files.writeString(
                folder.resolve("events.csv"),
                String.join(",", FIELDS)
                        + "\n-7,18446744073709551615,12.5,2014-07-21,21/07/2014,2014-07-21T09:30:00Z,NO,#7,a/b |%,"
                        + "10.0.0.9,::ffff:10.0.0.9\n");
        String regions = names().map(name -> "    " + name + ": { layout: " + name.substring(0, name.indexOf('-'))
                        + ", key: " + (name.endsWith("both") ? "[name, amount]" : name.substring(name.indexOf('-') + 1))
                        + " }\n")
                .collect(Collectors.joining());
        String pipelines = names().map(name -> "    " + name + ": { feed: { csv: " + file
                        + " }, schema: event, steps: [ { to: " + name + " } ] }\n")
                .collect(Collectors.joining());
        Path config = Files.writeString(
                folder.resolve("config.yml"),
                "millrace:\n  schemas: " + folder.resolve("schemas") + "\n  regions:\n" + regions + "  pipelines:\n"
                        + pipelines);
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run("--server.port=0", "--spring.config.location=" + config.toUri());
        http = HttpClient.newHttpClient();
        for (String name : names().toList()) {
            await().until(() -> get("/api/pipelines/" + name).body().contains("\"state\":\"done\""));
        }
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static Stream<String> names() {
        return Stream.concat(
                LAYOUTS.stream().flatMap(layout -> FIELDS.stream().map(field -> layout + "-" + field)),
                Stream.of("entries-both"));
    }

    private static HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> key(String region, String key) throws Exception {
        String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
        return get("/api/regions/" + region + "/" + encoded);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            whole;  -7
            whole;  -007
            big;    18446744073709551615
            big;    +18446744073709551615
            amount; 12.5
            amount; 12.500
            amount; +1.25e1
            day;    2014-07-21
            local;  21/07/2014
            time;   2014-07-21T09:30:00Z
            time;   2014-07-21T11:30:00.000+02:00
            status; NO
            kept;   #7
            name;   a/b |%
            v4;     10.0.0.9
            v6;     ::ffff:10.0.0.9
            v6;     ::FFFF:0A00:9
            """)
    void shouldFindTheRecordByEachTextOfItsKey(String field, String text) throws Exception {
        for (String layout : LAYOUTS) {
            HttpResponse<String> found = key(layout + "-" + field, text);
            assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
            assertThat(found.body()).contains("\"whole\":-7,\"big\":18446744073709551615,\"amount\":12.50");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            whole;-7.0
            whole;-7e0
            whole;0x7
            whole;-٧
            whole; -7
            whole;2147483648
            big;-1
            big;18446744073709551616
            amount;12.505
            amount;12,5
            amount;NaN
            day;21/07/2014
            day;2015-02-29
            local;2015/02/29
            time;2014-07-21T09:30:00
            time;2014-07-21T09:30:60Z
            time;2014-07-21T09:30:00.0001Z
            status;no
            status;#7
            kept;#0
            name;longer than 12
            v4;10.0.0.09
            v4;10.0.9
            v6;::ffff:10.0.0.9%eth0
            """)
    void shouldRefuseOtherTexts(String field, String text) throws Exception {
        for (String layout : LAYOUTS) {
            HttpResponse<String> refused = key(layout + "-" + field, text);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
            assertThat(refused.body()).contains("\"code\":\"bad-key\"").contains("'" + text + "'");
        }
    }

    @Test
    void shouldReadEachPartOfAKeyAsTheTextOfItsType() throws Exception {
        for (String amount : List.of("12.5", "12.50", "125e-1")) {
            assertThat(key("entries-both", "a/b \\|%|" + amount).statusCode()).isEqualTo(200);
        }
        assertThat(key("entries-both", "a/b \\|%|12.505").statusCode()).isEqualTo(400);
        assertThat(key("entries-both", "a/b \\|%|12.51").statusCode()).isEqualTo(404);
    }
}
