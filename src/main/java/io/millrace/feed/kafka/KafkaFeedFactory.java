package io.millrace.feed.kafka;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.kafka.field.FieldsCheck;
import io.millrace.feed.kafka.registry.SchemaPrefix;
import io.millrace.kafka.ClientRole;
import io.millrace.kafka.KafkaConnection;
import io.millrace.kafka.TopicName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/** Feeds of the records of Kafka topics. */
public final class KafkaFeedFactory implements FeedFactory<KafkaFeedProperties> {

    /** Properties of the consumer that decide which records are read, and in which form. */
    private static final Set<String> OWN = Set.of(
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.CLIENT_ID_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Class<KafkaFeedProperties> propertiesType() {
        return KafkaFeedProperties.class;
    }

    @Override
    public @Nullable FeedDefinition define(KafkaFeedProperties properties, FeedCheck check) {
        KafkaConnection connection = KafkaConnection.define(
                properties.bootstrapServers(),
                properties.properties(),
                properties.sslBundle(),
                ClientRole.CONSUMER,
                OWN,
                check);
        boolean named = checkTopics(properties.topics(), check);
        StartOffset start = StartOffset.parse(properties.start());
        if (start == null) {
            check.problem(
                    INVALID_VALUE,
                    "start",
                    "Invalid value '" + properties.start()
                            + "'. Use earliest, latest, or an instant such as 2026-01-31T00:00:00Z.");
        }
        properties.framingProperties().check(check);
        FieldsCheck.check(properties.fields(), check);
        SchemaPrefix.Source prefix = SchemaPrefix.Source.define(properties.registry(), check);
        return connection == null || !named || start == null
                ? null
                : new KafkaFeedDefinition(properties, connection, start, prefix);
    }

    /** Returns whether there are names. */
    private static boolean checkTopics(List<String> topics, FeedCheck check) {
        if (topics.isEmpty()) {
            check.problem(MISSING_VALUE, "topics", "Missing value: the name of a topic, or a list of them.");
            return false;
        }
        topics.forEach(topic -> TopicName.check(topic, "topics", check));
        Set<String> known = new HashSet<>();
        topics.stream()
                .filter(topic -> !known.add(topic))
                .distinct()
                .forEach(topic -> check.problem(
                        CONFLICTING_PROPERTIES, "topics", "Duplicate topic '" + topic + "'. Remove one."));
        return true;
    }
}
