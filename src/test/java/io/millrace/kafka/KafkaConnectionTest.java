package io.millrace.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.binding.EnvironmentSettings;
import io.millrace.extension.PropertyCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.mock.env.MockEnvironment;

/** Which properties apply to a connection. Nothing connects. */
class KafkaConnectionTest {

    private static final Set<String> OWN = Set.of("group.id", "acks", "key.deserializer", "value.deserializer");

    private final MockEnvironment environment = new MockEnvironment();
    private final List<String> problems = new ArrayList<>();

    private @Nullable KafkaConnection define(
            ClientRole role, @Nullable String servers, Map<String, String> properties, @Nullable String sslBundle) {
        PropertyCheck check = new PropertyCheck(
                "kafka", new EnvironmentSettings(environment), (at, message) -> problems.add(at + ": " + message));
        return KafkaConnection.define(servers, properties, sslBundle, role, OWN, check);
    }

    private KafkaConnection connection(
            ClientRole role, @Nullable String servers, Map<String, String> properties, @Nullable String sslBundle) {
        KafkaConnection connection = define(role, servers, properties, sslBundle);
        assertThat(problems).isEmpty();
        return Objects.requireNonNull(connection);
    }

    private void application(String... properties) {
        for (String property : properties) {
            int equals = property.indexOf('=');
            environment.setProperty(property.substring(0, equals), property.substring(equals + 1));
        }
    }

    private void bundle(String name) {
        application("spring.ssl.bundle.jks." + name + ".options.enabled-protocols=TLSv1.3");
    }

    @Test
    void shouldBeThatOfTheApplicationWithoutAddresses() {
        application(
                "spring.kafka.bootstrap-servers=kafka-1:9092, kafka-2:9092",
                "spring.kafka.producer.bootstrap-servers=kafka-3:9092",
                "spring.kafka.security.protocol=SASL_SSL",
                "spring.kafka.properties.sasl.mechanism=PLAIN",
                "spring.kafka.properties.linger.ms=3",
                "spring.kafka.consumer.group-id=shop",
                "spring.kafka.consumer.fetch-max-wait=200ms",
                "spring.kafka.consumer.max-poll-records=7",
                "spring.kafka.producer.acks=0",
                "spring.kafka.producer.compression-type=lz4");
        KafkaConnection consumer = connection(ClientRole.CONSUMER, null, Map.of("max.poll.records", "9"), null);
        assertThat(consumer.bootstrapServers()).isEqualTo("kafka-1:9092,kafka-2:9092");
        assertThat(consumer.properties())
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry("fetch.max.wait.ms", "200")
                .containsEntry("max.poll.records", "9")
                .doesNotContainKeys("group.id", "linger.ms", "compression.type", "bootstrap.servers");
        KafkaConnection producer = connection(ClientRole.PRODUCER, " ", Map.of(), null);
        assertThat(producer.bootstrapServers()).isEqualTo("kafka-3:9092");
        assertThat(producer.properties())
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry("linger.ms", "3")
                .containsEntry("compression.type", "lz4")
                .doesNotContainKeys("acks", "fetch.max.wait.ms");
    }

    /** Otherwise, the secrets of one cluster would be sent to another. */
    @Test
    void shouldNotUseThoseOfTheApplicationWithAddresses() {
        application("spring.kafka.bootstrap-servers=kafka-1:9092", "spring.kafka.properties.sasl.mechanism=PLAIN");
        KafkaConnection connection =
                connection(ClientRole.CONSUMER, "other:9092", Map.of("fetch.min.bytes", "9"), null);
        assertThat(connection).isEqualTo(new KafkaConnection("other:9092", Map.of("fetch.min.bytes", "9")));
    }

    /** Spring Boot always sets it, to read messages of transactions that are aborted. */
    @Test
    void shouldNotUseTheIsolationLevelOfTheApplication() {
        application("spring.kafka.bootstrap-servers=kafka-1:9092");
        assertThat(connection(ClientRole.CONSUMER, null, Map.of(), null).properties())
                .isEmpty();
        application("spring.kafka.consumer.isolation-level=read-uncommitted");
        assertThat(connection(ClientRole.CONSUMER, null, Map.of(), null).properties())
                .isEmpty();
    }

