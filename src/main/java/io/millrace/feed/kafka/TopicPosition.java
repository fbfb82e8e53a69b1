package io.millrace.feed.kafka;

import io.millrace.feed.FeedChangedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The identity of what was read of a partition, as it is stored with a commit:
 *
 * <pre>
 * kafka topic=trades partition=3 id=0YV1tGq1Tb2o8C3LQ2b5zw start=17 epoch=5
 * </pre>
 *
 * @param id of the topic
 * @param start offset at which reading began; {@link #UNKNOWN} if the topic does not have the partition yet
 * @param epoch epoch of the leader that belongs to the position, by which a broker detects that it does not have the
 *     messages before it (KIP-320): that of the next message, or of the last one if there was no next one;
 *     {@link #UNKNOWN} if nothing was read
 */
record TopicPosition(TopicPartition partition, String id, long start, int epoch) {

    static final int UNKNOWN = -1;

    private static final String KIND = "kafka";

    /**
     * Returns the identity of a text.
     *
     * @throws FeedChangedException if it is that of another feed
     */
    static TopicPosition parse(String text) throws FeedChangedException {
        Map<String, String> values = new HashMap<>();
        List<String> words = List.of(text.split(" ", -1));
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            values.put(word.substring(0, Math.max(0, equals)), word.substring(equals + 1));
        }
        String topic = values.get("topic");
        String id = values.get("id");
        if (!words.getFirst().equals(KIND) || topic == null || id == null) {
            throw new FeedChangedException("The feed is a topic of Kafka, but this pipeline read: " + text + ".");
        }
        return new TopicPosition(
                new TopicPartition(topic, Integer.parseInt(values.getOrDefault("partition", "0"))),
                id,
                Long.parseLong(values.getOrDefault("start", "0")),
                Integer.parseInt(values.getOrDefault("epoch", "-1")));
    }

    @Override
    public String toString() {
        return KIND + " topic=" + partition.topic() + " partition=" + partition.partition() + " id=" + id + " start="
                + start + " epoch=" + epoch;
    }
}
