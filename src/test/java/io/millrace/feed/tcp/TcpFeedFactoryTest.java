package io.millrace.feed.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.codec.frame.Framing;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.Setup;
import io.millrace.config.plan.SetupPlanner;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.framing.LengthPrefixProperties;
import io.millrace.feed.framing.LengthPrefixProperties.Order;
import io.millrace.feed.tcp.TcpProperties.AcknowledgeProperties;
import io.millrace.pipeline.definition.Problem;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.unit.DataSize;

class TcpFeedFactoryTest {

    @TempDir
    Path folder;

    @Test
    void shouldListenOnLoopbackWithSensibleBounds() throws Exception {
        TcpProperties tcp = read("port: 9100");
        assertThat(tcp)
                .isEqualTo(new TcpProperties(
                        "127.0.0.1",
                        9100,
                        FramingKind.FIXED,
                        null,
                        null,
                        DataSize.ofKilobytes(64),
                        2_000,
                        null,
                        "75%",
                        Duration.ofMinutes(5),
                        DataSize.ofKilobytes(256),
                        DataSize.ofMegabytes(64),
                        null,
                        null));
        assertThat(tcp.framingProperties().rule()).isEqualTo(new Framing.Fixed());
    }

    @Test
    void shouldReadEverythingThatCanBeSet() throws Exception {
        TcpProperties tcp = read("""
                host: 0.0.0.0
                port: 0
                framing: length-prefixed
                length-prefix: { width: 4, order: little-endian, counts-itself: true }
                max-record-length: 1KB
                max-connections: 7
                max-connections-per-address: 3
                max-share-per-address: 12.5%
                idle-timeout: 10s
                connection-buffer: 64KB
                buffer: 1MB
                ssl-bundle: lines
                acknowledge: { every: 20 }
                """);
        assertThat(tcp)
                .isEqualTo(new TcpProperties(
                        "0.0.0.0",
                        0,
                        FramingKind.LENGTH_PREFIXED,
                        new LengthPrefixProperties(4, Order.LITTLE_ENDIAN, true),
                        null,
                        DataSize.ofKilobytes(1),
                        7,
                        3,
                        "12.5%",
                        Duration.ofSeconds(10),
                        DataSize.ofKilobytes(64),
                        DataSize.ofMegabytes(1),
                        "lines",
                        new AcknowledgeProperties(20)));
        assertThat(tcp.framingProperties().rule())
                .isEqualTo(new Framing.LengthPrefixed(4, ByteOrder.LITTLE_ENDIAN, true));
    }

    @Test
    void shouldReadAnyByteInADelimiter() throws Exception {
        TcpProperties tcp = read("{ port: 1, framing: delimited, delimiter: \"\\r\\n\\0\\xFF\" }");
        assertThat(tcp.framingProperties().rule())
                .isInstanceOfSatisfying(
                        Framing.Delimited.class,
                        delimited -> assertThat(delimited.delimiter()).containsExactly('\r', '\n', 0, 0xFF));
    }

