package io.millrace.feed.kafka;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.Split;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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
 * Reads a partition of a Kafka topic. A position is the offset of a message, and is stored with the records: the
 * offsets of a consumer group decide nothing. The feed is replayable while the broker has the messages.
 *
 * <p>Records of transactions that were aborted or are still open are not read. Their offsets, those of the markers of
 * transactions, and those that compaction has removed belong to the range of the batch before them.
 *
 * <p>A message that does not consist of records is a {@linkplain Feed.Piece piece}: a poll that reaches one returns the
 * records before it, and the next poll delivers it.
 *
 * <p>A partition that the topic does not have is {@linkplain #absent() absent}: the feed has no records until it is
 * added. Not thread-safe, except for the lag, the counters and {@link #absent()}.
 */
final class KafkaFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFeed.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** For so long without a record and without a connection, it is assumed that one is being established. */
    private static final long CONNECT_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long GROUP_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaSource source;
    private final Topic topic;
    private final TopicPartition partition;
    private final int partitions;
    private final MessageBuffer buffer;
    private final int batchRecords;
    private final Counter removed = new Counter();
    private final Counter unreadPartitions = new Counter();
    private @Nullable KafkaConsumer<byte[], ByteBuffer> consumer;
    private @Nullable Metric connections;
    private Iterator<ConsumerRecord<byte[], ByteBuffer>> fetched =
            List.<ConsumerRecord<byte[], ByteBuffer>>of().iterator();
    private @Nullable ConsumerRecord<byte[], ByteBuffer> next;
    /** Number of messages that were fetched and not taken. */
    private int unread;
    /** Number of messages that were not fetched. */
    private long behind;

    private @Nullable Piece piece;
    private @Nullable TopicPosition verified;
    private String topicId = "";
    private long start = TopicPosition.UNKNOWN;
    /** End and leader's epoch of the last batch and of the one before: a batch that fails is not part of a commit. */
    private End last = new End(0, TopicPosition.UNKNOWN);

    private End previous = last;
    private long heardNanos;
    private long groupPosition = TopicPosition.UNKNOWN;
    private long groupNanos;
    private volatile long lag;
    private volatile boolean absent;

    /** The end of a batch. */
    private record End(long position, int epoch) {}

    /** @param split whose index is the number of the partition */
    KafkaFeed(KafkaSource source, Split split, MessageBuffer buffer, int batchRecords) {
        this.source = source;
        this.topic = source.topic();
        this.partition = new TopicPartition(source.topic().name(), split.index());
        this.partitions = split.count();
        this.buffer = buffer;
        this.batchRecords = batchRecords;
    }

    @Override
    public void verify(String identity) throws IOException {
        TopicPosition before = TopicPosition.parse(identity);
        if (!before.partition().equals(partition)) {
            throw new FeedChangedException("The feed is partition " + partition.partition() + " of topic '"
                    + partition.topic() + "', but this pipeline read: " + identity + ".");
        }
        topic.open();
        try {
            requireId(topic.describe().id(), before.id());
        } finally {
            topic.close();
        }
        verified = before;
    }

    private void requireId(String id, String before) throws FeedChangedException {
        if (!id.equals(before)) {
            throw new FeedChangedException("Topic '" + partition.topic()
                    + "' was deleted and created again: its ID was " + before + " and is " + id + ".");
        }
    }

    @Override
    public void open(long position) throws IOException {
        if (verified != null) {
            start = verified.start();
            last = new End(position, verified.epoch());
        } else if (position == 0) {
            start = TopicPosition.UNKNOWN;
            last = new End(0, TopicPosition.UNKNOWN);
        } else if (position != last.position()) {
            last = new End(position, TopicPosition.UNKNOWN);
        }
        previous = last;
        boolean known = verified != null;
        topic.open();
        try {
            Topic.Description description = topic.describe();
            if (verified != null) {
                requireId(description.id(), verified.id());
            }
            topicId = description.id();
            if (description.partitions() > partitions) {
                throw new IllegalStateException("Topic '" + partition.topic() + "' has " + description.partitions()
                        + " partitions, but the pipeline has " + partitions + ". Set partitions: "
                        + description.partitions() + ", or more if partitions may be added to the topic.");
            }
            absent = description.partitions() <= partition.partition();
            if (!absent) {
                connect(position, known);
            }
            verified = null;
        } catch (KafkaException e) {
            close();
            throw failure(e);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** @param known whether a pipeline has stored an identity of this partition */
    private void connect(long position, boolean known) throws IOException {
        KafkaConsumer<byte[], ByteBuffer> opened =
                new KafkaConsumer<>(source.connection().settings(settings()), new Bytes.Skipped(), new Bytes());
        consumer = opened;
        opened.assign(List.of(partition));
        long from = position;
        if (position == 0 && start == TopicPosition.UNKNOWN) {
            // A partition that was added later is read from its first message on.
            StartOffset first = known ? new StartOffset.Earliest() : source.start();
            start = first.of(opened, partition, TIMEOUT);
        }
        if (position == 0) {
            from = start;
        }
        long earliest = StartOffset.earliest(opened, partition, TIMEOUT);
        if (from < earliest) {
            removed(from, earliest);
            from = earliest;
        }
        Optional<Integer> epoch = last.epoch() == TopicPosition.UNKNOWN || from != position
                ? Optional.empty()
                : Optional.of(last.epoch());
        opened.seek(partition, new OffsetAndMetadata(from, epoch, ""));
        connections = opened.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("connection-count")
                        && metric.getKey().group().equals("consumer-metrics"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        fetched = List.<ConsumerRecord<byte[], ByteBuffer>>of().iterator();
        next = null;
        piece = null;
        heardNanos = System.nanoTime();
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, batchRecords);
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

    private void removed(long from, long earliest) throws FeedChangedException {
        String what = "Messages " + from + " to " + (earliest - 1) + " of partition " + partition.partition()
                + " of topic '" + partition.topic() + "' were removed before they were read.";
        if (!source.continuesAfterRemoval()) {
            throw new FeedChangedException(what + " Set on-removed: continue to read what is left.");
        }
        LOG.warn("{} Reading continues: position={}", what, earliest);
        removed.add(earliest - from);
    }

    @Override
    public Poll poll(RecordBatch batch, Duration maxWait) throws IOException {
        if (absent) {
            awaitPartition(maxWait);
            return Poll.NOTHING_YET;
        }
        if (partition.partition() == 0) {
            countUnread();
        }
        KafkaConsumer<byte[], ByteBuffer> open = open();
        try {
            return poll(open, batch, maxWait);
        } catch (OffsetOutOfRangeException e) {
            throw outOfRange(open, e);
        } catch (KafkaException e) {
            throw failure(e);
        }
    }

    /** Counts the partitions that were added to the topic, and for which the pipeline has none. */
    private void countUnread() {
        Topic.Description description = topic.latest();
        int unread = description == null ? 0 : Math.max(0, description.partitions() - partitions);
        if (unread > unreadPartitions.get()) {
            LOG.warn(
                    "Topic {} has more partitions than the pipeline, which does not read all of them: partitions={}"
                            + " unread={}",
                    partition.topic(),
                    partitions,
                    unread);
            unreadPartitions.set(unread);
        }
    }

    private KafkaConsumer<byte[], ByteBuffer> open() {
        if (consumer == null) {
            throw new IllegalStateException("The feed is not open.");
        }
        return consumer;
    }

    private Poll poll(KafkaConsumer<byte[], ByteBuffer> open, RecordBatch batch, Duration maxWait) throws IOException {
        buffer.clear();
        if (peek() == null) {
            fetch(open, maxWait);
        }
        int epoch = last.epoch();
        for (ConsumerRecord<byte[], ByteBuffer> message = peek(); message != null; message = peek()) {
            switch (buffer.add(message.offset(), message.value())) {
                case YES -> {
                    epoch = message.leaderEpoch().orElse(TopicPosition.UNKNOWN);
                    take();
                }
                case FULL -> {
                    return show(open, batch, epoch);
                }
                case INVALID -> {
                    if (buffer.count() > 0) {
                        return show(open, batch, epoch);
                    }
                    piece = piece(message);
                    take();
                    return Poll.NOTHING_YET;
                }
            }
        }
        return buffer.count() == 0 ? Poll.NOTHING_YET : show(open, batch, epoch);
    }

    private @Nullable ConsumerRecord<byte[], ByteBuffer> peek() {
        if (next == null && fetched.hasNext()) {
            next = fetched.next();
        }
        return next;
    }

    private void take() {
        next = null;
        unread--;
        lag = behind + unread;
    }

    private void fetch(KafkaConsumer<byte[], ByteBuffer> open, Duration maxWait) throws IOException {
        ConsumerRecords<byte[], ByteBuffer> records = open.poll(maxWait);
        fetched = records.records(partition).iterator();
        unread = records.count();
        behind = open.currentLag(partition).orElse(0);
        lag = behind + unread;
        long now = System.nanoTime();
        if (!records.isEmpty() || connections == null || ((Double) connections.metricValue()) > 0) {
            heardNanos = now;
        } else if (now - heardNanos > CONNECT_NANOS) {
            throw new IOException("No broker at " + source.connection() + " can be reached.");
        }
    }

    private Poll show(KafkaConsumer<byte[], ByteBuffer> open, RecordBatch batch, int epoch) {
        ConsumerRecord<byte[], ByteBuffer> following = peek();
        // The consumer's position is behind the markers of transactions that follow.
        long position = following == null ? open.position(partition) : following.offset();
        buffer.show(batch, position);
        previous = last;
        last = new End(position, epoch);
        return Poll.RECORDS;
    }

    private Piece piece(ConsumerRecord<byte[], ByteBuffer> message) {
        ByteBuffer value = message.value();
        byte[] bytes = new byte[value == null ? 0 : value.remaining()];
        if (value != null) {
            value.get(value.position(), bytes);
        }
        return new Piece(message.offset(), bytes, new RejectReason(RejectReason.Kind.INVALID_VALUE, buffer.error()));
    }

    @Override
    public @Nullable Piece takePiece() {
        Piece taken = piece;
        piece = null;
        return taken;
    }

    /** Opens the partition once the topic has it. */
    private void awaitPartition(Duration maxWait) throws IOException {
        Topic.Description description = topic.latest();
        if (description == null || description.partitions() <= partition.partition()) {
            LockSupport.parkNanos(maxWait.toNanos());
            return;
        }
        requireId(description.id(), topicId);
        LOG.info("Topic {} has a new partition: partition={}", partition.topic(), partition.partition());
        try {
            connect(0, true);
            absent = false;
        } catch (KafkaException e) {
            disconnect();
            throw failure(e);
        }
    }

    private IOException outOfRange(KafkaConsumer<byte[], ByteBuffer> open, OffsetOutOfRangeException e)
            throws IOException {
        long position = e.offsetOutOfRangePartitions().getOrDefault(partition, last.position());
        try {
            long earliest = StartOffset.earliest(open, partition, TIMEOUT);
            if (position < earliest) {
                if (!source.continuesAfterRemoval()) {
                    removed(position, earliest);
                }
                return new IOException("Messages were removed, opening the feed again.", e);
            }
        } catch (KafkaException notAnswered) {
            return failure(notAnswered);
        }
        String reason = e instanceof LogTruncationException ? "no longer has" : "does not have";
        return new FeedChangedException("Partition " + partition.partition() + " of topic '" + partition.topic() + "' "
                + reason + " the messages before offset " + position + ", which were read.");
    }

    private IOException failure(KafkaException e) {
        Throwable cause = e.getCause();
        return new IOException(
                "Kafka at " + source.connection() + " failed: " + e.getMessage()
                        + (cause == null ? "" : ": " + cause.getMessage()),
                e);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Fails if the topic was created again since, which is known after about a second.
     */
    @Override
    public String identity(long position) throws IOException {
        Topic.Description description = topic.latest();
        if (description != null) {
            requireId(description.id(), topicId);
        }
        End end = position == last.position() ? last : previous;
        showGroup(position);
        int epoch = position == end.position() ? end.epoch() : TopicPosition.UNKNOWN;
        return new TopicPosition(partition, topicId, start, epoch).toString();
    }

    /** Commits the position of the commit before to the consumer group, if there is one. Errors are logged. */
    private void showGroup(long position) {
        String group = source.group();
        long now = System.nanoTime();
        if (group != null && consumer != null && now - groupNanos > GROUP_NANOS) {
            if (groupPosition > 0) {
                consumer.commitAsync(Map.of(partition, new OffsetAndMetadata(groupPosition)), (_, error) -> {
                    if (error != null) {
                        LOG.warn(
                                "Could not commit the offset of group {}, which only other tools read: topic={}"
                                        + " partition={} reason={}",
                                group,
                                partition.topic(),
                                partition.partition(),
                                error.getMessage());
                    }
                });
            }
            groupNanos = now;
            groupPosition = position;
        }
    }

    @Override
    public boolean addsSplits() {
        return true;
    }

    @Override
    public boolean absent() {
        return absent;
    }

    /** Returns the number of messages that the broker has and the pipeline has not polled. */
    @Override
    public long lag() {
        return lag;
    }

    @Override
    public long taken(long position) {
        return Math.max(0, position - Math.max(0, start));
    }

    @Override
    public Map<String, Counter> counts() {
        return Map.of("removed", removed, "unread-partitions", unreadPartitions);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    private void disconnect() {
        KafkaConsumer<byte[], ByteBuffer> open = consumer;
        consumer = null;
        if (open != null) {
            open.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    @Override
    public void close() {
        disconnect();
        topic.close();
    }
}
