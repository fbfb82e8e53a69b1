package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.cli.check.CheckCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import picocli.CommandLine;

/** A service that is started again on its data with another configuration. */
@ExtendWith(OutputCaptureExtension.class)
class StoredDefinitionsTest {

    private static final long START = Instant.parse("2026-03-01T06:00:00Z").toEpochMilli();

    private static final String SALES = """
              regions:
                sales: { layout: entries, key: time, persistent: true }
                rows: { layout: blocks, persistent: true }
              pipelines:
                till:
                  schema: sale
                  steps:
                    - measure:
                        name: turnover
                        by: shop
                        every: 10s
                        time: time
                        to: rows
                        values: { sales: count() }
                    - to: sales
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void sell() throws Exception {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/sale.yml"), """
                schema: sale
                fields:
                  - { name: time,   type: instant, as: i64, unit: ms }
                  - { name: shop,   type: u8 }
                  - { name: amount, type: decimal, scale: 2, as: i64 }
                """);
        try (ConfigurableApplicationContext context = start(SALES)) {
            for (int i = 0; i < 20; i++) {
                byte[] sale = ByteBuffer.allocate(17)
                        .putLong(START + i * 1000L)
                        .put((byte) 1)
                        .putLong(i)
                        .array();
                context.getBean("till.in", MessageChannel.class).send(new GenericMessage<>(sale));
            }
            await().until(() -> get(context, "/api/regions/sales").contains("\"records\":20"));
        }
    }

    private Path config(String yaml) throws IOException {
        return Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: FOLDER/schemas
                  data: FOLDER/data
                """.replace("FOLDER", folder.toString()) + yaml);
    }

    private ConfigurableApplicationContext start(String yaml) throws IOException {
        return SpringApplication.run(
                MillraceApplication.class,
                "--server.port=0",
                "--spring.config.additional-location=" + config(yaml).toUri());
    }

    private static URI uri(ConfigurableApplicationContext context, String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    private static String get(ConfigurableApplicationContext context, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri(context, path)).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private String refusal(String yaml, CapturedOutput output) {
        int before = output.getAll().length();
        Throwable failure = catchThrowable(() -> start(yaml).close());
        assertThat(failure).isNotNull();
        return output.getAll().substring(before);
    }

    @Test
    void shouldSayAtStartWhichMeasureCanNotGoOn(CapturedOutput output) {
        assertThat(refusal(SALES.replace("count()", "count(amount > 3)"), output))
                .contains("Measure 'till.turnover' was stored under another definition")
                .contains("values.sales: 'count()' is stored, 'count(amount > 3)' is configured")
                .contains(
                        "give the measure another name",
                        "'millrace regions remove measure/till.turnover CONFIG'. [changed-definition]")
                .doesNotContain("\tat io.millrace");
    }

    @Test
    void shouldSayAtStartWhichRegionCanNotGoOn(CapturedOutput output) {
        assertThat(refusal(
                        SALES.replace("- to: sales", "- set: { double: amount + amount }\n        - to: sales"),
                        output))
                .contains("Region 'sales' was stored under another definition", "field 'double' was added")
                .contains("'millrace regions remove sales CONFIG'. [changed-definition]")
                .doesNotContain("\tat io.millrace", "All in memory copies");
    }

    @Test
    void shouldGoOnWithAnotherMeasureOfAnotherName() throws Exception {
        String renamed = SALES.replace("turnover", "busy").replace("count()", "count(amount > 3)");
        try (ConfigurableApplicationContext context = start(renamed)) {
            assertThat(get(context, "/api/catalog"))
                    .contains("\"name\":\"measure/till.busy\",\"open\":true")
                    .contains("\"name\":\"measure/till.turnover\",\"open\":false,\"values\":1");
            StringWriter out = new StringWriter();
            int code = new CommandLine(new CheckCommand())
                    .setOut(new PrintWriter(out, true))
                    .execute(
                            "--against",
                            uri(context, "/").toString(),
                            config(SALES.replace("key: time", "key: amount")).toString());
            assertThat(out.toString())
                    .contains("sales: refused", "key: 'time' is stored, 'amount' is configured")
                    .contains("measure/till.turnover: same", "measure/till.busy: not configured");
            assertThat(code).isOne();
        }
    }

    @Test
    void shouldWarnOfARegionThatWasRenamedAndOpenItToBeRead(CapturedOutput output) throws Exception {
        String renamed = SALES.replace("sales: {", "deals: {").replace("to: sales", "to: deals");
        try (ConfigurableApplicationContext context = start(renamed)) {
            assertThat(output.getAll()).contains("Stored region is not configured as a persistent one: region=sales");
            assertThat(get(context, "/actuator/health"))
                    .contains("\"sales\":\"region layout=entries, key=time")
                    .contains("persistent: true and schema: sale");
            assertThat(get(context, "/api/catalog")).contains("\"name\":\"sales\",\"open\":false");
        }
        String adopted = renamed.replace(
                "  pipelines:",
                "    sales: { layout: entries, key: time, persistent: true, schema: sale }\n  pipelines:");
        try (ConfigurableApplicationContext context = start(adopted)) {
            assertThat(get(context, "/api/regions/sales/aggregate?values=count()"))
                    .contains("\"count()\":20");
            assertThat(get(context, "/api/catalog")).contains("\"name\":\"sales\",\"open\":true,\"values\":20");
            assertThat(get(context, "/actuator/health")).contains("\"regions\":{\"status\":\"UP\"}");
        }
    }
}
