package io.millrace.output.kafka;

import io.millrace.kafka.KafkaConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A producer whose transactions contain messages of a topic, and the position of the feed up to which the topic has
 * them: as the offset of partition 0 of the topic, in the consumer group that has the name of the transactional id.
 *
 * <p>After any {@link KafkaException}, it has to be {@linkplain #connect connected} again. That aborts the transaction
 * of the former producer of this id, or waits for the end of one that is being committed. From then on, the former
 * producer can't commit, in whatever process it is.
 *
 * <p>Methods wait for brokers up to {@code max.block.ms}. Not thread-safe.
 */
final class TransactionalProducer {

    private static final String MAX_BLOCK_MS = "15000";
    /** A flush sends many messages at once. */
    private static final String BATCH_SIZE = "131072";

    /** Time for the abort of an open transaction, for which readers wait otherwise until its timeout. */
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(2);

    private final KafkaConnection connection;
    private final String topic;
    private final String id;
    private final TopicPartition place;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean begun;

    /**
     * What the last transaction has stored.
     *
     * @param position position of the feed
     * @param mark identifies the transaction
     */
    record Stored(long position, String mark) {

        /** There was no transaction, or its offset is no longer stored. */
        static final Stored NOTHING = new Stored(0, "");
    }

    /** @param id transactional id, and name of the consumer group */
    TransactionalProducer(KafkaConnection connection, String topic, String id) {
        this.connection = connection;
        this.topic = topic;
        this.id = id;
        place = new TopicPartition(topic, 0);
    }

    String id() {
        return id;
    }

    KafkaConnection connection() {
        return connection;
    }

    boolean connected() {
        return producer != null;
    }

    /**
     * Returns the maximum size of a message in bytes, with all that Kafka adds to it.
     *
     * @throws KafkaException if properties contradict each other
     */
    long maxMessageBytes() {
        ProducerConfig parsed = new ProducerConfig(settings());
        return Math.min(
                parsed.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
                parsed.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG));
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = connection.settings(Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.CLIENT_ID_CONFIG,
                id,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                "true",
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                id,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class));
        settings.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_SIZE);
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        return settings;
    }

    /** Fences the former producer of this id, and returns what the last transaction has stored. */
    Stored connect() {
        abandon();
        Producer<byte[], byte[]> created = new KafkaProducer<>(settings());
        producer = created;
        created.partitionsFor(topic); // names the topic if it does not exist
        created.initTransactions();
        return stored();
    }

    /** Returns the offset of the group, which no open transaction can change. */
    private Stored stored() {
        long timeout = new ProducerConfig(settings()).getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG);
        Admin admin = Admin.create(connection.adminSettings(id, Duration.ofMillis(timeout)));
        try {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets(
                            id, new ListConsumerGroupOffsetsOptions().requireStable(true))
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(place);
            return offset == null ? Stored.NOTHING : new Stored(offset.offset(), offset.metadata());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Stored.NOTHING;
            }
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e); // interrupts the thread again
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private Producer<byte[], byte[]> inTransaction() {
        Producer<byte[], byte[]> current = producer;
        if (current == null) {
            throw new IllegalStateException("The producer is not connected.");
        }
        if (!begun) {
            current.beginTransaction();
            begun = true;
        }
        return current;
    }

    /** Adds a message to the transaction, which begins if there is none. The commit throws what has failed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    void send(ProducerRecord<byte[], byte[]> message) {
        inTransaction().send(message);
    }

    /** Commits the transaction, which begins if there is none. */
    void commit(Stored stored) {
        Producer<byte[], byte[]> current = inTransaction();
        current.sendOffsetsToTransaction(
                Map.of(place, new OffsetAndMetadata(stored.position(), stored.mark())), new ConsumerGroupMetadata(id));
        current.commitTransaction();
        begun = false;
    }

    /** Ends the connection at once. The next one aborts the transaction. */
    void abandon() {
        close(Duration.ZERO);
    }

    /** Aborts the transaction, and ends the connection. */
    void close() {
        close(ABORT_TIMEOUT);
    }

    private void close(Duration timeout) {
        Producer<byte[], byte[]> current = producer;
        producer = null;
        begun = false;
        if (current != null) {
            current.close(timeout);
        }
    }
}
