package io.millrace.feed.kafka.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.extension.NoSettings;
import io.millrace.extension.PropertyCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a registry, and what its responses mean. */
class SchemaRegistryTest {

    private final List<String> problems = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();

    private @Nullable RegistryConnection connection(
            @Nullable String url, @Nullable String user, @Nullable String password) {
        return RegistryConnection.define(
                new RegistryProperties(RegistryFormat.CONFLUENT, url, user, password, null, Duration.ofSeconds(5)),
                new PropertyCheck("kafka", new NoSettings(), (at, message) -> problems.add(at + ": " + message)));
    }

    private SchemaRegistry registry(RegistryFormat format, String url) {
        return new SchemaRegistry(format, Objects.requireNonNull(connection(url, null, null)), nanos::get);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", textBlock = """
            none,     Avro
            AVRO,     Avro
            PROTOBUF, Protobuf
            JSON,     none
            BYTES,    none
            """)
    void shouldRefuseAvroAndProtobufOfConfluent(@Nullable String type, @Nullable String refused) throws IOException {
        try (TestRegistry confluent = TestRegistry.confluent()) {
            confluent.addConfluent(17, type);
            String refusal = registry(RegistryFormat.CONFLUENT, confluent.url()).refusal(17);
            assertThat(refusal)
                    .isEqualTo(
                            refused == null
                                    ? null
                                    : "the message has " + refused + " data by schema 17, which Millrace does not"
                                            + " read. Send records of the pipeline's schema");
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", textBlock = """
            AVRO,     Avro
            PROTOBUF, Protobuf
            JSON,     none
            """)
    void shouldRefuseAvroAndProtobufOfApicurio(String type, @Nullable String refused) throws IOException {
        try (TestRegistry apicurio = TestRegistry.apicurio()) {
            apicurio.addApicurio(1L << 40, type);
            String refusal = registry(RegistryFormat.APICURIO, apicurio.url()).refusal(1L << 40);
            if (refused == null) {
                assertThat(refusal).isNull();
            } else {
                assertThat(refusal).contains(refused + " data by schema 1099511627776");
            }
            assertThat(registry(RegistryFormat.APICURIO, apicurio.url()).refusal(8))
                    .contains("schema ID 8, which the registry at http://");
        }
    }

    /** A follower of the registry can receive a schema late. */
    @Test
    void shouldRequestAnUnknownSchemaAgainAfterATime() throws IOException {
        try (TestRegistry confluent = TestRegistry.confluent()) {
            SchemaRegistry registry = registry(RegistryFormat.CONFLUENT, confluent.url() + "/");
            assertThat(registry.refusal(3)).contains("schema ID 3, which the registry at " + confluent.url() + " does");
            confluent.addConfluent(3, "JSON");
            assertThat(registry.refusal(3)).isNotNull();
            assertThat(confluent.requests()).containsExactly("/schemas/ids/3");
            nanos.set(Duration.ofSeconds(11).toNanos());
            assertThat(registry.refusal(3)).isNull();
            nanos.set(Duration.ofDays(1).toNanos());
            assertThat(registry.refusal(3)).isNull();
            assertThat(confluent.requests()).containsExactly("/schemas/ids/3", "/schemas/ids/3");
        }
    }

    @Test
    void shouldRequestASchemaOnceForAllPartitions() throws Exception {
        try (TestRegistry confluent = TestRegistry.confluent();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            confluent.addConfluent(5, "JSON");
            SchemaRegistry registry = registry(RegistryFormat.CONFLUENT, confluent.url());
            List<Future<@Nullable String>> refusals = IntStream.range(0, 16)
                    .mapToObj(_ -> threads.<@Nullable String>submit(() -> registry.refusal(5)))
                    .toList();
            for (Future<@Nullable String> refusal : refusals) {
                assertThat(refusal.get()).isNull();
            }
            assertThat(confluent.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            401 | ''                       | status 401 to the request for schema 4. Check 'user' and 'password'.
            404 | <html>no such page       | status 404 to the request for schema 4. Check that 'url' is the address of a registry with the API of 'confluent'.
            404 | {"error_code":40401}     | status 404
            302 | ''                       | status 302
            500 | {"error_code":50001}     | status 500 to the request for schema 4. It is asked again.
            """)
    void shouldFailWithOtherResponses(int status, String body, String message) throws IOException {
        try (TestRegistry confluent = TestRegistry.confluent()) {
            confluent.respondTo("/schemas/ids/4", status, Map.of("Location", "/schemas/ids/6"), body);
            confluent.addConfluent(6, "JSON");
            SchemaRegistry registry = registry(RegistryFormat.CONFLUENT, confluent.url());
            for (int i = 1; i <= 2; i++) {
                assertThatThrownBy(() -> registry.refusal(4))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining(message);
                assertThat(confluent.requests()).hasSize(i);
            }
        }
    }

