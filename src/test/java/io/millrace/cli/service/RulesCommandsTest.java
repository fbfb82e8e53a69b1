package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import io.millrace.cli.check.CheckCommand;
import io.millrace.pipeline.Pipelines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** The commands that show and change the rules of a running service. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RulesCommandsTest {

    private static final String STEPS = """
        steps:
          - filter: amount1 > LIMIT
          - to: all
        """;

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;

    private final CommandRunner commands = new CommandRunner();

    @BeforeAll
    static void start() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                all: { layout: blocks, retain: { size: 10MB } }
                others: { layout: blocks, keep-added: false, schema: trade, retain: { size: 10MB } }
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

    private int run(ServiceRequestCommand command, String... arguments) {
        return commands.run(command, Map.of(), CommandRunner.url(context), arguments);
    }

    private static String file(String limit) throws Exception {
        return Files.writeString(folder.resolve("rules.yml"), STEPS.replace("LIMIT", limit))
                .toString();
    }

    @Test
    @Order(1) // knows the numbers of the versions
    void shouldChangeRulesAndGoBack() throws Exception {
        assertThat(run(new RulesListCommand())).as(commands.err()).isZero();
        assertThat(commands.out()).startsWith("trades: version 1, as configured");

        String rules = file("2000000");
        assertThat(run(new RulesDiffCommand(), "trades", "--file", rules)).isZero();
        assertThat(commands.out()).contains("1000000", "2000000");
        assertThat(run(new RulesApplyCommand(), "trades", rules, "--dry-run"))
                .as(commands.err())
                .isZero();
        assertThat(run(new RulesApplyCommand(), "trades", rules, "--expect", "9"))
                .isEqualTo(1);
        assertThat(run(new RulesApplyCommand(), "trades", rules, "--comment", "larger trades only"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).startsWith("trades: version 2 running since position ");
        assertThat(run(new RulesApplyCommand(), "trades", rules)).isZero();
        assertThat(commands.out()).startsWith("trades: version 2 unchanged");

        assertThat(run(new RulesShowCommand(), "trades")).isZero();
        assertThat(commands.out()).contains("amount1 > 2000000");
        assertThat(run(new RulesListCommand())).isZero();
        assertThat(commands.out()).startsWith("trades: version 2, not as configured (version 1)");

        assertThat(run(new RulesRollbackCommand(), "trades", "1"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).startsWith("trades: version 3 running since position ");
        assertThat(run(new RulesHistoryCommand(), "trades")).isZero();
        assertThat(commands.out().lines().filter(line -> line.matches("\\d  .*")))
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).startsWith("2  ").endsWith("  larger trades only"));
    }

    @Test
    void shouldCompareRulesWithTheLiveOnesAndApplyThem() throws Exception {
        assertThat(run(new RulesApplyCommand(), "trades", file("1000000")))
                .as(commands.err())
                .isZero();
        assertThat(run(new RulesShadowCommand(), "trades", "--stop")).isEqualTo(1);
        assertThat(commands.err()).containsPattern("Pipeline 'trades' has no shadow\\..* \\[no-shadow]");

        assertThat(run(new RulesShadowCommand(), "trades", file("1000000 and id % 2 == 0")))
                .as(commands.err())
                .isZero();
        await().untilAsserted(() -> {
            assertThat(run(new RulesShadowCommand(), "trades")).isZero();
            assertThat(commands.out())
                    .matches("(?s)trades: compared with version \\d+ since position \\d+: \\d+ records\n.*")
                    .containsPattern("(?m)^  newly-dropped   [1-9]\\d* \\(\\d+\\.\\d\\d %\\)$")
                    .containsPattern("(?m)^  newly-kept      0 \\(0\\.00 %\\)$")
                    .containsPattern(
                            "(?m)^  steps           \\d+\\.\\d ns a record \\(live \\d+\\.\\d ns\\), the shadow adds"
                                    + " \\d+\\.\\d ns$")
                    .containsPattern("(?m)^newly-dropped at position \\d+$")
                    .containsPattern("(?m)^  live    kept in all: id=\\d+, tradeDate=.*amount1=")
                    .containsPattern("(?m)^  shadow  dropped$");
        });

        assertThat(run(new RulesPromoteCommand(), "trades", "--comment", "fewer"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).contains(" running since position ");
        assertThat(run(new RulesShowCommand(), "trades")).isZero();
        assertThat(commands.out()).contains("id % 2 == 0");
        assertThat(run(new RulesPromoteCommand(), "trades")).isEqualTo(1);

        assertThat(run(new RulesShadowCommand(), "trades", file("7"), "--seconds", "1", "--stop"))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).contains("records").endsWith("The shadow has ended.\n");
        assertThat(run(new RulesShadowCommand(), "trades")).isEqualTo(1);

        String rules = file("3000000");
        assertThat(run(new RulesShadowCommand(), "trades", rules))
                .as(commands.err())
                .isZero();
        assertThat(run(new RulesApplyCommand(), "trades", rules))
                .as(commands.err())
                .isZero();
        assertThat(run(new RulesPromoteCommand(), "trades")).isEqualTo(1);
        assertThat(commands.err())
                .containsPattern("The shadow of pipeline 'trades' has ended: Version \\d+ has the same rules\\.");
        assertThat(run(new RulesShadowCommand(), "trades", "--stop")).isZero();
    }

    @Test
    void shouldCompareRulesOnStoredRecords() throws Exception {
        assertThat(run(new RulesApplyCommand(), "trades", file("1000000")))
                .as(commands.err())
                .isZero();
        await().untilAsserted(() -> {
            assertThat(run(
                            new RulesBacktestCommand(),
                            "trades",
                            file("1000000 and id % 2 == 0"),
                            "--region",
                            "all",
                            "--by",
                            "buySell",
                            "--where",
                            "currency1 == 'EUR'",
                            "--limit",
                            "1000"))
                    .as(commands.err())
                    .isZero();
            assertThat(commands.out())
                    .matches("(?s)trades: compared with version \\d+ on region all: 1000 records\n.*")
                    .containsPattern("(?m)^  newly-dropped   \\d{3} ")
                    .containsPattern("(?m)^  steps           \\d+\\.\\d ns a record, before \\d+\\.\\d ns$")
                    .containsPattern("(?m)^  buySell=Buy: .*newly-dropped \\d+")
                    .containsPattern("(?m)^  live    kept in all: id=\\d+, .*currency1=EUR");
        });
        assertThat(run(new RulesBacktestCommand(), "trades", file("5"), "--region", "al"))
                .isEqualTo(1);
        assertThat(commands.err()).contains("Unknown region 'al'. Did you mean 'all'?");
    }

    @Test
    void shouldSayWhichRulesCanChangeLive() throws Exception {
        assertThat(check("id % 3 == 0", "to: all"))
                .containsPattern("(?m)^  trades: can replace the live rules, version \\d+, without a restart$");
        assertThat(check("id % 3 == 0", "set: { doubled: amount1 * 2 }\n        - to: all"))
                .contains(
                        "  trades: can't replace the live rules. ",
                        "Region 'all' stores records of another schema: field 'doubled'");
        String live = "id % 4 == 0";
        Path rules = Files.writeString(folder.resolve("live.yml"), "steps:\n- filter: " + live + "\n- to: all\n");
        assertThat(run(new RulesApplyCommand(), "trades", rules.toString()))
                .as(commands.err())
                .isZero();
        assertThat(check(live, "to: all")).containsPattern("(?m)^  trades: the live rules, version \\d+$");
    }

    @Test
    void shouldShowDifferencesOfMeaningOnly() throws Exception {
        String rules = """
            steps:
            - filter: id > 5
            - set: { large: amount1 > 100, half: amount1 / 2 }
            - to: others
            """;
        assertThat(run(new RulesApplyCommand(), "trades", rulesFile("plain.yml", rules)))
                .as(commands.err())
                .isZero();
        String sameInJson = """
            { "comment": "the same",
              "steps": [ { "filter": "id > 5" }, # five
                { "set": { "large": 'amount1 > 100', "half": "amount1 / 2" } },
                { "to": "others" } ] }
            """;
        assertThat(run(new RulesDiffCommand(), "trades", "--file", rulesFile("json.yml", sameInJson)))
                .as(commands.err())
                .isZero();
        assertThat(commands.out()).isEmpty();

        String folded = """
            steps:

              - filter: >
                  id
                  > 5
              - set:
                  large: amount1 > 200 # more
                  half: amount1 / 2
              - to: others
            """;
        assertThat(run(new RulesDiffCommand(), "trades", "--file", rulesFile("folded.yml", folded)))
                .as(commands.err())
                .isZero();
        assertThat(commands.out().lines().skip(2).filter(line -> line.matches("[+-].*")))
                .containsExactly("-    large: amount1 > 100", "+    large: amount1 > 200");
    }

    private static String rulesFile(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static String check(String filter, String rest) throws Exception {
        Path config = Files.writeString(
                folder.resolve("check.yml"), """
                    millrace:
                      regions:
                        all: { layout: blocks, retain: { size: 10MB } }
                      pipelines:
                        trades:
                          feed: { generator: { rate: 5000 } }
                          schema: trade
                          steps:
                            - filter: FILTER
                            - REST
                    """.replace("FILTER", filter).replace("REST", rest));
        StringWriter out = new StringWriter();
        new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute("--against", CommandRunner.url(context), config.toString());
        return out.toString();
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        assertThat(run(new RulesApplyCommand(), "trades", file("amuont1"))).isEqualTo(1);
        assertThat(run(new RulesApplyCommand(), "trade", file("5"))).isEqualTo(1);
        assertThat(run(new RulesShowCommand(), "trades", "99")).isEqualTo(1);
        assertThat(run(new RulesDiffCommand(), "trades")).isEqualTo(2);
        assertThat(commands.err())
                .contains("amuont1")
                .contains("Unknown pipeline 'trade'. Did you mean 'trades'? [unknown-pipeline]")
                .contains("Unknown version 99 of the rules of pipeline 'trades'.")
                .contains("Missing argument. Use the number of an earlier version, or --file.");
    }
}
