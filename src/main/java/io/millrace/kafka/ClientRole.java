package io.millrace.kafka;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;

/** What a client of Kafka does, which decides about its properties. */
public enum ClientRole {
    /** Reads messages. */
    CONSUMER,
    /** Writes messages. */
    PRODUCER;

    /** Returns all properties of the client. */
    ConfigDef known() {
        return switch (this) {
            case CONSUMER -> ConsumerConfig.configDef();
            case PRODUCER -> ProducerConfig.configDef();
        };
    }

    /** Returns the properties of Spring Boot that have the addresses of brokers; the first that is set applies. */
    List<String> springServers() {
        return List.of(
                KafkaDefaults.PREFIX + "." + name().toLowerCase(Locale.ROOT) + ".bootstrap-servers",
                KafkaDefaults.PREFIX + ".bootstrap-servers");
    }

    /** Returns the properties of the client. */
    Map<String, Object> values(KafkaProperties properties) {
        return switch (this) {
            case CONSUMER -> properties.buildConsumerProperties();
            case PRODUCER -> properties.buildProducerProperties();
        };
    }

    /** Returns the name of the SSL bundle; null for none. */
    @Nullable
    String sslBundle(KafkaProperties properties) {
        KafkaProperties.Ssl own = switch (this) {
            case CONSUMER -> properties.getConsumer().getSsl();
            case PRODUCER -> properties.getProducer().getSsl();
        };
        return own.getBundle() == null ? properties.getSsl().getBundle() : own.getBundle();
    }

    /** Returns the connection of the client. */
    KafkaConnectionDetails.Configuration connection(KafkaConnectionDetails details) {
        return switch (this) {
            case CONSUMER -> details.getConsumer();
            case PRODUCER -> details.getProducer();
        };
    }
}