    /** A client whose timeout covers the headers only would wait forever, and with it the pipeline. */
    @Test
    void shouldNotWaitForABodyThatDoesNotEnd() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    Socket accepted = server.accept();
                    accepted.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            RegistryConnection connection = new RegistryConnection(
                    URI.create("http://127.0.0.1:" + server.getLocalPort()), null, null, Duration.ofSeconds(3));
            assertThatThrownBy(() -> new SchemaRegistry(RegistryFormat.CONFLUENT, connection).refusal(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(" has not responded within 3000 ms.");
        }
    }

    @Test
    void shouldSendTheUser() throws IOException {
        try (TestRegistry confluent = TestRegistry.confluent()) {
            confluent.addConfluent(9, "JSON");
            confluent.require("anna", "hush");
            RegistryConnection connection = Objects.requireNonNull(connection(confluent.url(), "anna", "hush"));
            assertThat(new SchemaRegistry(RegistryFormat.CONFLUENT, connection).refusal(9))
                    .isNull();
            assertThat(connection.toString()).doesNotContain("hush").doesNotContain("Basic");
            RegistryConnection other = Objects.requireNonNull(connection(confluent.url(), "anna", "guess"));
            assertThatThrownBy(() -> new SchemaRegistry(RegistryFormat.CONFLUENT, other).refusal(9))
                    .hasMessageContaining("status 401");
        }
    }

    @Test
    void shouldAcceptAllSchemasWithoutARegistry() throws IOException {
        SchemaPrefix confluent = new SchemaPrefix(RegistryFormat.CONFLUENT, null);
        assertThat(confluent.known(new byte[] {9, 0, 1, 2, 3, 4}, 1, 5)).isEqualTo(5);
        assertThat(confluent.read(new byte[] {9, 0, 1, 2, 3, 4}, 1, 5)).isEqualTo(5);
        SchemaPrefix apicurio = new SchemaPrefix(RegistryFormat.APICURIO, null);
        assertThat(apicurio.read(new byte[10], 0, 10)).isEqualTo(9);
        assertThat(apicurio.known(new byte[10], 0, 8)).isEqualTo(SchemaPrefix.NONE);
        assertThat(apicurio.read(new byte[10], 0, 8)).isEqualTo(SchemaPrefix.NONE);
        assertThat(apicurio.error())
                .isEqualTo("the message does not begin with the ID of a schema in the format 'apicurio': 0 and 8"
                        + " bytes");
        assertThat(confluent.read(new byte[] {1, 1, 2, 3, 4}, 0, 5)).isEqualTo(SchemaPrefix.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200, 65_536, Integer.MAX_VALUE})
    void shouldReadTheIdHighByteFirst(int id) throws IOException {
        try (TestRegistry confluent = TestRegistry.confluent()) {
            confluent.addConfluent(id, "JSON");
            SchemaPrefix prefix =
                    new SchemaPrefix(RegistryFormat.CONFLUENT, registry(RegistryFormat.CONFLUENT, confluent.url()));
            byte[] message = ByteBuffer.allocate(8).putInt(4, id).array();
            assertThat(prefix.known(message, 3, 5)).isEqualTo(SchemaPrefix.NONE);
            assertThat(prefix.read(message, 3, 5)).isEqualTo(5);
            assertThat(prefix.known(message, 3, 5)).isEqualTo(5);
            assertThat(confluent.requests()).containsExactly("/schemas/ids/" + id);
        }
    }

    @Test
    void shouldReportInvalidProperties() {
        connection("registry:8081", null, null);
        connection("http://anna:hush@registry:8081", null, null);
        connection("http://registry:8081", "anna", null);
        connection(null, "anna", "hush");
        assertThat(problems)
                .containsExactly(
                        "kafka.registry.url: Invalid URL. Use one without a user, such as http://registry:8081."
                                + " [invalid-address]",
                        "kafka.registry.url: Invalid URL. Use one without a user, such as http://registry:8081."
                                + " [invalid-address]",
                        "kafka.registry.password: Missing value: use both 'user' and 'password', or none of them."
                                + " [missing-value]",
                        "kafka.registry: 'user', 'password' and 'ssl-bundle' have no effect without 'url'."
                                + " [no-effect]");
        problems.clear();
        RegistryProperties none = new RegistryProperties(null, "http://a:1", null, null, "shop", Duration.ZERO);
        RegistryConnection.define(
                none, new PropertyCheck("kafka", new NoSettings(), (at, message) -> problems.add(at + ": " + message)));
        assertThat(problems)
                .containsExactly(
                        "kafka.registry.format: Missing value: confluent or apicurio. [missing-value]",
                        "kafka.registry.timeout: Invalid duration '0ms'. Use 1ms or more. [invalid-duration]",
                        "kafka.registry.ssl-bundle: An SSL bundle can't be used with 'http://a:1'. Use an address with"
                                + " https. [conflicting-properties]",
                        "kafka.registry.ssl-bundle: Unknown SSL bundle 'shop'. Define it under 'spring.ssl.bundle'."
                                + " [unknown-name]");
    }
}
