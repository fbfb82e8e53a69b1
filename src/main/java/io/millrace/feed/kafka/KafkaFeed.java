package io.millrace.feed.kafka;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.kafka.field.MessageText;
import io.millrace.feed.kafka.read.PartitionReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
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
 * added. Not thread-safe, except for the lag, the counters, {@link #absent()} and {@link #wake()}.
 */
final class KafkaFeed implements Feed {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaFeed.class);

    private final StartOffset firstStart;
    private final Topic topic;
    private final TopicPartition partition;
    private final TopicSplit split;
    private final MessageBuffer buffer;
    private final PartitionConsumer consumer;
    private final OpenTransactions openTransactions;
    private final Counter unreadPartitions = new Counter();
    private @Nullable Piece piece;
    private @Nullable TopicPosition verified;
    /** Whether it uses the client of the topic. */
    private boolean opened;

    private String topicId = "";
    private long start = TopicPosition.UNKNOWN;
    /** End and leader's epoch of the last batch and of the one before: a batch that fails is not part of a commit. */
    private End last = new End(0, TopicPosition.UNKNOWN);

    private End previous = last;
    private volatile boolean absent;
    private volatile long lag;
    /** Timestamp of the last message that was read; -1 if there is none. */
    private volatile long lastTime = -1;
    /** Ends the wait of an absent partition. */
    private final Semaphore woken = new Semaphore(0);

    /** The end of a batch. */
    private record End(long position, int epoch) {}

    KafkaFeed(KafkaSource source, TopicSplit split, MessageBuffer buffer, int batchRecords) {
        this.firstStart = source.start();
        this.topic = source.topic();
        this.split = split;
        this.partition = split.partitionOf(topic.name());
        this.buffer = buffer;
        this.consumer = new PartitionConsumer(source, partition, batchRecords);
        this.openTransactions = new OpenTransactions(partition);
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
        TopicPosition before = verified;
        if (before != null) {
            start = before.start();
        } else if (position == 0) {
            start = TopicPosition.UNKNOWN;
        }
        last = endAt(position, before == null ? TopicPosition.UNKNOWN : before.epoch());
        previous = last;
        piece = null;
        topic.open();
        opened = true;
        try {
            Topic.Description description = topic.describe();
            if (before != null) {
                requireId(description.id(), before.id());
            }
            topicId = description.id();
            requirePartitions(description.partitions());
            absent = description.partitions() <= partition.partition();
            if (!absent) {
                // A partition that was added later is read from its first message on.
                connect(position, before == null ? firstStart : new StartOffset.Earliest());
            }
            verified = null;
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Returns the end of a batch of this feed, or of one before it.
     *
     * @param committed epoch of the last commit, which can be older than what this feed has read since
     */
    private End endAt(long position, int committed) {
        return Stream.of(last, previous)
                .filter(end -> position > 0 && end.position() == position)
                .findFirst()
                .orElse(new End(position, committed));
    }

    private void requirePartitions(int ofTopic) {
        String refusal = split.refusal(partition.topic(), ofTopic);
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
    }

    /** @param first where reading begins if it has not begun yet */
    private void connect(long position, StartOffset first) throws IOException {
        if (position > 0) {
            consumer.open(position, last.epoch(), topicId);
        } else if (start == TopicPosition.UNKNOWN) {
            start = consumer.openAt(first, topicId);
        } else {
            consumer.open(start, TopicPosition.UNKNOWN, topicId);
        }
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
        try {
            return poll(batch, consumer.messages(), maxWait);
        } catch (KafkaException e) {
            throw consumer.failure(e);
        }
    }

    private Poll poll(RecordBatch batch, PartitionReader messages, Duration maxWait) throws IOException {
        buffer.clear();
        if (!messages.peek()) {
            consumer.fetch(maxWait);
        }
        lag = messages.lag();
        while (hasNext(messages)) {
            lastTime = messages.timestamp();
            MessageBuffer.Added added = add(messages);
            if (added != MessageBuffer.Added.YES && buffer.count() > 0) {
                break; // the next batch begins with it
            }
            if (added != MessageBuffer.Added.YES) {
                piece = piece(messages);
            }
            messages.take();
            if (piece != null) {
                break;
            }
        }
        lag = messages.lag();
        openTransactions.observe(messages.position(), messages.heldBack(), lag == 0, System.nanoTime());
        if (buffer.count() == 0 && piece == null) {
            return Poll.NOTHING_YET;
        }
        previous = last;
        last = new End(messages.position(), messages.epoch());
        buffer.show(batch, last.position());
        return piece == null ? Poll.RECORDS : Poll.PIECES;
    }

    /** A message that can't be read is left to the next batch, which fails. */
    private MessageBuffer.Added add(PartitionReader messages) throws IOException {
        try {
            return buffer.add(messages);
        } catch (KafkaException e) {
            if (buffer.count() == 0) {
                throw e;
            }
            return MessageBuffer.Added.FULL;
        }
    }

    /** A failure is reported when the records before it are in a batch. */
    private boolean hasNext(PartitionReader messages) {
        try {
            return messages.peek();
        } catch (KafkaException e) {
            if (buffer.count() == 0) {
                throw e;
            }
            return false;
        }
    }

    private Piece piece(PartitionReader message) {
        byte[] bytes =
                Arrays.copyOfRange(message.bytes(), message.start(), message.start() + Math.max(0, message.length()));
        return new Piece(
                message.offset(),
                bytes,
                new RejectReason(RejectReason.Kind.INVALID_VALUE, buffer.error() + MessageText.of(message, partition)));
    }

    @Override
    public boolean wake() {
        woken.drainPermits();
        woken.release();
        consumer.wake();
        return true;
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
            pause(maxWait);
            return;
        }
        requireId(description.id(), topicId);
        LOG.info("Topic {} has a new partition: partition={}", partition.topic(), partition.partition());
        connect(0, new StartOffset.Earliest());
        absent = false;
    }

    private void pause(Duration time) {
        try {
            var _ = woken.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts the partitions that were added to the topic, and for which the pipeline has none. */
    private void countUnread() {
        Topic.Description description = topic.latest();
        int unread = description == null ? 0 : description.partitions() - split.partitions();
        if (unread > unreadPartitions.get()) {
            LOG.warn(
                    "Topic {} has more partitions than the pipeline, which does not read all of them: partitions={}"
                            + " unread={}",
                    partition.topic(),
                    split.partitions(),
                    unread);
            unreadPartitions.set(unread);
        }
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
        consumer.showPosition(position);
        End end = position == last.position() ? last : previous;
        int epoch = position == end.position() ? end.epoch() : TopicPosition.UNKNOWN;
        return new TopicPosition(partition, topicId, start, epoch).toString();
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

    /** {@inheritDoc} That of the last message that was read, which is the one before it. */
    @Override
    public long age() {
        long time = lastTime;
        return lag == 0 ? 0 : time < 0 ? -1 : Math.max(0, System.currentTimeMillis() - time);
    }

    @Override
    public long taken(long position) {
        return Math.max(0, position - Math.max(0, start));
    }

    @Override
    public Map<String, Counter> counts() {
        return Map.of(
                "held-back",
                openTransactions.heldBack(),
                "removed",
                consumer.removed(),
                "unread-partitions",
                unreadPartitions);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public void close() {
        consumer.close();
        if (opened) {
            opened = false;
            topic.close();
        }
    }
}
