package io.millrace.feed.kafka;

import io.millrace.codec.Counter;
import io.millrace.feed.FeedChangedException;
import io.millrace.kafka.KafkaConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the messages of a partition, one after the other, by a consumer of Kafka's client. Every failure of the
 * client is an {@link IOException}. Not thread-safe, except for {@link #lag()} and {@link #removed()}.
 */
final class PartitionConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionConsumer.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** For so long without a record and without a connection, it is assumed that one is being established. */
    private static final long CONNECT_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long GROUP_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaSource source;
    private final TopicPartition partition;
    private final int maxMessages;
    private final Counter removed = new Counter();
    private @Nullable KafkaConsumer<byte[], ByteBuffer> consumer;
    private @Nullable Metric connections;
    private Iterator<ConsumerRecord<byte[], ByteBuffer>> fetched =
            List.<ConsumerRecord<byte[], ByteBuffer>>of().iterator();
    private @Nullable ConsumerRecord<byte[], ByteBuffer> next;
    /** Number of messages that were fetched and not taken. */
    private int unread;
    /** Number of messages that were not fetched. */
    private long behind;

    private long heardNanos;
    private long groupPosition = TopicPosition.UNKNOWN;
    private long groupNanos;
    private volatile long lag;

    /** @param maxMessages number of messages that are fetched at a time at most */
    PartitionConsumer(KafkaSource source, TopicPartition partition, int maxMessages) {
        this.source = source;
        this.partition = partition;
        this.maxMessages = maxMessages;
    }

    /**
     * Connects at the first offset of a pipeline that has no position.
     *
     * @return the offset
     */
    long openAt(StartOffset start) throws IOException {
        try {
            long offset = start.of(connect(), partition, TIMEOUT);
            seek(offset, TopicPosition.UNKNOWN);
            return offset;
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    /**
     * Connects at an offset.
     *
     * @param epoch epoch of the leader that wrote the message before it, or {@link TopicPosition#UNKNOWN}
     * @throws FeedChangedException if the broker has removed the message, and the pipeline fails in this case
     */
    void open(long offset, int epoch) throws IOException {
        try {
            connect();
            seek(offset, epoch);
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    private KafkaConsumer<byte[], ByteBuffer> connect() {
        KafkaConsumer<byte[], ByteBuffer> connected =
                new KafkaConsumer<>(source.connection().settings(settings()), new Bytes.Skipped(), new Bytes());
        consumer = connected;
        connected.assign(List.of(partition));
        connections = connected.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("connection-count")
                        && metric.getKey().group().equals("consumer-metrics"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        fetched = List.<ConsumerRecord<byte[], ByteBuffer>>of().iterator();
        next = null;
        heardNanos = System.nanoTime();
        return connected;
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxMessages);
        settings.putAll(source.connection().properties());
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-" + partition);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        if (source.group() != null) {
            settings.put(ConsumerConfig.GROUP_ID_CONFIG, source.group());
        }
        return settings;
    }

    private void seek(long offset, int epoch) throws FeedChangedException {
        KafkaConsumer<byte[], ByteBuffer> connected = consumer();
        long earliest = StartOffset.earliest(connected, partition, TIMEOUT);
        if (offset < earliest) {
            requireContinuation(offset, earliest);
            LOG.warn(
                    "Messages were removed before they were read: partition={} from={} to={}",
                    partition,
                    offset,
                    earliest);
            removed.add(earliest - offset);
            connected.seek(partition, earliest);
        } else {
            Optional<Integer> lastEpoch = epoch == TopicPosition.UNKNOWN ? Optional.empty() : Optional.of(epoch);
            connected.seek(partition, new OffsetAndMetadata(offset, lastEpoch, ""));
        }
    }

    private void requireContinuation(long offset, long earliest) throws FeedChangedException {
        if (!source.continuesAfterRemoval()) {
            throw new FeedChangedException("Messages " + offset + " to " + (earliest - 1) + " of partition "
                    + partition.partition() + " of topic '" + partition.topic()
                    + "' were removed before they were read. Set on-removed: continue to read what is left.");
        }
    }

    private KafkaConsumer<byte[], ByteBuffer> consumer() {
        return Objects.requireNonNull(consumer, "The feed is not open.");
    }

    /** Returns the next message, without taking it; null if none is fetched. */
    @Nullable
    ConsumerRecord<byte[], ByteBuffer> peek() {
        if (next == null && fetched.hasNext()) {
            next = fetched.next();
        }
        return next;
    }

    /** Takes the next message. */
    void take() {
        next = null;
        unread--;
        lag = behind + unread;
    }

    /**
     * Fetches further messages. Must be called only if all have been taken.
     *
     * @param maxWait maximum time to wait for the first one
     */
    void fetch(Duration maxWait) throws IOException {
        KafkaConsumer<byte[], ByteBuffer> connected = consumer();
        try {
            ConsumerRecords<byte[], ByteBuffer> records = connected.poll(maxWait);
            fetched = records.records(partition).iterator();
            unread = records.count();
            behind = connected.currentLag(partition).orElse(0);
            lag = behind + unread;
        } catch (OffsetOutOfRangeException e) {
            throw outOfRange(connected, e);
        } catch (KafkaException e) {
            throw failure(e);
        }
        long now = System.nanoTime();
        if (unread > 0 || connections == null || ((Double) connections.metricValue()) > 0) {
            heardNanos = now;
        } else if (now - heardNanos > CONNECT_NANOS) {
            throw new IOException("No broker at " + source.connection() + " can be reached.");
        }
    }

    private IOException outOfRange(KafkaConsumer<byte[], ByteBuffer> connected, OffsetOutOfRangeException e)
            throws FeedChangedException {
        long offset = e.offsetOutOfRangePartitions().getOrDefault(partition, 0L);
        try {
            long earliest = StartOffset.earliest(connected, partition, TIMEOUT);
            if (offset < earliest) {
                requireContinuation(offset, earliest);
                return new IOException("Messages were removed, opening the feed again.", e);
            }
        } catch (KafkaException notAnswered) {
            return failure(notAnswered);
        }
        String reason = e instanceof LogTruncationException ? "no longer has" : "does not have";
        return new FeedChangedException("Partition " + partition.partition() + " of topic '" + partition.topic() + "' "
                + reason + " the messages before offset " + offset + ", which were read.");
    }

    private IOException failure(KafkaException e) {
        return new IOException("Kafka at " + source.connection() + " failed: " + KafkaConnection.reason(e), e);
    }

    /** Returns the offset of the next message, behind the markers of transactions that come before it. */
    long position() throws IOException {
        ConsumerRecord<byte[], ByteBuffer> following = peek();
        try {
            return following == null ? consumer().position(partition) : following.offset();
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    /**
     * Shows the position of the commit before to other tools, if there is a group for that. Errors are logged.
     *
     * @param position position of the commit that follows
     */
    void showPosition(long position) {
        String group = source.group();
        long now = System.nanoTime();
        if (group == null || consumer == null || now - groupNanos <= GROUP_NANOS) {
            return;
        }
        if (groupPosition > 0) {
            consumer.commitAsync(Map.of(partition, new OffsetAndMetadata(groupPosition)), (_, error) -> {
                if (error != null) {
                    LOG.warn(
                            "Could not commit an offset, which only other tools read: group={} partition={} reason={}",
                            group,
                            partition,
                            error.getMessage());
                }
            });
        }
        groupNanos = now;
        groupPosition = position;
    }

    /** Returns the number of messages that the broker has and that were not taken. */
    long lag() {
        return lag;
    }

    /** Returns the number of messages that were removed before they were read. */
    Counter removed() {
        return removed;
    }

    /** Disconnects. May be called more than once. */
    void close() {
        KafkaConsumer<byte[], ByteBuffer> connected = consumer;
        consumer = null;
        if (connected != null) {
            connected.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