    @Test
    void shouldReportAllMistakesAtOnce() throws Exception {
        assertThat(problems("""
                port: 70000
                framing: length-prefixed
                length-prefix: { width: 3 }
                delimiter: ","
                max-record-length: 20MB
                max-connections: 0
                max-connections-per-address: 0
                max-share-per-address: 0%
                idle-timeout: 0s
                connection-buffer: 10B
                buffer: 10B
                acknowledge: { every: 0 }
                ssl-bundle: linse
                """))
                .containsExactlyInAnyOrder(
                        "port: Invalid number '70000'. Use 0 to 65535. [invalid-number]",
                        "length-prefix.width: Invalid width '3'. Use 1, 2 or 4. [invalid-number]",
                        "delimiter: 'delimiter' has no effect without 'framing: delimited'. Set that, or remove it. [no-effect]",
                        "max-record-length: Invalid size '20971520B'. Use 1B to 16777216B. [invalid-size]",
                        "max-connections: Invalid number '0'. Use 1 to 2147483647. [invalid-number]",
                        "max-connections-per-address: Invalid number '0'. Use 1 to 2147483647. [invalid-number]",
                        "max-share-per-address: Invalid percentage '0%'. Use a number above 0 and up to 100 and a percent"
                                + " sign, such as 75%. [invalid-number]",
                        "idle-timeout: Invalid duration '0s'. Use 1ms or more. [invalid-duration]",
                        "connection-buffer: Invalid size '10B'. Use 1024B to 1099511627776B. [invalid-size]",
                        "buffer: Invalid size '10B'. Use 1024B to 1099511627776B. [invalid-size]",
                        "acknowledge.every: Invalid number '0'. Use 1 to 2147483647. [invalid-number]",
                        "ssl-bundle: Unknown SSL bundle 'linse'. Did you mean 'lines'? Define it under"
                                + " 'spring.ssl.bundle'. [unknown-name]");
    }

    @Test
    void shouldReportWhatIsMissingOrContradictory() throws Exception {
        assertThat(problems("{ framing: delimited }"))
                .containsExactlyInAnyOrder(
                        "port: Missing value: the port to listen on, 0 for any that is free. [missing-value]",
                        "delimiter: Missing value: what ends each record, such as \"\\n\". [missing-value]");
        assertThat(problems("{ port: 1, framing: delimited, delimiter: \"\\u20AC\" }"))
                .containsExactly(
                        "delimiter: Invalid delimiter. Use characters up to \\xFF: each stands for one byte. [invalid-value]");
        assertThat(problems("{ port: 1, buffer: 1MB, max-record-length: 2MB }"))
                .containsExactly(
                        "buffer: Invalid size '1048576B'. Use at least 'max-record-length', 2097152B. [invalid-size]");
        assertThat(problems("{ port: 1, length-prefix: { width: 2 } }"))
                .containsExactly("length-prefix: 'length-prefix' has no effect without 'framing: length-prefixed'."
                        + " Set that, or remove it. [no-effect]");
        assertThat(problems("{ port: 1, framing: length-prefixed, max-record-length: 38B }"))
                .containsExactly("max-record-length: Invalid size '38B'. Use at least 39B, the length of the records of"
                        + " schema 'trade'. [invalid-size]");
        assertThat(problems("{ port: 1, framing: lines }"))
                .containsExactly(
                        "framing: Invalid value 'lines' for 'millrace.pipelines.lines.feed.tcp.framing'. Use one of:"
                                + " fixed, length-prefixed, delimited. [invalid-value]");
    }

    private TcpProperties read(String tcp) throws Exception {
        TcpFeedFactory.Definition feed = (TcpFeedFactory.Definition)
                plan(tcp).pipelines().getFirst().definition().feed();
        return feed.properties();
    }

    private List<String> problems(String tcp) {
        List<String> messages = new java.util.ArrayList<>();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> plan(tcp))
                .satisfies(e -> {
                    for (Problem problem : e.problems()) {
                        assertThat(problem.property()).startsWith("millrace.pipelines.lines.feed.tcp.");
                        messages.add(problem.property().substring("millrace.pipelines.lines.feed.tcp.".length()) + ": "
                                + problem.message());
                    }
                });
        return messages;
    }

    private Setup plan(String tcp) throws Exception {
        Path file = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  regions:
                    trades: { layout: blocks }
                  pipelines:
                    lines:
                      schema: trade
                      steps: [ { to: trades } ]
                      feed:
                        tcp:
                %s
                spring.ssl.bundle.jks.lines.keystore.location: lines.p12
                """.formatted(tcp.indent(10)));
        ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
        return new SetupPlanner(
                        PropertyBinding.bind(environment), PipelineReader.of(environment), FunctionRegistry.empty())
                .plan();
    }
}
