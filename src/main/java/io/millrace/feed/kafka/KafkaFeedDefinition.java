package io.millrace.feed.kafka;

import io.millrace.extension.ConnectionCheck;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedEnd;
import io.millrace.feed.kafka.KafkaFeedProperties.OnRemoved;
import io.millrace.kafka.KafkaConnection;
import io.millrace.kafka.TopicProbe;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.Objects;

/** A feed of a Kafka topic. Each partition of the pipeline reads the topic's partition of the same number. */
final class KafkaFeedDefinition implements FeedDefinition {

    /** More than most topics have, so that partitions can be added to the topic. One that is missing costs nothing. */
    private static final int PARTITIONS = 16;

    private final KafkaFeedProperties properties;
    private final KafkaSource source;

    KafkaFeedDefinition(KafkaFeedProperties properties, KafkaConnection connection, StartOffset start) {
        this.properties = properties;
        this.source = new KafkaSource(
                connection,
                new Topic(connection, Objects.requireNonNull(properties.topic())),
                start,
                properties.onRemoved() == OnRemoved.CONTINUE,
                properties.group(),
                properties.direct());
    }

    @Override
    public FeedEnd end() {
        return FeedEnd.NEVER;
    }

    @Override
    public String describe() {
        return "topic " + source.topic().name() + " of " + source.connection();
    }

    @Override
    public void check(Schema schema, FeedCheck check) {
        properties.framingProperties().check(schema, check);
    }

    @Override
    public boolean splittable(Schema schema) {
        return true;
    }

    @Override
    public int partitions() {
        return PARTITIONS;
    }

    @Override
    public void connect(int partitions, ConnectionCheck check) throws IOException {
        new TopicProbe(source.connection(), source.topic().name(), check).read(partitions, source.group());
    }

    @Override
    public Feed create(FeedContext context) {
        MessageBuffer buffer = new MessageBuffer(
                context.schema(),
                properties.framing() == null
                        ? null
                        : properties.framingProperties().rule(),
                context.batchRecords());
        return new KafkaFeed(source, context.split(), buffer, context.batchRecords());
    }
}
