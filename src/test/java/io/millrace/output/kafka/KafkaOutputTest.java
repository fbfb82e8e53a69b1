package io.millrace.output.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.extension.PropertyCheck;
import io.millrace.output.OutputDefinition;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.reject.Reject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The properties of an output that is a topic, and which records it can hold. */
class KafkaOutputTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final String BROKERS = "localhost:9092";

    private final List<String> problems = new ArrayList<>();
    private final PropertyCheck check =
            new PropertyCheck("outputs.alerts.kafka", (path, message) -> problems.add(path + ": " + message));

    private @Nullable OutputDefinition define(
            @Nullable String topic, @Nullable String key, KafkaFormat format, Map<String, String> properties) {
        return new KafkaOutputFactory()
                .define(new KafkaOutputProperties(BROKERS, topic, key, format, properties, null), check);
    }

    private void check(KafkaFormat format, @Nullable String key, Schema schema) {
        Objects.requireNonNull(define("alerts", key, format, Map.of())).check(schema, check);
    }

    @Test
    void shouldDescribeItselfWithoutSecrets() {
        OutputDefinition output = define(
                "alerts",
                "id",
                KafkaFormat.JSON,
                Map.of("sasl.jaas.config", "password=secret", "compression.type", "lz4", "linger.ms", "5"));
        assertThat(problems).isEmpty();
        assertThat(output).isNotNull();
        assertThat(Objects.requireNonNull(output).describe()).isEqualTo("topic alerts of localhost:9092");
        assertThat(String.valueOf(output)).doesNotContain("secret");
    }

    @Test
    void shouldBeTheSamePlaceWithTheSameProperties() {
        assertThat(define("alerts", "id", KafkaFormat.JSON, Map.of()))
                .isEqualTo(define("alerts", "id", KafkaFormat.JSON, Map.of()))
                .isNotEqualTo(define("others", "id", KafkaFormat.JSON, Map.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            |            | JSON  | topic: Missing value: the name of a topic. [missing-value]
            a b |        | JSON  | topic: Invalid topic name 'a b'. Use up to 249 letters, digits and . _ - only. [invalid-name]
            ..  |        | JSON  | topic: Invalid topic name '..'. Use up to 249 letters, digits and . _ - only. [invalid-name]
            a   | id     | BATCH | key: 'key' can't be used with 'format: batch', whose messages contain several records. Use format: record, or remove 'key'. [conflicting-properties]
            a   | " "    | JSON  | key: Missing value: an expression. Remove 'key' for messages without keys. [missing-value]
            """)
    void shouldRefuseInvalidProperties(
            @Nullable String topic, @Nullable String key, KafkaFormat format, String problem) {
        define(topic, key, format, Map.of());
        assertThat(problems).singleElement().isEqualTo("outputs.alerts.kafka." + problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            acks                | 1    | 'acks' is set by Millrace. Remove it from 'properties'. [no-effect]
            transactional.id    | mine | 'transactional.id' is set by Millrace. Remove it from 'properties'. [no-effect]
            enable.idempotence  | no   | 'enable.idempotence' is set by Millrace. Remove it from 'properties'. [no-effect]
            max.in.flight.requests.per.connection | 7 | 'max.in.flight.requests.per.connection' is set by Millrace. Remove it from 'properties'. [no-effect]
            value.serializer    | x.Y  | 'value.serializer' is set by Millrace. Remove it from 'properties'. [no-effect]
            group.id            | mine | Unknown property 'group.id' of Kafka's client. Remove it. [invalid-value]
            linger.ms           | soon | Invalid value soon for configuration linger.ms: Not a number of type LONG. [invalid-value]
            compression.type    | zip  | Invalid value zip for configuration compression.type: String must be one of: none, gzip, snappy, lz4, zstd. [invalid-value]
            """)
    void shouldRefuseInvalidPropertiesOfTheProducer(String name, String value, String problem) {
        define("alerts", null, KafkaFormat.JSON, Map.of(name, value));
        assertThat(problems).singleElement().isEqualTo("outputs.alerts.kafka.properties: " + problem);
    }

    @Test
    void shouldRequireAddresses() {
        assertThat(new KafkaOutputFactory()
                        .define(
                                new KafkaOutputProperties(null, "alerts", null, KafkaFormat.JSON, Map.of(), null),
                                check))
                .isNull();
        assertThat(problems).singleElement().asString().contains("bootstrap-servers: Missing value");
    }

    @Test
    void shouldReportAnInvalidKeyWithItsPlace() {
        check(KafkaFormat.JSON, "currency3", TRADE);
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("outputs.alerts.kafka.key: ")
                .contains("currency3\n  ^");
        problems.clear();
        check(KafkaFormat.JSON, "exchangeRate", TRADE);
        assertThat(problems).singleElement().asString().contains("can't be used as a key");
        problems.clear();
        check(KafkaFormat.JSON, "currency1 + id", TRADE);
        assertThat(problems).hasSize(1);
    }

    private static Schema compact() {
        return SchemaReader.read("order.yml", """
                schema: order
                layout: compact
                fields:
                  - { name: id, type: i64 }
                  - { name: note, type: string, length: 20 }
                """.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldRefuseFormatsThatCannotHoldTheRecords() {
        check(KafkaFormat.RECORD, "id", compact());
        check(KafkaFormat.JSON, "id", compact());
        check(KafkaFormat.BATCH, null, TRADE);
        assertThat(problems).isEmpty();

        check(KafkaFormat.BATCH, null, compact());
        assertThat(problems)
                .singleElement()
                .isEqualTo("outputs.alerts.kafka.format: Records of the layout 'compact' vary in length."
                        + " Use format: record or json. [schema-mismatch]");

        problems.clear();
        check(KafkaFormat.DEAD_LETTER, "reason", Reject.SCHEMA);
        assertThat(problems).isEmpty();
        check(KafkaFormat.DEAD_LETTER, null, TRADE);
        assertThat(problems)
                .singleElement()
                .isEqualTo(
                        "outputs.alerts.kafka.format: Only rejects can be written as dead-letter. Use another format."
                                + " [schema-mismatch]");
    }
}
