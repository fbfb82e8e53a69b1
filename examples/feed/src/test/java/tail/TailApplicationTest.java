package tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.convert.GenerateCommand;
import io.millrace.client.MillraceClient;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.store.Store;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

class TailApplicationTest {

    private static final int RECORDS = 5000;

    @TempDir
    private Path folder;

    private Path trades;

    @BeforeEach
    void createFile() throws Exception {
        trades = Files.createFile(folder.resolve("trades.bin"));
    }

    @Test
    void shouldContinueAtItsPositionAfterARestart() throws Exception {
        append();
        try (ConfigurableApplicationContext application = run()) {
            awaitRecords(application, RECORDS);
            append();
            awaitRecords(application, 2 * RECORDS);
        }

        append();
        try (ConfigurableApplicationContext application = run()) {
            awaitRecords(application, RECORDS);

            assertThat(stored(application)).isEqualTo(3L * RECORDS);
        }
    }

    @Test
    void shouldRefuseAnotherFile() throws Exception {
        append();
        try (ConfigurableApplicationContext application = run()) {
            awaitRecords(application, RECORDS);
        }

        Files.write(trades, new byte[(int) Files.size(trades)]);
        try (ConfigurableApplicationContext application = run()) {
            await().atMost(Duration.ofMinutes(15))
                    .untilAsserted(() -> assertThat(status(application).error()).contains("with other bytes"));
        }
    }

    @Test
    void shouldFailIfItsFileIsTruncated() throws Exception {
        append();
        try (ConfigurableApplicationContext application = run()) {
            awaitRecords(application, RECORDS);

            try (FileChannel file = FileChannel.open(trades, StandardOpenOption.WRITE)) {
                file.truncate(file.size() / 2);
            }
            await().atMost(Duration.ofMinutes(15))
                    .untilAsserted(
                            () -> assertThat(status(application).error()).contains("was truncated while it was open"));
        }
    }

    @Test
    void shouldHaveMetersAndAnEntryInTheApi() throws Exception {
        append();
        try (ConfigurableApplicationContext application = run()) {
            awaitRecords(application, RECORDS);

            assertThat(application
                            .getBean(MeterRegistry.class)
                            .get("millrace.feed.position")
                            .gauge()
                            .value())
                    .isEqualTo(Files.size(trades));
            assertThat(get(application, "/api/pipelines"))
                    .contains("\"name\":\"trades\"", "\"position\":" + Files.size(trades));
        }
    }

    @Test
    void shouldBeKnownToTheCommandCheck() throws Exception {
        assertThat(check("{ path: " + trades + " }")).startsWith("Fine: 1 pipeline");
        assertThat(check("{ path: nowhere }"))
                .contains("millrace.pipelines.trades.feed.tail.path (config.yml:6:", "File not found: 'nowhere'.");
        assertThat(check("{ paht: " + trades + " }")).contains("Unknown property 'paht'. Did you mean 'path'?");
    }

    private String check(String properties) throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    trades: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { tail: %s }
                      schema: trade
                      steps: [ { to: trades } ]
                """.formatted(properties));
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        new CommandLine(new CheckCommand()).setOut(writer).setErr(writer).execute(config.toString());
        return output.toString();
    }

    private ConfigurableApplicationContext run() {
        return new SpringApplicationBuilder(TailApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.pipelines.trades.feed.tail.path=" + trades);
    }

    /** Appends generated records to the file. */
    private void append() throws Exception {
        Path file = folder.resolve("more.bin");
        assertThat(new CommandLine(new GenerateCommand())
                        .execute("--schema", "trade", "--count", String.valueOf(RECORDS), file.toString()))
                .isZero();
        Files.write(trades, Files.readAllBytes(file), StandardOpenOption.APPEND);
        Files.delete(file);
    }

    private static PipelineStatus status(ConfigurableApplicationContext application) {
        return PipelineStatus.of(
                application.getBean(Pipelines.class).named("trades").orElseThrow());
    }

    private static void awaitRecords(ConfigurableApplicationContext application, long records) {
        await().atMost(Duration.ofMinutes(15)).until(() -> status(application).kept() == records);
        assertThat(status(application).in()).isEqualTo(records);
    }

    private static Object stored(ConfigurableApplicationContext application) {
        return MillraceClient.of(application.getBean(Store.class))
                .region("trades")
                .aggregate(null, List.of(), List.of("count()"))
                .getFirst()
                .get("count()");
    }

    private static String get(ConfigurableApplicationContext application, String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + port + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
