package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
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

/** The commands {@code top} and {@code tap}, which show what a running service does. */
class ServiceCommandsTest {

    private static final String PASSWORD = "correct-horse-battery";

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

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

    private static String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    private int tap(String... arguments) {
        return asUser(new TapCommand(Map.of("MILLRACE_PASSWORD", PASSWORD)), arguments);
    }

    private int top(String... arguments) {
        return asUser(new TopCommand(Map.of("MILLRACE_PASSWORD", PASSWORD)), arguments);
    }

    private int asUser(Callable<Integer> command, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--user";
        all[arguments.length + 1] = "anna";
        return execute(command, url() + "/", all);
    }

    private int execute(Callable<Integer> command, String url, String... arguments) {
        CommandLine line =
                new CommandLine(command).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--url";
        all[arguments.length + 1] = url;
        return line.execute(all);
    }

    @Test
    void shouldListThePointsOfAPipeline() {
        assertThat(tap("trades")).as(err.toString()).isZero();

        assertThat(out.toString()).isEqualToNormalizingNewlines("""
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
                .as(err.toString())
                .isZero();

        assertThat(out.toString().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).matches("id=\\d+  .*buySell=Buy  .*notional=[0-9.E+]+"));
    }

    @Test
    void shouldPrintRecordsAsJsonAndAsBytes() {
        assertThat(tap("trades.admitted", "--json", "--limit", "1")).isZero();
        assertThat(tap("trades.admitted", "--hex", "--limit", "1")).isZero();

        String[] lines = out.toString().lines().toArray(String[]::new);
        assertThat(lines[0]).startsWith("{\"id\":").endsWith("}");
        assertThat(lines[1]).matches("[0-9a-f]{78}"); // a trade has 39 bytes
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        assertThat(tap("trade.admitted")).isEqualTo(1);
        assertThat(tap("trades.1-filtr")).isEqualTo(1);
        assertThat(tap("trades.1-filter", "--where", "notional > 0")).isEqualTo(1);
        assertThat(err.toString())
                .contains("Unknown pipeline 'trade'. Did you mean 'trades'?")
                .contains("Unknown point '1-filtr' of pipeline 'trades'. Did you mean '1-filter'?")
                .contains("notional");

        assertThat(tap("trades.admitted", "--limit", "0")).isEqualTo(2);
        assertThat(tap("trades.admitted", "--json", "--hex")).isEqualTo(2);
        assertThat(execute(new TapCommand(Map.of()), "localhost:8080", "trades"))
                .isEqualTo(2);
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        assertThat(execute(new TapCommand(Map.of()), "http://127.0.0.1:" + closed, "trades"))
                .isEqualTo(1);
        assertThat(err.toString())
                .contains("Invalid limit '0'. Use a number above 0.")
                .contains("Too many options. Use either --json or --hex.")
                .contains("Invalid URL 'localhost:8080'. Use a URL such as https://localhost:8443.")
                .contains("No answer from http://127.0.0.1:" + closed + ": ");
    }

    @Test
    void shouldShowPipelinesAndTheirSteps() {
        assertThat(top("--once")).as(err.toString()).isZero();

        assertThat(out.toString())
                .contains("heap", "GC pauses", "PIPELINE / STEP")
                .containsPattern("(?m)^trades +(running|waiting) ")
                .containsPattern("(?m)^  1-filter .* ns$")
                .containsPattern("(?m)^  3-to .* ns$");
    }

    @Test
    void shouldAuthenticate() {
        String url = url();
        assertThat(execute(new TapCommand(Map.of()), url, "trades")).isEqualTo(1);
        assertThat(err.toString()).contains(url + " requires authentication. Use --user, or set MILLRACE_TOKEN.");
        assertThat(execute(new TapCommand(Map.of("MILLRACE_PASSWORD", "wrong")), url, "trades", "--user", "anna"))
                .isEqualTo(1);
        assertThat(err.toString()).contains(url + " does not accept the credentials.");
        assertThat(execute(new TapCommand(Map.of()), url, "trades", "--user", "anna"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("Missing password of 'anna'. Set MILLRACE_PASSWORD.");
    }
}
