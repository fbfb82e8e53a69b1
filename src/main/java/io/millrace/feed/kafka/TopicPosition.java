package io.millrace.feed.kafka;

import io.millrace.feed.FeedChangedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
 * @param epoch epoch of the leader that wrote the last record before the position, by which a broker detects that a
 *     later leader does not have it (KIP-320); {@link #UNKNOWN} if nothing was read
 */
record TopicPosition(TopicPartition partition, String id, long start, int epoch) {

    static final int UNKNOWN = -1;

    private static final Pattern TEXT =
            Pattern.compile("kafka topic=(\\S+) partition=(\\d+) id=(\\S+) start=(-?\\d+) epoch=(-?\\d+)");

    /**
     * Returns the identity of a text.
     *
     * @throws FeedChangedException if it is that of another feed
     */
    static TopicPosition parse(String text) throws FeedChangedException {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw new FeedChangedException("The feed is a topic of Kafka, but this pipeline read: " + text + ".");
        }
        return new TopicPosition(
                new TopicPartition(found.group(1), Integer.parseInt(found.group(2))),
                found.group(3),
                Long.parseLong(found.group(4)),
                Integer.parseInt(found.group(5)));
    }

    @Override
    public String toString() {
        return "kafka topic=" + partition.topic() + " partition=" + partition.partition() + " id=" + id + " start="
                + start + " epoch=" + epoch;
    }
}
