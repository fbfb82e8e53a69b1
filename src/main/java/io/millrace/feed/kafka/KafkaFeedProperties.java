package io.millrace.feed.kafka;

import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.framing.FramingProperties;
import io.millrace.feed.framing.LengthPrefixProperties;
import io.millrace.feed.kafka.registry.RegistryProperties;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a feed of a Kafka topic.
 *
 * @param bootstrapServers addresses of some brokers, HOST:PORT, separated by commas. Without them, the connection is
 *     that of spring.kafka or of a bean, with the properties set here
 * @param topics names of the topics
 * @param start position at which a pipeline begins that has no position yet: earliest, latest, or an instant such as
 *     2026-01-31T00:00:00Z for the first message with this timestamp or a later one
 * @param framing way in which the value of a message is split into records; without it, the value is one record
 * @param lengthPrefix length before each record, with framing: length-prefixed
 * @param delimiter bytes after each record, with framing: delimited; each character is one byte
 * @param fields last fields of the schema, each with the part of a message that it has: offset, partition, timestamp,
 *     topic, key, key-bytes, header:NAME, header-bytes:NAME or tombstone. The value has the bytes of the fields before
 *     them
 * @param onRemoved action if the broker has removed messages that were not read yet
 * @param group name of a consumer group whose offsets show other tools how far the feed has been read; none by default.
 *     The feed does not read them
 * @param direct whether messages are read where the response of a broker has them. Otherwise, and with versions of
 *     Kafka's client that this is not known to work with, Kafka's consumer reads them, which takes longer
 * @param properties properties of Kafka's consumer, such as those of SASL and TLS
 * @param sslBundle name of an SSL bundle under spring.ssl.bundle, for TLS
 * @param registry schema registry whose IDs stand before the values of messages; none by default
 */
public record KafkaFeedProperties(
        @Nullable String bootstrapServers,
        @DefaultValue List<String> topics,
        @DefaultValue("earliest") String start,
        @Nullable FramingKind framing,
        @Nullable LengthPrefixProperties lengthPrefix,
        @Nullable String delimiter,
        @DefaultValue Map<String, String> fields,
        @DefaultValue("fail") OnRemoved onRemoved,
        @Nullable String group,
        @DefaultValue("true") boolean direct,
        @DefaultValue Map<String, String> properties,
        @Nullable String sslBundle,
        @Nullable RegistryProperties registry) {

    /** What a pipeline does if messages were removed before it read them. */
    public enum OnRemoved {
        /** The pipeline fails. */
        FAIL,
        /** The pipeline continues at the first message that is left, and counts the others. */
        CONTINUE
    }

    FramingProperties framingProperties() {
        return new FramingProperties(framing, lengthPrefix, delimiter);
    }

    /** Returns a text without the properties of the consumer, which can contain secrets. */
    @Override
    public String toString() {
        return "kafka[bootstrapServers=" + bootstrapServers + ", topics=" + topics + "]";
    }
}
