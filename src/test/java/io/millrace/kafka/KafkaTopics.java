package io.millrace.kafka;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Topics of a broker, created and filled by Kafka's own clients. */
public final class KafkaTopics implements AutoCloseable {

    private final String bootstrapServers;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    public KafkaTopics(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        producer = producer(Map.of("linger.ms", "1"));
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", bootstrapServers);
        // A broker that has not opened a new partition yet refuses a batch and can accept the one behind it, after
        // which
        // it never accepts the first.
        all.put("max.in.flight.requests.per.connection", "1");
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Waits for a result. */
    public static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates a topic. */
    public void create(String topic, int partitions) {
        create(topic, partitions, Map.of());
    }

    /** Creates a topic with a configuration of its own. */
    public void create(String topic, int partitions, Map<String, String> configuration) {
        get(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(configuration)))
                .all());
        // The controller knows it by now, a broker a little later.
        await().until(() -> hasLeaders(topic));
    }

    private boolean hasLeaders(String topic) {
        try {
            return get(admin.describeTopics(List.of(topic)).allTopicNames()).values().stream()
                    .flatMap(description -> description.partitions().stream())
                    .allMatch(partition -> partition.leader() != null);
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return false;
            }
            throw e;
        }
    }

    /** Returns the ID of a topic. */
    public String id(String topic) {
        Map<String, TopicDescription> found =
                get(admin.describeTopics(List.of(topic)).allTopicNames());
        return Objects.requireNonNull(found.get(topic)).topicId().toString();
    }

    /** Deletes a topic. */
    public void delete(String topic) {
        get(admin.deleteTopics(List.of(topic)).all());
    }

    /** Sets the number of partitions of a topic, which can only grow. */
    public void addPartitions(String topic, int count) {
        get(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(count)))
                .all());
    }

    /** Removes the messages of a partition before an offset, as a retention time does. */
    public void removeBefore(String topic, int partition, long offset) {
        get(admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
                .all());
    }

    /** Returns the offset that a consumer group has committed; null if it has none. */
    public @Nullable Long committed(String group, String topic, int partition) {
        OffsetAndMetadata offset = get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .get(new TopicPartition(topic, partition));
        return offset == null ? null : offset.offset();
    }

    /** Returns the state of the last transaction of a transactional id. */
    public TransactionState transaction(String id) {
        return get(admin.describeTransactions(List.of(id)).description(id)).state();
    }

    /** Returns the messages of a topic as {@code read_committed} does, those of each partition in order. */
    public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<ConsumerRecord<byte[], byte[]>> messages = new ArrayList<>();
            consumer.endOffsets(partitions).forEach((partition, end) -> {
                while (consumer.position(partition) < end) {
                    consumer.poll(Duration.ofMillis(100)).forEach(messages::add);
                }
            });
            return messages;
        }
    }

    /** Sends messages, and waits until the broker has them. */
    public void send(String topic, int partition, List<byte @Nullable []> values) {
        send(producer, topic, partition, values);
    }

    /** Sends messages. */
    public void send(List<ProducerRecord<byte[], byte[]>> messages) {
        List<Future<RecordMetadata>> sent =
                messages.stream().map(producer::send).toList();
        producer.flush();
        sent.forEach(KafkaTopics::get);
    }

    /** Sends messages in batches that the producer compresses. */
    public void send(String topic, int partition, List<byte @Nullable []> values, String compression) {
        try (KafkaProducer<byte[], byte[]> compressing =
                producer(Map.of("linger.ms", "5", "batch.size", "4096", "compression.type", compression))) {
            send(compressing, topic, partition, values);
        }
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, String topic, int partition, List<byte @Nullable []> values) {
        List<Future<RecordMetadata>> sent = values.stream()
                .map(value -> producer.send(new ProducerRecord<>(topic, partition, null, value)))
                .toList();
        producer.flush();
        sent.forEach(KafkaTopics::get);
    }

    /** A producer with transactions. */
    public final class Transactions implements AutoCloseable {

        private final KafkaProducer<byte[], byte[]> transactional;

        Transactions(String id) {
            transactional = producer(Map.of("transactional.id", id));
            transactional.initTransactions();
        }

        /** Begins a transaction and sends its messages, without ending it. */
        public void begin(String topic, int partition, List<byte @Nullable []> values) {
            transactional.beginTransaction();
            KafkaTopics.send(transactional, topic, partition, values);
        }

        /** Commits the transaction. */
        public void commit() {
            transactional.commitTransaction();
        }

        /** Aborts the transaction. */
        public void abort() {
            transactional.abortTransaction();
        }

        @Override
        public void close() {
            transactional.close();
        }
    }

    /** Returns a producer with transactions. */
    public Transactions transactions(String id) {
        return new Transactions(id);
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }
}
