package io.millrace.output.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Creates topics, and reads them as {@code read_committed} does. */
final class Topics implements AutoCloseable {

    private final String bootstrapServers;
    private final Admin admin;

    Topics(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    void create(String topic, int partitions, Map<String, String> settings) {
        try {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the offset of a group in partition 0 of a topic. */
    long offset(String group, String topic) {
        try {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, 0))
                    .offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    TransactionState transaction(String id) {
        try {
            return admin.describeTransactions(List.of(id)).description(id).get().state();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the messages of committed transactions, those of each partition in order. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            Collection<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
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

    @Override
    public void close() {
        admin.close();
    }
}