    /** Spring Boot's default is a broker on the same machine. */
    @Test
    void shouldRequireAddresses() {
        application("spring.kafka.consumer.max-poll-records=7", "spring.kafka.producer.bootstrap-servers=kafka:9092");
        assertThat(define(ClientRole.CONSUMER, null, Map.of(), null)).isNull();
        assertThat(problems)
                .containsExactly("kafka.bootstrap-servers: Missing value: the addresses of brokers, such as"
                        + " kafka-1:9092. [missing-value]");
    }

    @Test
    void shouldReportValuesOfTheApplicationThatAreInvalid() {
        application("spring.kafka.bootstrap-servers=kafka:9092", "spring.kafka.consumer.max-poll-records=many");
        assertThat(define(ClientRole.CONSUMER, null, Map.of(), null)).isNull();
        assertThat(problems.getFirst())
                .startsWith("kafka.bootstrap-servers: Invalid property 'spring.kafka.consumer.max-poll-records'")
                .contains("many");
    }

    @Test
    void shouldUseSslBundles() {
        bundle("shop");
        bundle("orders");
        application("spring.kafka.bootstrap-servers=kafka:9092", "spring.kafka.ssl.bundle=shop");
        KafkaConnection shop = connection(ClientRole.CONSUMER, null, Map.of(), null);
        assertThat(shop.settings(Map.of()))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("ssl.engine.factory.class", SslBundleSslEngineFactory.class)
                .containsEntry(SslBundle.class.getName(), Objects.requireNonNull(shop.sslBundle()));
        KafkaConnection own = connection(ClientRole.CONSUMER, null, Map.of("security.protocol", "SASL_SSL"), "orders");
        assertThat(own.sslBundle()).isNotNull().isNotEqualTo(shop.sslBundle());
        assertThat(own.adminSettings("id", Duration.ofSeconds(1)))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry(SslBundle.class.getName(), own.sslBundle());
    }

    /** Otherwise, a truststore of the application would seem to apply. */
    @Test
    void shouldReplaceTheTlsOfTheApplicationByAnSslBundle() {
        bundle("orders");
        application(
                "spring.kafka.bootstrap-servers=kafka:9092",
                "spring.kafka.security.protocol=SSL",
                "spring.kafka.ssl.trust-store-location=file:/shop.p12",
                "spring.kafka.ssl.trust-store-password=secret");
        assertThat(connection(ClientRole.CONSUMER, null, Map.of(), null).properties())
                .containsKeys("ssl.truststore.location", "ssl.truststore.password");
        assertThat(connection(ClientRole.CONSUMER, null, Map.of(), "orders").properties())
                .isEqualTo(Map.of("security.protocol", "SSL"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            order  |                         |           | ssl-bundle: Unknown SSL bundle 'order'. Did you mean 'orders'? Define it under 'spring.ssl.bundle'. [unknown-name]
            orders | security.protocol       | PLAINTEXT | ssl-bundle: An SSL bundle can't be used with 'security.protocol: PLAINTEXT'. Use SSL or SASL_SSL. [conflicting-properties]
            orders | ssl.truststore.location | /a.p12    | properties: 'ssl.truststore.location' has no effect with an SSL bundle. Set it in the bundle, and remove it here. [no-effect]
            """)
    void shouldReportWhatAnSslBundleCannotBeUsedWith(
            String bundle, @Nullable String name, @Nullable String value, String problem) {
        bundle("orders");
        define(ClientRole.CONSUMER, "a:1", name == null ? Map.of() : Map.of(name, String.valueOf(value)), bundle);
        assertThat(problems).containsExactly("kafka." + problem);
    }

    @Test
    void shouldReportAnUnknownSslBundleOfTheApplication() {
        application("spring.kafka.bootstrap-servers=kafka:9092", "spring.kafka.ssl.bundle=shop");
        define(ClientRole.PRODUCER, null, Map.of(), null);
        assertThat(problems).singleElement().asString().contains("Unknown SSL bundle 'shop'");
    }
}
