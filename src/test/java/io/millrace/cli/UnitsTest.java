package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Durations and sizes need a unit, whatever property they are of. */
class UnitsTest {

    private static final String CONFIG = """
            millrace:
              latency: 5ms
              flush: 200ms
              questions: { timeout: 10s, max-timeout: 60s }
              web: { patience: 60s }
              geode: { member-timeout: 5s, off-heap-memory: 100MB }
              tables:
                desks: { file: "classpath:samples/desks.csv", key: id, refresh: 1m }
              regions:
                kept: { layout: blocks, memory: 100MB, retain: { age: 1h, size: 1GB } }
              pipelines:
                trades:
                  feed: { tcp: { port: 0, max-record-length: 65KB, idle-timeout: 5m, connection-buffer: 256KB, buffer: 64MB } }
                  schema: trade
                  steps:
                    - measure:
                        name: turnover
                        by: currency1
                        values: { n: count() }
                        every: 20s
                        over: 40s
                        time: tradeDate
                        lateness: 2s
                    - to: kept
                calls:
                  feed:
                    radius:
                      clients: [ { address: 10.0.0.1, secret: testing123 } ]
                      repeat-for: 15s
                      waiting-bytes: 16MB
                      ready-within: 1s
                      receive-buffer: 4MB
                  schema: radius-accounting
                  steps: [ { to: "channel:calls" } ]
            """;

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void shouldTakeDurationsAndSizesWithUnits() throws IOException {
        assertThat(check(CONFIG.replace("time: tradeDate", "").replace("lateness: 2s", "")))
                .as(err::toString)
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latency: 5ms",
                "flush: 200ms",
                "questions.timeout: 10s",
                "questions.max-timeout: 60s",
                "web.patience: 60s",
                "geode.member-timeout: 5s",
                "tables.desks.refresh: 1m",
                "regions.kept.retain.age: 1h",
                "pipelines.trades.feed.tcp.idle-timeout: 5m",
                "pipelines.trades.steps[0].measure.every: 20s",
                "pipelines.trades.steps[0].measure.over: 40s",
                "pipelines.trades.steps[0].measure.lateness: 2s",
                "pipelines.calls.feed.radius.repeat-for: 15s",
                "pipelines.calls.feed.radius.ready-within: 1s",
            })
    void shouldRefuseADurationWithoutAUnit(String property) throws IOException {
        shouldRefuse(property, "Invalid duration '%s' for 'millrace.%s'. Use a number and a unit, such as 10s.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "geode.off-heap-memory: 100MB",
                "regions.kept.memory: 100MB",
                "regions.kept.retain.size: 1GB",
                "pipelines.trades.feed.tcp.max-record-length: 65KB",
                "pipelines.trades.feed.tcp.connection-buffer: 256KB",
                "pipelines.trades.feed.tcp.buffer: 64MB",
                "pipelines.calls.feed.radius.waiting-bytes: 16MB",
                "pipelines.calls.feed.radius.receive-buffer: 4MB",
            })
    void shouldRefuseASizeWithoutAUnit(String property) throws IOException {
        shouldRefuse(property, "Invalid size '%s' for 'millrace.%s'. Use a number and a unit, such as 10MB.");
    }

    /** A bare number, as a number and as a text, and what is neither. */
    private void shouldRefuse(String property, String message) throws IOException {
        String name = property.substring(0, property.indexOf(':'));
        String key = name.substring(name.lastIndexOf('.') + 1) + ": ";
        String old = key + property.substring(property.indexOf(' ') + 1);
        for (String value : new String[] {"10", "'10'", "-7", "'${MILLRACE_NOT_SET:10}'", "10 parsecs"}) {
            err.getBuffer().setLength(0);
            assertThat(CONFIG).contains(old);
            assertThat(check(CONFIG.replace(old, key + value))).as(value).isOne();
            String shown = value.contains("$") ? "10" : value.replace("'", "");
            assertThat(err.toString())
                    .contains("millrace." + name + " (config.yml:")
                    .contains(message.formatted(shown, name));
        }
    }

    @Test
    void shouldListAllThatLackAUnitWithTheirPlaces() throws IOException {
        assertThat(check(CONFIG.replace("latency: 5ms", "latency: 5").replace("memory: 100MB, r", "memory: 100, r")))
                .isOne();
        assertThat(err.toString())
                .startsWith("The configuration has 2 mistakes:")
                .contains("millrace.latency (config.yml:2:12)", "millrace.regions.kept.memory (config.yml:10:37)");
    }

    @Test
    void shouldListUnknownPropertiesToo() throws IOException {
        assertThat(check(CONFIG.replace("latency: 5ms", "latency: 5\n  latencie: 5")))
                .isOne();
        assertThat(err.toString())
                .startsWith("The configuration has 2 mistakes:")
                .contains("Invalid duration '5' for 'millrace.latency'.", "millrace.latencie");
    }

    @Test
    void shouldTakeZeroWithoutAUnit() throws IOException {
        assertThat(check(CONFIG.replace("time: tradeDate", "").replace("lateness: 2s", "lateness: 0")))
                .isOne();
        assertThat(err.toString()).contains("goes with time only").doesNotContain("Invalid duration");
    }

    private int check(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yml"), yaml);
        return new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(file.toString());
    }
}
