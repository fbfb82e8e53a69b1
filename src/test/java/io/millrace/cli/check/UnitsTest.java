package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.binding.ExtensionKinds;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.unit.DataSize;
import picocli.CommandLine;

/** Durations and sizes need a unit, whatever property they are of. */
class UnitsTest {

    private static final String CONFIG = """
            millrace:
              latency: 5ms
              flush: 200ms
              feed-retry-timeout: 3m
              data-reserve: 512MB
              query: { timeout: 10s, max-timeout: 60s }
              rules: { watch-interval: 3s }
              web: { slow-client-timeout: 60s, request-timeout: 30s }
              geode: { member-timeout: 5s, takeover-after: 6s, off-heap-memory: 100MB }
              tables:
                desks: { file: "classpath:samples/desks.csv", key: id, refresh: 1m }
              regions:
                kept: { layout: blocks, max-memory: 100MB, retain: { age: 1h, size: 1GB } }
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
                        window: 40s
                        time: tradeDate
                        allowed-lateness: 2s
                        idle-timeout: 90s
                    - to: kept
                calls:
                  feed:
                    radius:
                      clients: [ { address: 10.0.0.1, secret: testing123 } ]
                      duplicate-window: 15s
                      max-pending-bytes: 16MB
                      max-response-delay: 1s
                      receive-buffer: 4MB
                  schema: radius-accounting
                  steps: [ { to: "channel:calls" } ]
                messages:
                  feed:
                    kafka:
                      bootstrap-servers: localhost:9092
                      topics: messages
                      registry: { format: confluent, timeout: 7s }
                  schema: trade
                  steps: [ { to: "channel:messages" } ]
            """;

    private static final List<String> DURATIONS = List.of(
            "latency: 5ms",
            "flush: 200ms",
            "feed-retry-timeout: 3m",
            "query.timeout: 10s",
            "query.max-timeout: 60s",
            "rules.watch-interval: 3s",
            "web.slow-client-timeout: 60s",
            "web.request-timeout: 30s",
            "geode.member-timeout: 5s",
            "geode.takeover-after: 6s",
            "tables.desks.refresh: 1m",
            "regions.kept.retain.age: 1h",
            "pipelines.trades.feed.tcp.idle-timeout: 5m",
            "pipelines.trades.steps[0].measure.every: 20s",
            "pipelines.trades.steps[0].measure.window: 40s",
            "pipelines.trades.steps[0].measure.allowed-lateness: 2s",
            "pipelines.trades.steps[0].measure.idle-timeout: 90s",
            "pipelines.calls.feed.radius.duplicate-window: 15s",
            "pipelines.calls.feed.radius.max-response-delay: 1s",
            "pipelines.messages.feed.kafka.registry.timeout: 7s");

    private static final List<String> SIZES = List.of(
            "data-reserve: 512MB",
            "geode.off-heap-memory: 100MB",
            "regions.kept.max-memory: 100MB",
            "regions.kept.retain.size: 1GB",
            "pipelines.trades.feed.tcp.max-record-length: 65KB",
            "pipelines.trades.feed.tcp.connection-buffer: 256KB",
            "pipelines.trades.feed.tcp.buffer: 64MB",
            "pipelines.calls.feed.radius.max-pending-bytes: 16MB",
            "pipelines.calls.feed.radius.receive-buffer: 4MB");

    @TempDir
    Path folder;

    private final StringWriter err = new StringWriter();

    @Test
    void shouldTakeDurationsAndSizesWithUnits() throws IOException {
        assertThat(check(CONFIG.replace("time: tradeDate", "")
                        .replace("allowed-lateness: 2s", "")
                        .replace("idle-timeout: 90s", "")))
                .as(err::toString)
                .isZero();
    }

    @ParameterizedTest
    @FieldSource("DURATIONS")
    void shouldRefuseADurationWithoutAUnit(String property) throws IOException {
        shouldRefuse(property, "Invalid duration '%s' for 'millrace.%s'. Use a number and a unit, such as 10s.");
    }

    @ParameterizedTest
    @FieldSource("SIZES")
    void shouldRefuseASizeWithoutAUnit(String property) throws IOException {
        shouldRefuse(property, "Invalid size '%s' for 'millrace.%s'. Use a number and a unit, such as 10MB.");
    }

    @Test
    void shouldCoverEveryDurationAndSize() {
        assertThat(names(DURATIONS)).containsExactlyInAnyOrderElementsOf(properties(Duration.class));
        assertThat(names(SIZES)).containsExactlyInAnyOrderElementsOf(properties(DataSize.class));
    }

    /**
     * The properties of a list above, with {@code *} for keys of maps and without indexes, as the records have them.
     */
    private static Set<String> names(List<String> properties) {
        return properties.stream()
                .map(property -> property.substring(0, property.indexOf(':'))
                        .replaceAll("\\[\\d+]", "")
                        .replaceAll("^(tables|regions|pipelines)\\.[^.]+", "$1.*"))
                .collect(Collectors.toSet());
    }

    private static Set<String> properties(Class<?> type) {
        Set<String> found = new TreeSet<>();
        collect(MillraceProperties.class, "", type, found);
        return found;
    }

    private static void collect(Type in, String at, Class<?> type, Set<String> found) {
        if (in == type) {
            found.add(at);
        } else if (in instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            collect(arguments[arguments.length - 1], generic.getRawType() == Map.class ? at + ".*" : at, type, found);
        } else if (in instanceof Class<?> properties && properties.isRecord()) {
            for (RecordComponent component : properties.getRecordComponents()) {
                String name = DataObjectPropertyName.toDashedForm(component.getName());
                collect(component.getGenericType(), at.isEmpty() ? name : at + "." + name, type, found);
            }
            if (properties == PipelineProperties.class) {
                ExtensionKinds kinds = ExtensionKinds.installed();
                kinds.feeds()
                        .all()
                        .forEach(feed -> collect(feed.propertiesType(), at + ".feed." + feed.name(), type, found));
                kinds.steps()
                        .all()
                        .forEach(step -> collect(step.propertiesType(), at + ".steps." + step.name(), type, found));
            }
        }
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
        assertThat(check(CONFIG.replace("latency: 5ms", "latency: 5")
                        .replace("max-memory: 100MB, r", "max-memory: 100, r")))
                .isOne();
        assertThat(err.toString())
                .startsWith("The configuration has 2 mistakes:")
                .contains("millrace.latency (config.yml:2:12)", "millrace.regions.kept.max-memory (config.yml:13:41)");
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
        assertThat(check(CONFIG.replace("time: tradeDate", "")
                        .replace("idle-timeout: 90s", "")
                        .replace("allowed-lateness: 2s", "allowed-lateness: 0")))
                .isOne();
        assertThat(err.toString())
                .contains("'allowed-lateness' has no effect without 'time'")
                .doesNotContain("Invalid duration");
    }

    private int check(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yml"), yaml);
        return new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(file.toString());
    }
}
