package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Configuration files from which no pipeline follows. */
class MissingPipelinesTest {

    private static final String PIPELINE = """
            # A pipeline.
            ROOT:
              regions:
                buys: { layout: blocks }
              pipelines:
                trades:
                  feed: { generator: { count: 1 } }
                  schema: trade
                  steps: [ { to: buys } ]
            """;

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"milrace", "millrce", "millraces", "Milrace", "'milrace'"})
    void shouldRefuseAMisspeltRootKeyWithItsPlace(String root) throws IOException {
        Path file = write("config.yml", PIPELINE.replace("ROOT", root));
        for (Callable<Integer> command : List.of(new CheckCommand(), new ExplainCommand())) {
            err.getBuffer().setLength(0);
            assertThat(run(command, file)).isOne();
            String name = root.replace("'", "");
            assertThat(err.toString())
                    .startsWith("The configuration has a mistake:")
                    .contains(name + " (config.yml:2:1)")
                    .contains("Unknown root key '" + name + "'. Did you mean 'millrace'?");
        }
    }

    @Test
    void shouldRefuseAMisspeltRootKeyOfOneOfSeveralFiles() throws IOException {
        Path base = write("base.yml", PIPELINE.replace("ROOT", "millrace"));
        Path override = write("override.yml", "server.port: 0\n---\nmilrace.latency: 1ms\n");
        assertThat(run(new CheckCommand(), base, override)).isOne();
        assertThat(err.toString()).contains("milrace (override.yml:3:1)", "Did you mean 'millrace'?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing\n",
                "---\n",
                "millrace:\n",
                "millrace: { pipelines: }\n",
                "millrace: { batch-records: 5 }\n",
                "server: { port: 0 }\n",
                "- a\n",
                "hello\n"
            })
    void shouldRefuseAFileWithoutPipelines(String content) throws IOException {
        Path file = write("config.yml", content);
        for (Callable<Integer> command : List.of(new CheckCommand(), new ExplainCommand())) {
            err.getBuffer().setLength(0);
            assertThat(run(command, file)).isOne();
            assertThat(err.toString())
                    .startsWith("The configuration has a mistake:")
                    .contains("millrace.pipelines")
                    .contains("No pipelines are configured in config.yml.");
        }
    }

    @Test
    void shouldNameAllFilesWithoutPipelines() throws IOException {
        assertThat(run(new CheckCommand(), write("a.yml", ""), write("b.yml", "")))
                .isOne();
        assertThat(err.toString()).contains("No pipelines are configured in a.yml, b.yml.");
    }

    @Test
    void shouldReportThatTheRootKeyIsMissing() throws IOException {
        Path file = write("config.yml", PIPELINE.replace("ROOT:", "").replace("\n  ", "\n"));
        assertThat(run(new CheckCommand(), file)).isOne();
        assertThat(err.toString())
                .contains("regions (config.yml:3:1)", "Unknown root key 'regions'. Did you mean 'millrace.regions'?")
                .contains("pipelines (config.yml:5:1)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"millrace", "MillRace", "mill-race"})
    void shouldTakeEachSpellingThatIsBound(String root) throws IOException {
        assertThat(run(new CheckCommand(), write("config.yml", PIPELINE.replace("ROOT", root))))
                .as(err::toString)
                .isZero();
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private int run(Callable<Integer> command, Path... files) {
        return new CommandLine(command)
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(Arrays.stream(files).map(Path::toString).toArray(String[]::new));
    }
}
