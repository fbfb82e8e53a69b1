package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class MapApiTest {

    private static final String CONFIG = """
            millrace:
              tables:
                shops: { file: FOLDER/shops.csv, key: id }
              regions:
                trades: { layout: blocks }
              pipelines:
                trades:
                  schema: trade
                  steps:
                    - measure: { name: sales, by: id % 3 as shop, every: 1s, values: { sales: count(), mean: avg(amount1) } }
                    - to: trades
            """;
    private static final String MAP = """
              page:
                map:
                  title: Shops
                  measure: sales
                  table: shops
                  latitude: north
                  longitude: east
                  label: town
                  size: sales
                  colour: mean
                  high: 100
                  outline: FOLDER/outline.json
            """;
    private static final String OUTLINE = "{\"type\":\"FeatureCollection\",\"features\":[]}";

    @TempDir
    Path folder;

    private ConfigurableApplicationContext start(String configuration) throws IOException {
        Files.writeString(
                folder.resolve("shops.csv"), "id,town,north,east\n0,Ulm,48.40,9.99\n1,,48,10\n2,Here and there,,10\n");
        Files.writeString(folder.resolve("outline.json"), OUTLINE);
        Path config =
                Files.writeString(folder.resolve("config.yml"), configuration.replace("FOLDER", folder.toString()));
        return SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void shouldReportWhatIsShownWhere() throws Exception {
        try (ConfigurableApplicationContext context = start(CONFIG + MAP)) {
            assertThat(get(context, "/api/map").body())
                    .isEqualTo("{\"title\":\"Shops\",\"outline\":\"/api/map/outline\",\"measure\":\"sales\","
                            + "\"pipeline\":\"trades\",\"key\":\"shop\",\"size\":\"sales\",\"colour\":\"mean\","
                            + "\"low\":0.0,\"high\":100.0,\"alert\":null,\"label\":\"town\",\"places\":["
                            + "{\"key\":\"0\",\"latitude\":48.4,\"longitude\":9.99,\"label\":\"Ulm\"},"
                            + "{\"key\":\"1\",\"latitude\":48.0,\"longitude\":10.0,\"label\":null}]}");
            HttpResponse<String> outline = get(context, "/api/map/outline");
            assertThat(outline.body()).isEqualTo(OUTLINE);
            assertThat(outline.headers().firstValue("Content-Type")).hasValue("application/geo+json");
        }
    }

    @Test
    void shouldSayThatThereIsNone() throws Exception {
        try (ConfigurableApplicationContext context = start(CONFIG)) {
            HttpResponse<String> answer = get(context, "/api/map");
            assertThat(answer.statusCode()).isEqualTo(404);
            assertThat(answer.body()).contains("\"code\":\"no-map\"");
        }
    }
}
