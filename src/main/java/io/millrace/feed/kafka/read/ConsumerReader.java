package io.millrace.feed.kafka.read;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Reads a partition by Kafka's consumer, which creates objects for each message. */
public final class ConsumerReader implements PartitionReader {

    /** For so long without a record and without a connection, it is assumed that one is being established. */
    private static final long CONNECT_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int UNKNOWN = -1;
    private static final byte[] NONE = {};

    private final KafkaConsumer<ByteBuffer, ByteBuffer> consumer;
    private final TopicPartition partition;
    private final @Nullable Metric connections;
    private Iterator<ConsumerRecord<ByteBuffer, ByteBuffer>> fetched =
            List.<ConsumerRecord<ByteBuffer, ByteBuffer>>of().iterator();
    private @Nullable ConsumerRecord<ByteBuffer, ByteBuffer> next;
    /** Position behind all messages that were fetched. */
    private OffsetAndMetadata end;
    /** Number of messages that were fetched and not taken. */
    private int unread;
    /** Number of messages that were not fetched. */
    private long behind;

    private long heardNanos = System.nanoTime();

    /**
     * @param consumer to which the partition is assigned; its owner closes it
     * @param position at which the consumer reads
     */
    public ConsumerReader(
            KafkaConsumer<ByteBuffer, ByteBuffer> consumer, TopicPartition partition, OffsetAndMetadata position) {
        this.consumer = consumer;
        this.partition = partition;
        this.end = position;
        connections = consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("connection-count")
                        && metric.getKey().group().equals("consumer-metrics"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    @Override
    public boolean peek() {
        if (next == null && fetched.hasNext()) {
            next = fetched.next();
        }
        return next != null;
    }

    private ConsumerRecord<ByteBuffer, ByteBuffer> next() {
        return Objects.requireNonNull(next, "Call peek first.");
    }

    @Override
    public void take() {
        next = null;
        unread--;
    }

    @Override
    public long offset() {
        return next().offset();
    }

    @Override
    @SuppressWarnings("ByteBufferBackingArray") // start() has the offset
    public byte[] bytes() {
        ByteBuffer value = next().value();
        return value == null ? NONE : value.array();
    }

    @Override
    public int start() {
        ByteBuffer value = next().value();
        return value == null ? 0 : value.arrayOffset() + value.position();
    }

    @Override
    public int length() {
        ByteBuffer value = next().value();
        return value == null ? -1 : value.remaining();
    }

    @Override
    public long timestamp() {
        return next().timestamp();
    }

    @Override
    @SuppressWarnings("ByteBufferBackingArray") // the slice has the offset
    public void key(Slice key) {
        ByteBuffer found = next().key();
        if (found == null) {
            key.clear();
        } else {
            key.set(found.array(), found.arrayOffset() + found.position(), found.remaining());
        }
    }

    @Override
    public void header(byte[] name, Slice value) {
        Header header = next().headers().lastHeader(new String(name, StandardCharsets.UTF_8));
        byte[] found = header == null ? null : header.value();
        if (found == null) {
            value.clear();
        } else {
            value.set(found, 0, found.length);
        }
    }

    @Override
    public List<Header> headers() {
        return List.of(next().headers().toArray());
    }

    @Override
    public long position() {
        return peek() ? next().offset() : end.offset();
    }

    @Override
    public int epoch() {
        return peek() ? next().leaderEpoch().orElse(UNKNOWN) : end.leaderEpoch().orElse(UNKNOWN);
    }

    @Override
    public long lag() {
        return behind + unread;
    }

    /** {@inheritDoc} The consumer does not know it. */
    @Override
    public long heldBack() {
        return 0;
    }

    @Override
    public boolean fetch(Duration maxWait) {
        ConsumerRecords<ByteBuffer, ByteBuffer> records;
        try {
            records = consumer.poll(maxWait);
        } catch (WakeupException e) {
            return true; // nothing was fetched
        }
        fetched = records.records(partition).iterator();
        unread = records.count();
        end = records.nextOffsets().getOrDefault(partition, end);
        behind = consumer.currentLag(partition).orElse(0);
        long now = System.nanoTime();
        if (unread > 0 || connections == null || ((Double) connections.metricValue()) > 0) {
            heardNanos = now;
        }
        return now - heardNanos <= CONNECT_NANOS;
    }

    @Override
    public void wake() {
        consumer.wakeup();
    }

    /** {@inheritDoc} It has opened nothing. */
    @Override
    public void close() {
        // the consumer has another owner
    }
}
