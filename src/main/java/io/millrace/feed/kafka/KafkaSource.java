package io.millrace.feed.kafka;

import io.millrace.kafka.KafkaConnection;
import org.jspecify.annotations.Nullable;

/**
 * What a feed reads. All partitions of a pipeline share it.
 *
 * @param topic the topic, as brokers describe it
 * @param start where a pipeline begins that has no position
 * @param continuesAfterRemoval whether to continue if messages were removed before they were read
 * @param group consumer group that shows the position to other tools; null for none
 * @param direct whether the responses of brokers are read where they are, if Kafka's client is known to allow it
 */
record KafkaSource(
        KafkaConnection connection,
        Topic topic,
        StartOffset start,
        boolean continuesAfterRemoval,
        @Nullable String group,
        boolean direct) {}
