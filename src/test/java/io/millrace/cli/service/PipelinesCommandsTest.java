package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The commands that list and restart the pipelines of a running service. */
class PipelinesCommandsTest {

    private static final int RECORDS = 100;

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;

    private final CommandRunner commands = new CommandRunner();

    @BeforeAll
    static void start() throws Exception {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
        Path config = Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                all: { layout: blocks }
              pipelines:
                trades:
                  feed: { file: FILE }
                  schema: trade
                  steps: [ { to: all } ]
                changed:
                  feed: { file: CHANGED }
                  schema: trade
                  steps: [ { to: all } ]
                failing:
                  feed: { file: FILE }
                  schema: trade
                  steps: [ { to: "channel:nobody" } ]
            """.replace(
                        "CHANGED",
                        TradeFile.write(changed(), TradeFile.random(RECORDS, 2)).toString())
                .replace("FILE", file.toString()));
        context = SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=file:" + config,
                "--server.port=0",
                "--millrace.data=" + folder.resolve("data"));
        await().until(() -> context.getBean(Pipelines.class).ended());
    }

    private static Path changed() {
        return folder.resolve("changed.bin");
    }

    @AfterAll
    static void end() {
        context.close();
    }

    private int run(ServiceRequestCommand command, String... arguments) {
        return commands.run(command, Map.of(), CommandRunner.url(context), arguments);
    }

    @Test
    void shouldListStatesAndReasons() {
        assertThat(run(new PipelinesListCommand())).as(commands.err()).isZero();
        assertThat(commands.out())
                .containsPattern("(?m)^trades: done at position " + RECORDS * TradeFile.LENGTH + "$")
                .containsPattern("(?m)^failing: failed at position \\d+\\R  .*nobody");
    }

    @Test
    void shouldRestartAPipeline() {
        assertThat(run(new PipelinesRestartCommand(), "trades"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out())
                .isEqualToIgnoringNewLines("trades: restarted at position " + RECORDS * TradeFile.LENGTH);
    }

    @Test
    void shouldReportWhyAPipelineCanNotBeRestarted() throws Exception {
        assertThat(run(new PipelinesRestartCommand(), "trade")).isEqualTo(1);
        assertThat(commands.err()).contains("Unknown pipeline 'trade'. Did you mean 'trades'? [unknown-pipeline]");
        TradeFile.write(changed(), TradeFile.random(RECORDS, 3));
        assertThat(run(new PipelinesRestartCommand(), "changed")).isEqualTo(1);
        assertThat(commands.err())
                .contains("Pipeline 'changed' has failed again: ")
                .contains("[changed-feed]");
        assertThat(run(new PipelinesRestartCommand(), "failing"))
                .as(commands.out())
                .isZero();
        assertThat(commands.out()).contains("failing: restarted at position 0");
    }
}
