package io.millrace.feed.kafka;

import io.millrace.codec.Counter;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.kafka.direct.DirectReader;
import io.millrace.feed.kafka.read.Bytes;
import io.millrace.feed.kafka.read.ConsumerReader;
import io.millrace.feed.kafka.read.PartitionReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.AppInfoParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to a partition, at an offset, and reads its messages. Every failure of Kafka's client is an
 * {@link IOException}. Not thread-safe, except for {@link #removed()} and {@link #wake()}.
 */
final class PartitionConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionConsumer.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long GROUP_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaSource source;
    private final TopicPartition partition;
    private final int maxMessages;
    private final Counter removed = new Counter();
    /** Finds offsets, and shows the position to other tools. */
    private @Nullable KafkaConsumer<ByteBuffer, ByteBuffer> consumer;

    private volatile @Nullable PartitionReader reader;
    private long groupPosition = TopicPosition.UNKNOWN;
    private long groupNanos;

    /** @param maxMessages number of messages that are fetched at a time at most */
    PartitionConsumer(KafkaSource source, TopicPartition partition, int maxMessages) {
        this.source = source;
        this.partition = partition;
        this.maxMessages = maxMessages;
    }

    /**
     * Connects at the first offset of a pipeline that has no position.
     *
     * @param topicId ID of the topic
     * @return the offset
     */
    long openAt(StartOffset start, String topicId) throws IOException {
        try {
            long offset = start.of(connect(), partition, TIMEOUT);
            seek(offset, TopicPosition.UNKNOWN, topicId);
            return offset;
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    /**
     * Connects at an offset.
     *
     * @param epoch epoch of the leader that belongs to it, or {@link TopicPosition#UNKNOWN}
     * @param topicId ID of the topic
     * @throws FeedChangedException if the broker has removed the message, and the pipeline fails in this case
     */
    void open(long offset, int epoch, String topicId) throws IOException {
        try {
            connect();
            seek(offset, epoch, topicId);
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    private KafkaConsumer<ByteBuffer, ByteBuffer> connect() {
        KafkaConsumer<ByteBuffer, ByteBuffer> connected = new KafkaConsumer<>(settings());
        consumer = connected;
        connected.assign(List.of(partition));
        return connected;
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = source.connection().settings(Map.of());
        settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxMessages);
        settings.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace-" + partition);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, Bytes.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, Bytes.class);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        if (source.group() != null) {
            settings.put(ConsumerConfig.GROUP_ID_CONFIG, source.group());
        }
        return settings;
    }

    private void seek(long offset, int epoch, String topicId) throws FeedChangedException {
        KafkaConsumer<ByteBuffer, ByteBuffer> connected = Objects.requireNonNull(consumer);
        long earliest = StartOffset.earliest(connected, partition, TIMEOUT);
        if (offset < earliest) {
            requireContinuation(offset, earliest);
            LOG.warn(
                    "Messages were removed before they were read: partition={} from={} to={}",
                    partition,
                    offset,
                    earliest);
            removed.add(earliest - offset);
            begin(connected, new OffsetAndMetadata(earliest), topicId);
        } else {
            Optional<Integer> known = epoch == TopicPosition.UNKNOWN ? Optional.empty() : Optional.of(epoch);
            begin(connected, new OffsetAndMetadata(offset, known, ""), topicId);
        }
    }

    private void begin(KafkaConsumer<ByteBuffer, ByteBuffer> connected, OffsetAndMetadata position, String topicId) {
        Map<String, Object> settings = settings();
        if (source.direct() && DirectReader.supports(settings)) {
            reader = new DirectReader(settings, partition, topicId, position);
            if (source.group() == null) {
                disconnect(); // it is not needed any more
            } else {
                connected.pause(List.of(partition));
                connected.seek(partition, position.offset());
            }
        } else {
            if (source.direct() && partition.partition() == 0) {
                LOG.info(
                        "Messages are read by Kafka's consumer, not directly from responses: topic={} version={}",
                        partition.topic(),
                        AppInfoParser.getVersion());
            }
            connected.seek(partition, position);
            reader = new ConsumerReader(connected, partition, position);
        }
    }

    private void requireContinuation(long offset, long earliest) throws FeedChangedException {
        if (!source.continuesAfterRemoval()) {
            throw new FeedChangedException("Messages " + offset + " to " + (earliest - 1) + " of partition "
                    + partition.partition() + " of topic '" + partition.topic()
                    + "' were removed before they were read. Set on-removed: continue to read what is left.");
        }
    }

    /** Returns the messages. */
    PartitionReader messages() {
        return Objects.requireNonNull(reader, "The feed is not open.");
    }

    /**
     * Fetches further messages. Must be called only if all have been taken.
     *
     * @param maxWait maximum time to wait for the first one
     */
    void fetch(Duration maxWait) throws IOException {
        try {
            if (!messages().fetch(maxWait)) {
                throw new IOException("No broker at " + source.connection() + " can be reached.");
            }
        } catch (OffsetOutOfRangeException e) {
            throw outOfRange(e);
        }
    }

    private IOException outOfRange(OffsetOutOfRangeException e) throws FeedChangedException {
        long offset = e.offsetOutOfRangePartitions().getOrDefault(partition, 0L);
        try {
            KafkaConsumer<ByteBuffer, ByteBuffer> connected = consumer == null ? connect() : consumer;
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

    /** Returns the exception for a failure of the client. */
    IOException failure(KafkaException e) {
        return new IOException("Kafka at " + source.connection() + " failed", e);
    }

    /**
     * Shows the position of the commit before to other tools, if there is a group for that. Errors are logged.
     *
     * @param position position of the commit that follows
     */
    void showPosition(long position) {
        String group = source.group();
        KafkaConsumer<ByteBuffer, ByteBuffer> connected = consumer;
        if (group == null || connected == null) {
            return;
        }
        if (!connected.paused().isEmpty()) {
            receiveCommits(connected);
        }
        long now = System.nanoTime();
        if (now - groupNanos <= GROUP_NANOS) {
            return;
        }
        if (groupPosition > 0) {
            connected.commitAsync(Map.of(partition, new OffsetAndMetadata(groupPosition)), (_, error) -> {
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

    /** Lets a consumer whose partition is paused send offsets and receive the answers: nothing else polls it. */
    private static void receiveCommits(KafkaConsumer<ByteBuffer, ByteBuffer> connected) {
        try {
            connected.poll(Duration.ZERO);
        } catch (KafkaException e) {
            LOG.debug("Could not poll for answers to committed offsets: reason={}", e.getMessage());
        }
    }

    /** Returns the number of messages that were removed before they were read. */
    Counter removed() {
        return removed;
    }

    /** Ends the wait for messages, if there is one. */
    void wake() {
        PartitionReader reading = reader;
        if (reading != null) {
            reading.wake();
        }
    }

    /** Disconnects. May be called more than once. */
    void close() {
        PartitionReader reading = reader;
        reader = null;
        try {
            if (reading != null) {
                reading.close();
            }
        } finally {
            disconnect();
        }
    }

    private void disconnect() {
        KafkaConsumer<ByteBuffer, ByteBuffer> connected = consumer;
        consumer = null;
        if (connected != null) {
            connected.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
