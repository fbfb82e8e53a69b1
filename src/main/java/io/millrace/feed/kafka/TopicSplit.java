package io.millrace.feed.kafka;

import io.millrace.feed.Split;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The partition of a topic that a partition of the pipeline reads. The topics take turns: with three of them,
 * partitions 0, 1 and 2 of the pipeline read partition 0 of each, 3, 4 and 5 partition 1, and so on. So the pipeline
 * can have more partitions later, and those before still read the same.
 *
 * @param topics number of topics
 */
record TopicSplit(int topics, Split split) {

    /** Returns the index of the topic. */
    int topic() {
        return split.index() % topics;
    }

    /** Returns the partition of its topic. */
    TopicPartition partitionOf(String name) {
        return new TopicPartition(name, split.index() / topics);
    }

    /** Returns the number of partitions of the topic that the pipeline can read. */
    int partitions() {
        return (split.count() - topic() + topics - 1) / topics;
    }

    /** Returns why the pipeline can't read a topic with so many partitions, or null if it can. */
    @Nullable
    String refusal(String name, int partitionsOfTopic) {
        return partitionsOfTopic <= partitions()
                ? null
                : "Topic '" + name + "' has " + partitionsOfTopic + " partitions, but the pipeline has " + partitions()
                        + " for it. Set partitions: " + Math.multiplyExact(partitionsOfTopic, topics)
                        + ", or more if partitions may be added to the topic.";
    }
}
