package io.millrace.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers whose texts, such as comments and values of records, come from someone who wants to deceive the reader. */
class HostileTextsTest {

    private static final String FORGED = "2026-11-27 changed: user=admin";
    private static final String TEXT = "x\\u001b[2J\\u009b1m\\u202e\\r\\n" + FORGED;

    private final CommandRunner commands = new CommandRunner();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(int status, String type, String body) {
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static Arguments of(
            String name, Supplier<ServiceRequestCommand> command, String answer, String... options) {
        return Arguments.of(name, command, answer, options);
    }

    static Stream<Arguments> answers() {
        String value = "\"" + TEXT + "\"";
        return Stream.of(
                of(
                        "tap",
                        TapCommand::new,
                        "data:{\"record\":{\"a\":" + value + "}}\n\n",
                        "trades.admitted",
                        "--limit=1"),
                of(
                        "tap --json",
                        TapCommand::new,
                        "data:{\"record\":{\"a\":" + value + "}}\n\n",
                        "trades.admitted",
                        "--limit=1",
                        "--json"),
                of(
                        "history",
                        RulesHistoryCommand::new,
                        "{\"versions\":[{\"number\":1,\"author\":" + value + ",\"comment\":" + value + "}]}",
                        "trades"),
                of(
                        "list",
                        PipelinesListCommand::new,
                        "[{\"name\":\"a\",\"state\":\"failed\",\"error\":" + value + "}]"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void shouldPrintNothingThatATerminalExecutesAndNoForgedLine(
            String name, Supplier<ServiceRequestCommand> command, String answer, String[] options) {
        answer(200, answer.startsWith("data:") ? "text/event-stream" : "application/json", answer);
        commands.run(command.get(), Map.of(), url(), options);
        requireHarmless(commands.out());
        assertThat(commands.out()).as(name).containsIgnoringCase("\\u001b[2J");
    }

    @ParameterizedTest
    @MethodSource("answers")
    void shouldEscapeRefusals(String name, Supplier<ServiceRequestCommand> command, String answer, String[] options) {
        answer(400, "application/problem+json", "{\"detail\":\"" + TEXT + "\",\"code\":\"" + TEXT + "\"}");
        assertThat(commands.run(command.get(), Map.of(), url(), options))
                .as(name)
                .isEqualTo(1);
        requireHarmless(commands.err());
        assertThat(commands.err()).contains("\\u001b[2J");
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static void requireHarmless(String output) {
        assertThat(output.replace(System.lineSeparator(), "\n").chars().filter(c -> c != '\n' && c != '\t'))
                .noneMatch(Character::isISOControl)
                .noneMatch(c -> c == '\u202e');
        assertThat(output.lines()).noneMatch(line -> line.startsWith(FORGED));
    }
}
