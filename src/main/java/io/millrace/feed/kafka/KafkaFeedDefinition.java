package io.millrace.feed.kafka;

import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.Split;
import io.millrace.feed.kafka.KafkaFeedProperties.OnRemoved;
import io.millrace.feed.kafka.field.FieldsCheck;
import io.millrace.feed.kafka.field.MessageFields;
import io.millrace.feed.kafka.registry.SchemaPrefix;
import io.millrace.kafka.KafkaConnection;
import io.millrace.kafka.TopicProbe;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A feed of Kafka topics. Each partition of the pipeline reads {@linkplain TopicSplit one} of a topic. */
final class KafkaFeedDefinition implements FeedDefinition {

    /** More than most topics have, so that partitions can be added to the topic. One that is missing costs nothing. */
    private static final int PARTITIONS = 16;

    private final KafkaFeedProperties properties;
    private final KafkaConnection connection;
    private final List<KafkaSource> sources;
    private final SchemaPrefix.@Nullable Source prefix;

    /** @param prefix what stands before the values of messages; null for nothing */
    KafkaFeedDefinition(
            KafkaFeedProperties properties,
            KafkaConnection connection,
            StartOffset start,
            SchemaPrefix.@Nullable Source prefix) {
        this.properties = properties;
        this.prefix = prefix;
        this.connection = connection;
        this.sources = properties.topics().stream()
                .map(topic -> new KafkaSource(
                        connection,
                        new Topic(connection, topic),
                        start,
                        properties.onRemoved() == OnRemoved.CONTINUE,
                        properties.group(),
                        properties.direct()))
                .toList();
    }

    @Override
    public FeedEnd end() {
        return FeedEnd.NEVER;
    }

    @Override
    public String describe() {
        return (sources.size() == 1 ? "topic " : "topics ") + String.join(", ", properties.topics()) + " of "
                + connection;
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        properties.framingProperties().check(schema, check);
        FieldsCheck.check(properties.fields(), schema, check);
    }

    @Override
    public boolean splittable(Schema schema) {
        return true;
    }

    /** {@inheritDoc} Producers send messages with the same key to the same partition. */
    @Override
    public Set<String> splitBy(Schema schema) {
        return sources.size() == 1 ? FieldsCheck.keys(properties.fields(), schema) : Set.of();
    }

    /** {@inheritDoc} One for each topic. */
    @Override
    public int leastPartitions() {
        return sources.size();
    }

    @Override
    public int partitions() {
        return Math.multiplyExact(PARTITIONS, sources.size());
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) throws IOException {
        for (int i = 0; i < sources.size(); i++) {
            TopicSplit split = new TopicSplit(sources.size(), new Split(i, partitions));
            String topic = sources.get(i).topic().name();
            String group = i == 0 ? properties.group() : null;
            new TopicProbe(connection, topic, check)
                    .read(sources.size() > 1, count -> split.refusal(topic, count), group);
        }
        if (prefix != null) {
            prefix.connect(check);
        }
    }

    @Override
    public Feed create(FeedContext context) {
        TopicSplit split = new TopicSplit(sources.size(), context.split());
        KafkaSource source = sources.get(split.topic());
        MessageBuffer buffer = new MessageBuffer(
                context.schema(),
                properties.framing() == null
                        ? null
                        : properties.framingProperties().rule(),
                new MessageFields(
                        context.schema(),
                        properties.fields(),
                        split.partitionOf(source.topic().name())),
                prefix == null ? null : prefix.create(),
                context.batchRecords());
        return new KafkaFeed(source, split, buffer, context.batchRecords());
    }
}
