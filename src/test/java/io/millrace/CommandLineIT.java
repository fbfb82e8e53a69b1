package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line, from the packaged jar and from the distribution. */
class CommandLineIT {

    @TempDir
    Path folder;

    @Test
    void shouldRunTheSampleWithoutAnyArgument() throws Exception {
        try (MillraceProcess millrace = MillraceProcess.startPackaged(
                folder, "1g", "--server.port=0", "--millrace.pipelines.trades.feed.generator.rate=0")) {
            await().until(() -> page(millrace, "/api/pipelines").contains("\"state\":\"done\""));
            assertThat(page(millrace, "/api/pipelines"))
                    .contains("\"in\":3000000", "\"rejected\":0", "\"inFlight\":0", "\"name\":\"trades.2-enrich\"");
            assertThat(page(millrace, "/api/regions/buys")).contains("\"layout\":\"blocks\"", "\"bytesPerRecord\":");
            assertThat(page(
                            millrace,
                            "/api/regions/buys/records?where=currency1=='GBP'%20and%20currency2=='USD'"
                                    + "&orderBy=exchangeRate&limit=1"))
                    .contains("\"currency1\":\"GBP\"", "\"desk\":", "\"scanned\":");
            assertThat(page(millrace, "/actuator/prometheus"))
                    .contains("millrace_records_in_total{", "pipeline=\"trades\"");
            assertThat(page(millrace, "/actuator/integrationgraph")).contains("trades.1-filter");
            assertThat(millrace.output()).contains("perSecond=").doesNotContain("ERROR");
            millrace.signal("TERM");
            assertThat(millrace.exitCode()).isEqualTo(143);
        }
    }

    @Test
    void shouldEndWithZeroWhenDoneAndWithOneOnAMistake() throws Exception {
        assertThat(MillraceProcess.run(
                        folder, "generate", "--schema", "trade", "--count", "1000", "--seed", "7", "trades.bin"))
                .isZero();
        assertThat(Files.size(folder.resolve("trades.bin"))).isEqualTo(39_000);
        config("- to: buys");
        assertThat(MillraceProcess.run(folder, "config.yml", "--server.port=0", "--exit-when-done"))
                .isZero();
        assertThat(MillraceProcess.run(folder, "check", "config.yml")).isZero();
        try (MillraceProcess millrace = MillraceProcess.start(folder, "explain", "--pipeline=trades", "config.yml")) {
            assertThat(millrace.exitCode()).isZero();
            assertThat(millrace.output()).contains("trades: records of schema trade", "trades.1-to");
        }
        config("- filter: amount1 > 'a lot'");
        assertThat(MillraceProcess.run(folder, "check", "config.yml")).isOne();
        assertThat(MillraceProcess.run(folder, "explain", "config.yml")).isOne();
        try (MillraceProcess millrace = MillraceProcess.start(folder, "config.yml", "--server.port=0")) {
            assertThat(millrace.exitCode()).isOne();
            assertThat(millrace.output())
                    .contains("APPLICATION FAILED TO START", "steps[0].filter", "config.yml:9:19", "^");
        }
    }

    @Test
    void shouldNotStartOnOtherAddressesWithoutUsers() throws Exception {
        Files.createFile(folder.resolve("trades.bin"));
        config("- to: buys");
        try (MillraceProcess millrace =
                MillraceProcess.start(folder, "config.yml", "--server.address=0.0.0.0", "--server.port=0")) {
            assertThat(millrace.exitCode()).isOne();
            assertThat(millrace.output()).contains("server.address", "millrace.security.users.admin", "password-file");
            assertThat(folder.resolve("data")).doesNotExist();
        }
    }

    @Test
    void shouldEndWithOneWhereRecordsAreRejectedUnlessThatIsAllowed() throws Exception {
        byte[] garbage = new byte[39_000];
        Arrays.fill(garbage, (byte) 0xEE);
        Files.write(folder.resolve("trades.bin"), garbage);
        config("- to: buys");
        try (MillraceProcess millrace =
                MillraceProcess.start(folder, "config.yml", "--server.port=0", "--exit-when-done")) {
            assertThat(millrace.exitCode()).isOne();
            assertThat(millrace.output())
                    .containsOnlyOnce("Pipeline trades rejects records: rejected=1000 records=1000 share=100.00%")
                    .contains("Pipeline trades degraded: in=1000 ");
        }
        assertThat(MillraceProcess.run(
                        folder,
                        "config.yml",
                        "--server.port=0",
                        "--exit-when-done",
                        "--millrace.pipelines.trades.reject-thresholds.warn-at=none"))
                .isZero();
    }

    @Test
    void shouldLogJsonIfConfigured() throws Exception {
        try (MillraceProcess millrace = MillraceProcess.start(
                folder,
                "--logging.structured.format.console=ecs",
                "--server.port=0",
                "--millrace.pipelines.trades.feed.generator.rate=0",
                "--exit-when-done")) {
            assertThat(millrace.exitCode()).isZero();
            // What the JVM itself says comes before any logging.
            List<String> lines = millrace.output()
                    .lines()
                    .filter(line -> !line.startsWith("WARNING: "))
                    .toList();
            assertThat(lines).hasSizeGreaterThan(10).allSatisfy(line -> {
                JsonNode event = JsonMapper.shared().readTree(line);
                assertThat(event.at("/@timestamp").stringValue()).startsWith("20");
                assertThat(event.at("/log/level").stringValue()).isIn("INFO", "WARN");
                assertThat(event.at("/log/logger").stringValue()).contains(".");
                assertThat(event.at("/service/name").stringValue()).isEqualTo("millrace");
                assertThat(event.at("/message").stringValue()).isNotBlank();
            });
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line).contains("\"message\":\"Pipeline trades completed: "))
                    .anySatisfy(line -> assertThat(line).contains("pipeline trades: generator"));
        }
    }

    @Test
    void shouldExplainTheSampleWithoutAnyArgument() throws Exception {
        try (MillraceProcess millrace = MillraceProcess.start(folder, "explain")) {
            assertThat(millrace.exitCode()).isZero();
            assertThat(millrace.output())
                    .contains("(and (ne currency1 code:6) (gt amount1 decimal2:100000000))", "code:6", "'JPY'");
        }
        try (MillraceProcess millrace = MillraceProcess.start(folder, "explain", "--json")) {
            assertThat(millrace.exitCode()).isZero();
            assertThat(millrace.output()).startsWith("[").contains("\"raw\" : \"100000000\"");
        }
    }

    @Test
    void shouldEndWithTwoOnWrongUsage() throws Exception {
        assertThat(MillraceProcess.run(folder, "run", "nowhere.yml")).isEqualTo(2);
        assertThat(MillraceProcess.run(folder, "convert")).isEqualTo(2);
        assertThat(MillraceProcess.run(folder, "check")).isEqualTo(2);
        assertThat(MillraceProcess.run(folder, "explain", "nowhere.yml")).isEqualTo(2);
        assertThat(MillraceProcess.run(folder, "explain", "--pipeline=trade")).isEqualTo(2);
    }

    private void config(String step) throws IOException {
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    buys: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: trades.bin }
                      schema: trade
                      steps:
                        %s
                        - to: buys
                """.formatted(step)
                .replace("- to: buys\n        - to: buys", "- to: buys"));
    }

    private static String page(MillraceProcess millrace, String path) throws IOException, InterruptedException {
        String page = millrace.get(path);
        return page == null ? "" : page;
    }
}
