package io.millrace.output.kafka;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import io.millrace.kafka.KafkaConnection;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputFactory;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/** Outputs that are topics of Kafka. */
public final class KafkaOutputFactory implements OutputFactory<KafkaOutputProperties> {

    /** Properties of the producer on which the order of records and exactly once depend. */
    private static final Set<String> OWN = Set.of(
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.CLIENT_ID_CONFIG,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            ProducerConfig.RETRIES_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);

    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Class<KafkaOutputProperties> propertiesType() {
        return KafkaOutputProperties.class;
    }

    @Override
    public @Nullable OutputDefinition define(KafkaOutputProperties properties, PropertyCheck check) {
        String topic = properties.topic();
        if (topic == null || topic.isBlank()) {
            check.problem(MISSING_VALUE, "topic", "Missing value: the name of a topic.");
        } else if (!TOPIC.matcher(topic).matches() || topic.matches("\\.{1,2}")) {
            check.problem(
                    INVALID_NAME,
                    "topic",
                    "Invalid topic name '" + topic + "'. Use up to 249 letters, digits and . _ - only.");
        }
        String key = properties.key();
        if (key != null && key.isBlank()) {
            check.problem(
                    MISSING_VALUE, "key", "Missing value: an expression. Remove 'key' for messages without keys.");
        } else if (key != null && properties.format() == KafkaFormat.BATCH) {
            check.problem(
                    CONFLICTING_PROPERTIES,
                    "key",
                    "'key' can't be used with 'format: batch', whose messages contain several records."
                            + " Use format: record, or remove 'key'.");
        }
        KafkaConnection connection = KafkaConnection.define(
                properties.bootstrapServers(), properties.properties(), OWN, ProducerConfig.configDef(), check);
        return connection == null || topic == null
                ? null
                : new KafkaOutput(
                        connection,
                        new MessageForm(topic, key == null || key.isBlank() ? null : key, properties.format()));
    }
}
