package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.pipeline.Pipelines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** The commands that show and change the rules of a running service. */
class RulesCommandsTest {

    private static final String STEPS = """
            steps:
              - filter: amount1 > LIMIT
              - to: all
            """;

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    all: { layout: blocks, retain: { size: 10MB } }
                  pipelines:
                    trades:
                      feed: { generator: { rate: 5000 } }
                      schema: trade
                      steps:
                        - filter: amount1 > 1000000
                        - to: all
                """);
        context = SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=file:" + config,
                "--server.port=0",
                "--millrace.data=" + folder.resolve("data"));
        await().until(() -> context.getBean(Pipelines.class)
                        .named("trades")
                        .orElseThrow()
                        .rules()
                        .version()
                > 0);
    }

    @AfterAll
    static void end() {
        context.close();
    }

    private int run(Callable<Integer> command, String... arguments) {
        CommandLine line =
                new CommandLine(command).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--url";
        all[arguments.length + 1] =
                "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
        out.getBuffer().setLength(0);
        return line.execute(all);
    }

    private static String file(String limit) throws Exception {
        return Files.writeString(folder.resolve("rules.yml"), STEPS.replace("LIMIT", limit))
                .toString();
    }

    @Test
    void shouldChangeRulesAndGoBack() throws Exception {
        Map<String, String> none = Map.of();
        assertThat(run(new RulesListCommand(none))).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith("trades: version 1, as configured");

        String rules = file("2000000");
        assertThat(run(new RulesDiffCommand(none), "trades", "--file", rules)).isZero();
        assertThat(out.toString()).contains("1000000", "2000000");
        assertThat(run(new RulesApplyCommand(none), "trades", rules, "--dry-run"))
                .as(err.toString())
                .isZero();
        assertThat(run(new RulesApplyCommand(none), "trades", rules, "--expect", "9"))
                .isEqualTo(1);
        assertThat(run(new RulesApplyCommand(none), "trades", rules, "--comment", "larger trades only"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).startsWith("trades: version 2 running since position ");
        assertThat(run(new RulesApplyCommand(none), "trades", rules)).isZero();
        assertThat(out.toString()).startsWith("trades: version 2 unchanged");

        assertThat(run(new RulesShowCommand(none), "trades")).isZero();
        assertThat(out.toString()).contains("amount1 > 2000000");
        assertThat(run(new RulesListCommand(none))).isZero();
        assertThat(out.toString()).startsWith("trades: version 2, not as configured (version 1)");

        assertThat(run(new RulesRollbackCommand(none), "trades", "1"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).startsWith("trades: version 3 running since position ");
        assertThat(run(new RulesHistoryCommand(none), "trades")).isZero();
        assertThat(out.toString().lines().filter(line -> line.matches("\\d  .*")))
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).startsWith("2  ").endsWith("  larger trades only"));
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        Map<String, String> none = Map.of();
        assertThat(run(new RulesApplyCommand(none), "trades", file("amuont1"))).isEqualTo(1);
        assertThat(run(new RulesApplyCommand(none), "trade", file("5"))).isEqualTo(1);
        assertThat(run(new RulesShowCommand(none), "trades", "99")).isEqualTo(1);
        assertThat(run(new RulesDiffCommand(none), "trades")).isEqualTo(2);
        assertThat(err.toString())
                .contains("amuont1")
                .contains("Unknown pipeline 'trade'. Did you mean 'trades'?")
                .contains("Unknown version 99 of the rules of pipeline 'trades'.")
                .contains("Missing argument. Use the number of an earlier version, or --file.");
    }
}
