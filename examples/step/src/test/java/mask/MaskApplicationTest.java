package mask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.check.ExplainCommand;
import io.millrace.pipeline.Pipelines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** The running application, and the commands. */
class MaskApplicationTest {

    @TempDir
    private Path folder;

    @Test
    void shouldHaveAnEntryInTheApi() throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(MaskApplication.class)
                .run("--server.port=0", "--millrace.data=" + folder)) {
            await().atMost(Duration.ofMinutes(15))
                    .until(() -> application.getBean(Pipelines.class).ended());

            assertThat(get(application, "/api/pipelines/payments"))
                    .contains("\"name\":\"payments.1-mask\"", "\"kind\":\"mask\"");
            assertThat(get(application, "/api/pipelines/payments/explain")).contains("\"kind\":\"mask\"", "\"card\"");
        }
    }

    @Test
    void shouldBeKnownToTheCommands() throws Exception {
        assertThat(output(new CheckCommand(), "{ field: card }")).startsWith("Fine: 1 pipeline");
        assertThat(output(new ExplainCommand(), "{ field: card }")).contains("payments.1-mask", "card");
    }

    @Test
    void shouldReportItsMistakesLikeThoseOfOtherKinds() throws Exception {
        assertThat(output(new CheckCommand(), "{ field: crad }"))
                .contains("steps[0].mask.field (config.yml:9:", "Invalid field 'crad'.");
        assertThat(output(new CheckCommand(), "{ field: card, keep: 1000 }"))
                .contains("steps[0].mask.keep (config.yml:9:", "Invalid number '1000'. Use 0 to 100.");
        assertThat(output(new CheckCommand(), "{ filed: card }"))
                .contains("Unknown property 'filed'. Did you mean 'field'? Use one of: field, keep.");
    }

    private String output(Object command, String properties) throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    payments: { layout: blocks }
                  pipelines:
                    payments:
                      feed: { generator: { count: 10 } }
                      schema: payment
                      steps:
                        - mask: %s
                        - to: payments
                """.formatted(properties));
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        new CommandLine(command).setOut(writer).setErr(writer).execute(config.toString());
        return output.toString();
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
