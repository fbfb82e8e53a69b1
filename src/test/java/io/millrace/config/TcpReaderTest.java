package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.expression.FunctionRegistry;
import io.millrace.feed.FairShare;
import io.millrace.feed.tcp.Framing;
import io.millrace.feed.tcp.TcpLimits;
import io.millrace.feed.tcp.TcpOptions;
import io.millrace.pipeline.definition.FeedDefinition.TcpDefinition;
import io.millrace.pipeline.definition.Problem;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.ConfigurableEnvironment;

class TcpReaderTest {

    @TempDir
    Path folder;

    @Test
    void shouldListenOnLoopbackWithSensibleBounds() throws Exception {
        TcpDefinition tcp = read("port: 9100");
        assertThat(tcp.sslBundle()).isNull();
        assertThat(tcp.options())
                .isEqualTo(new TcpOptions(
                        "127.0.0.1",
                        9100,
                        new Framing.Fixed(),
                        new TcpLimits(
                                2_000,
                                2_000,
                                new FairShare(0.75),
                                64 * 1024,
                                Duration.ofMinutes(5),
                                256 * 1024,
                                64 << 20),
                        0));
    }

    @Test
    void shouldReadEverythingThatCanBeSet() throws Exception {
        TcpDefinition tcp = read("""
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
        assertThat(tcp.sslBundle()).isEqualTo("lines");
        assertThat(tcp.options())
                .isEqualTo(new TcpOptions(
                        "0.0.0.0",
                        0,
                        new Framing.LengthPrefixed(4, ByteOrder.LITTLE_ENDIAN, true),
                        new TcpLimits(7, 3, new FairShare(0.125), 1024, Duration.ofSeconds(10), 64 * 1024, 1 << 20),
                        20));
    }

    @Test
    void shouldReadAnyByteInADelimiter() throws Exception {
        TcpDefinition tcp = read("{ port: 1, framing: delimited, delimiter: \"\\r\\n\\0\\xFF\" }");
        assertThat(tcp.options().framing())
                .isInstanceOfSatisfying(
                        Framing.Delimited.class,
                        delimited -> assertThat(delimited.delimiter()).containsExactly('\r', '\n', 0, 0xFF));
    }

    @Test
    void shouldTellAllMistakesAtOnce() throws Exception {
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
                        "port: value=70000 is not between 0 and 65535",
                        "length-prefix.width: width=3 is none of 1, 2, 4",
                        "delimiter: goes only with framing: delimited",
                        "max-record-length: value=20971520B is not between 1B and 16777216B",
                        "max-connections: value=0 is not between 1 and 2147483647",
                        "max-connections-per-address: value=0 is not between 1 and 2147483647",
                        "max-share-per-address: Invalid percentage '0%'. Use a number above 0 and up to 100 and a percent"
                                + " sign, such as 75%.",
                        "idle-timeout: value=PT0S is less than a millisecond",
                        "connection-buffer: value=10B is not between 1024B and 1099511627776B",
                        "buffer: value=10B is not between 1024B and 1099511627776B",
                        "acknowledge.every: value=0 is not between 1 and 2147483647",
                        "ssl-bundle: ssl-bundle=linse is not defined under spring.ssl.bundle, did you mean lines?");
    }

    @Test
    void shouldTellWhatIsMissingOrDoesNotGoTogether() throws Exception {
        assertThat(problems("{ framing: delimited }"))
                .containsExactlyInAnyOrder(
                        "port: is missing: the number of the port to listen on, 0 for any that is free",
                        "delimiter: is missing: what stands behind each record, such as \"\\n\"");
        assertThat(problems("{ port: 1, framing: delimited, delimiter: \"\\u20AC\" }"))
                .containsExactly("delimiter: has a character above \\xFF: each character stands for one byte");
        assertThat(problems("{ port: 1, buffer: 1MB, max-record-length: 2MB }"))
                .containsExactly("buffer: value=1048576B is less than max-record-length=2097152B");
        assertThat(problems("{ port: 1, length-prefix: { width: 2 } }"))
                .containsExactly("length-prefix: goes only with framing: length-prefixed");
        assertThat(problems("{ port: 1, framing: length-prefixed, max-record-length: 38B }"))
                .containsExactly("max-record-length: value=38 is less than the 39 bytes of schema trade's records");
        assertThat(problems("{ port: 1, framing: lines }"))
                .containsExactly(
                        "framing: value=lines can't be used: it is none of [fixed, length-prefixed, delimited]");
    }

    private TcpDefinition read(String tcp) throws Exception {
        return (TcpDefinition) plan(tcp).pipelines().getFirst().definition().feed();
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
                        PropertyBinding.bind(environment),
                        FunctionRegistry.empty(),
                        PropertyBinding.sslBundles(environment))
                .plan();
    }
}
