package io.millrace.output.kafka;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import io.millrace.kafka.ClientRole;
import io.millrace.kafka.KafkaConnection;
import io.millrace.kafka.TopicName;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputFactory;
import java.util.Set;
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
        TopicName.check(topic, "topic", check);
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
                properties.bootstrapServers(),
                properties.properties(),
                properties.sslBundle(),
                ClientRole.PRODUCER,
                OWN,
                check);
        return connection == null || topic == null
                ? null
                : new KafkaOutput(
                        connection,
                        new MessageForm(topic, key == null || key.isBlank() ? null : key, properties.format()));
    }
}
