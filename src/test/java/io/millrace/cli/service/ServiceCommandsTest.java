package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.FreePort;
import io.millrace.application.MillraceApplication;
import io.millrace.cli.check.TestCommand;
import io.millrace.cli.file.StandardStreams;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine;

/** The commands {@code top} and {@code tap}, which show what a running service does. */
@ExtendWith(OutputCaptureExtension.class)
class ServiceCommandsTest {

    private static final String PASSWORD = "correct-horse-battery";

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;

    private final CommandRunner commands = new CommandRunner();

    @BeforeAll
    static void start() throws Exception {
        Path password = Files.writeString(folder.resolve("anna"), PASSWORD);
        Path config = Files.writeString(folder.resolve("config.yml"), """
            millrace:
              security:
                users:
                  anna: { password-file: %s, role: viewer }
              regions:
                all: { layout: blocks, retain: { size: 10MB } }
              pipelines:
                trades:
                  feed: { generator: { rate: 5000 } }
                  schema: trade
                  steps:
                    - filter: amount1 > 1000000
                    - set: { notional: amount1 * exchangeRate }
                    - to: all
            """.formatted(password));
        context = SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=file:" + config,
                "--server.port=0",
                "--millrace.data=" + folder.resolve("data"));
    }

    @AfterAll
    static void end() {
        context.close();
    }

    @Test
    void shouldEndWhenTheReaderOfTheOutputHasClosedIt() throws IOException {
        Path password = Files.writeString(folder.resolve("reader"), PASSWORD);
        String[] access = {"--url", CommandRunner.url(context), "--user", "anna", "--password-file", password.toString()
        };
        Writer closed = Writer.nullWriter();
        closed.close();
        assertThat(new CommandLine(new TopCommand())
                        .setOut(new PrintWriter(closed))
                        .execute(access))
                .isEqualTo(StandardStreams.OUTPUT_CLOSED);
        assertThat(new CommandLine(new TapCommand())
                        .setOut(new PrintWriter(closed))
                        .execute(Stream.concat(Stream.of("trades.admitted"), Stream.of(access))
                                .toArray(String[]::new)))
                .isEqualTo(StandardStreams.OUTPUT_CLOSED);
    }

    private int tap(String... arguments) {
        return asUser(new TapCommand(), arguments);
    }

    private int top(String... arguments) {
        return asUser(new TopCommand(), arguments);
    }

    private int asUser(ServiceRequestCommand command, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--user";
        all[arguments.length + 1] = "anna";
        return commands.run(command, Map.of("MILLRACE_PASSWORD", PASSWORD), CommandRunner.url(context) + "/", all);
    }

    @Test
    void shouldWriteTestsOfLiveRecordsThatPass(CapturedOutput console) throws Exception {
        Path rules = Files.writeString(folder.resolve("rules.yml"), """
            millrace:
              regions: { large: { layout: blocks }, small: { layout: blocks } }
              pipelines:
                trades:
                  feed: { file: there-is-no-such-file.bin }
                  schema: trade
                  steps:
                    - filter: id % 3 != 0 and 100 / (id % 2) > 0
                    - set: { notional: amount1 * exchangeRate, buy: buySell == 'Buy', desk: buySell }
                    - route: [ { when: amount1 > 20000000, to: large }, { otherwise: small } ]
            """);
        LoggingSystem logging = LoggingSystem.get(ServiceCommandsTest.class.getClassLoader());
        // As in a process of its own, where the service sets no levels.
        logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.INFO);
        logging.setLogLevel("org.springframework.integration", null);
        int before = console.length();
        try {
            assertThat(tap("trades.admitted", "--limit", "100", "--test", rules.toString()))
                    .as(commands.err())
                    .isZero();
        } finally {
            logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.WARN);
            logging.setLogLevel("org.springframework.integration", LogLevel.WARN);
        }
        Path tests = Files.writeString(folder.resolve("live.yml"), commands.out());
        StringWriter report = new StringWriter();
        int code = new CommandLine(new TestCommand())
                .setOut(new PrintWriter(report, true))
                .setErr(new PrintWriter(report, true))
                .execute(rules.toString(), tests.toString());
        assertThat(code).as(report + commands.out()).isZero();
        assertThat(report.toString()).startsWith("Pipeline trades: 100 passed, 0 failed");
        assertThat(commands.out())
                .contains("expect: { dropped: true }", "expect: { rejected: expression }", "to: 'large'", "notional: ")
                .contains("        # {\"id\":");

        // The standard output is the tests and nothing else, also where it is redirected to a file.
        assertThat(console.toString().substring(before)).doesNotContain("subscriber");

        // As `check` finds it, before the service is asked.
        Path invalid = Files.writeString(
                folder.resolve("invalid.yml"), Files.readString(rules).replace("to: large }", "to: larger }"));
        assertThat(tap("trades.admitted", "--test", invalid.toString())).isEqualTo(1);
        assertThat(commands.err()).contains("The configuration has a mistake", "invalid.yml", "larger");

        assertThat(tap("trades.1-filter", "--test", rules.toString())).isEqualTo(2);
        assertThat(tap("trades.admitted", "--test", "none.yml")).isEqualTo(1);
        assertThat(commands.err())
                .contains("Invalid point '1-filter' for --test. Use 'admitted', where records are as received.")
                .contains("none.yml");
    }

    @Test
    void shouldListThePointsOfAPipeline() {
        assertThat(tap("trades")).as(commands.err()).isZero();

        assertThat(commands.out()).isEqualToNormalizingNewlines("""
            trades.admitted
            trades.1-filter
            trades.2-set
            trades.3-to
            trades.to-all
            """);
    }

    @Test
    void shouldPrintRecordsThatMeetTheCondition() {
        assertThat(tap("trades.2-set", "--where", "buySell == 'Buy'", "--limit", "3"))
                .as(commands.err())
                .isZero();

        assertThat(commands.out().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).matches("id=\\d+  .*buySell=Buy  .*notional=[0-9.E+]+"));
    }

    @Test
    void shouldPrintRecordsAsJsonAndAsBytes() {
        assertThat(tap("trades.admitted", "--json", "--limit", "1")).isZero();
        assertThat(commands.out().strip()).startsWith("{\"id\":").endsWith("}");

        assertThat(tap("trades.admitted", "--hex", "--limit", "1")).isZero();
        assertThat(commands.out().strip()).matches("[0-9a-f]{78}"); // a trade has 39 bytes
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        assertThat(tap("trade.admitted")).isEqualTo(1);
        assertThat(tap("trades.1-filtr")).isEqualTo(1);
        assertThat(tap("trades.1-filter", "--where", "notional > 0")).isEqualTo(1);
        assertThat(commands.err())
                .contains("Unknown pipeline 'trade'. Did you mean 'trades'? [unknown-pipeline]")
                .contains("Unknown point '1-filtr' of pipeline 'trades'. Did you mean '1-filter'? [unknown-point]")
                .contains("notional")
                .doesNotContain("[bad-query]");

        assertThat(tap("trades.admitted", "--limit", "0")).isEqualTo(2);
        assertThat(tap("trades.admitted", "--json", "--hex")).isEqualTo(2);
        assertThat(commands.run(new TapCommand(), Map.of(), "localhost:8080", "trades"))
                .isEqualTo(2);
        int closed = FreePort.next();
        assertThat(commands.run(new TapCommand(), Map.of(), "http://127.0.0.1:" + closed, "trades"))
                .isEqualTo(1);
        assertThat(commands.err())
                .contains("Invalid limit '0'. Use a number above 0.")
                .contains("Too many options. Use one of --json, --hex and --test.")
                .contains("Invalid URL 'localhost:8080'. Use a URL such as https://localhost:8443.")
                .containsPattern("No answer from http://127\\.0\\.0\\.1:" + closed + ": .+ \\[no-answer]");
    }

    @Test
    void shouldShowPipelinesAndTheirSteps() {
        assertThat(top("--once")).as(commands.err()).isZero();

        assertThat(commands.out())
                .contains("heap", "GC pauses", "PIPELINE / STEP")
                .containsPattern("(?m)^trades +(running|waiting) ")
                .containsPattern("(?m)^  1-filter .* ns$")
                .containsPattern("(?m)^  3-to .* ns$");
    }

    @Test
    void shouldAuthenticate() {
        String url = CommandRunner.url(context);
        assertThat(commands.run(new TapCommand(), Map.of(), url, "trades")).isEqualTo(1);
        assertThat(commands.err())
                .contains(url + " requires authentication. Use --user, or set MILLRACE_TOKEN. [sign-in]");
        assertThat(commands.run(
                        new TapCommand(), Map.of("MILLRACE_PASSWORD", "wrong"), url, "trades", "--user", "anna"))
                .isEqualTo(1);
        assertThat(commands.err())
                .contains(url
                        + " does not accept the credentials. Check the user and the password, or the token. [sign-in]");
        assertThat(commands.run(new TapCommand(), Map.of(), url, "trades", "--user", "anna"))
                .isEqualTo(2);
        assertThat(commands.err())
                .contains("Missing password of 'anna'. Use --password-file, or set MILLRACE_PASSWORD.");
        assertThat(commands.run(
                        new TapCommand(),
                        Map.of(),
                        url,
                        "trades",
                        "--user",
                        "anna",
                        "--password-file",
                        folder.resolve("anna").toString()))
                .as(commands.err())
                .isZero();
    }
}
