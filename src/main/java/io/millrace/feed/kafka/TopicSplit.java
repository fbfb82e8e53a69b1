package io.millrace.feed.kafka;

import io.millrace.feed.Split;

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

    /** Returns the number of the partition. */
    int partition() {
        return split.index() / topics;
    }

    /** Returns the number of partitions of the topic that the pipeline can read. */
    int partitions() {
        return (split.count() - topic() + topics - 1) / topics;
    }

    /** Returns the number of partitions that the pipeline needs for topics with so many. */
    int needed(int partitionsOfTopic) {
        return Math.multiplyExact(partitionsOfTopic, topics);
    }
}
