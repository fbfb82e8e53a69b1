package io.millrace.output.kafka;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of an output that is a topic of Kafka.
 *
 * @param bootstrapServers addresses of some brokers, {@code HOST:PORT}, separated by commas. Without them, the
 *     connection is that of spring.kafka or of a bean, with the properties set here
 * @param topic name of the topic, which exists
 * @param key expression for the key of the message of a record; null for messages without keys
 * @param format what the value of a message contains
 * @param properties properties of Kafka's producer, such as those of SASL and TLS
 * @param sslBundle name of an SSL bundle under spring.ssl.bundle, for TLS
 */
public record KafkaOutputProperties(
        @Nullable String bootstrapServers,
        @Nullable String topic,
        @Nullable String key,
        @DefaultValue("json") KafkaFormat format,
        @DefaultValue Map<String, String> properties,
        @Nullable String sslBundle) {}
