package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What commands that start a service make of their configuration. */
@ExtendWith(OutputCaptureExtension.class)
class ServiceCommandTest {

    private static final String FEW = "--millrace.pipelines.trades.feed.generator.count=1000";

    @TempDir
    Path folder;

    private Path file = Path.of("config.yml");

    @Test
    void shouldRunTheSampleByItsCommand(CapturedOutput output) {
        assertThat(execute("sample", FEW, "--exit-when-done")).isZero();
        assertThat(output.getOut())
                .contains("Pipeline trades completed: in=1000 ")
                .doesNotContain("FAILED");
    }

    @Test
    void shouldRunTheSampleWithoutAnyConfiguration(CapturedOutput output) {
        assertThat(execute(FEW, "--exit-when-done")).isZero();
        assertThat(output.getOut()).contains("Pipeline trades completed: in=1000 ");
    }

    @Test
    void shouldNotTakeAConfigurationForTheSample() throws IOException {
        write("");
        assertThat(execute("sample", file.toString(), FEW, "--exit-when-done")).isEqualTo(2);
    }

    @Test
    void shouldRunPipelinesOfPropertiesAlone(CapturedOutput output) {
        assertThat(execute(
                        "--exit-when-done",
                        "--millrace.regions.kept.layout=blocks",
                        "--millrace.pipelines.mine.schema=trade",
                        "--millrace.pipelines.mine.feed.generator.count=500",
                        "--millrace.pipelines.mine.steps[0].to=kept"))
                .isZero();
        assertThat(output.getOut()).contains("Pipeline mine completed: in=500 ").doesNotContain("Pipeline trades");
    }

    @Test
    void shouldNotRunTheSampleNextToAnUnfinishedPipeline(CapturedOutput output) {
        assertThat(execute("--exit-when-done", "--millrace.pipelines.mine.feed.generator.count=500"))
                .isOne();
        assertThat(output.getOut()).contains("millrace.pipelines.mine.schema").doesNotContain("trades: ");
    }

    @ParameterizedTest
    @CsvSource({"run", "server"})
    void shouldNotStartWithoutPipelines(String command, CapturedOutput output) throws IOException {
        for (String content : new String[] {"", "server: { shutdown: graceful }\n"}) {
            write(content);
            assertThat(execute(command, file.toString(), "--exit-when-done", "--millrace.geode.locators=127.0.0.1:1"))
                    .isOne();
            assertThat(output.getOut()).contains("No pipelines are configured in config.yml.");
        }
    }

    @ParameterizedTest
    @CsvSource({"run", "server", "locator"})
    void shouldNotStartWithAMisspeltRootKey(String command, CapturedOutput output) throws IOException {
        write("# Here.\nmilrace:\n  geode: { locators: 127.0.0.1:1 }\n  pipelines: { a: { schema: trade } }\n");
        assertThat(execute(command, file.toString(), "--exit-when-done")).isOne();
        assertThat(output.getOut())
                .contains("milrace (config.yml:2:1)", "Unknown root key 'milrace'. Did you mean 'millrace'?");
    }

    @Test
    void shouldNotStartWithAMisspeltProperty(CapturedOutput output) {
        assertThat(execute("sample", FEW, "--exit-when-done", "--milrace.latency=1ms"))
                .isOne();
        assertThat(output.getOut()).contains("Unknown root key 'milrace'. Did you mean 'millrace'?");
    }

    @ParameterizedTest
    @CsvSource({
        "run,     latency: 10,                     'Invalid duration ''10'' for ''millrace.latency''.'",
        "server,  latency: 10,                     'Invalid duration ''10'' for ''millrace.latency''.'",
        "locator, 'geode: { member-timeout: 10 }', 'Invalid duration ''10'' for ''millrace.geode.member-timeout''.'"
    })
    void shouldNotStartWithADurationWithoutAUnit(String command, String property, String message, CapturedOutput output)
            throws IOException {
        write("millrace:\n  " + property + "\n  pipelines: { a: { schema: trade } }\n");
        assertThat(execute(command, file.toString(), "--exit-when-done")).isOne();
        assertThat(output.getOut()).contains(message, "(config.yml:2:", "such as 10s.");
    }

    @Test
    void shouldLogWithoutColorsIfTheEnvironmentSaysSo() {
        assertThat(ServiceCommand.defaults(Map.of("NO_COLOR", "1")))
                .containsEntry("spring.output.ansi.enabled", "never");
        assertThat(ServiceCommand.defaults(Map.of("NO_COLOR", ""))).isEmpty();
    }

    @Test
    void shouldNotReadAConfigurationFromStandardInput(CapturedOutput output) {
        assertThat(execute("run", "-")).isEqualTo(2);
        assertThat(output.getErr()).contains("Invalid file '-'. Only check, explain, test and backtest read");
    }

    private void write(String content) throws IOException {
        file = Files.writeString(folder.resolve("config.yml"), content);
    }

    private int execute(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server.port=0");
        all.add("--millrace.data=" + folder.resolve("data"));
        all.add("--logging.level.io.millrace=info");
        return Millrace.execute(all.toArray(String[]::new));
    }
}
