package io.millrace.bench;

import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaTopics;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.util.FileSystemUtils;

/**
 * A broker of Kafka in a process of its own, with topics of {@value #PARTITIONS} partitions. Closing it removes them.
 */
final class BenchmarkBroker implements AutoCloseable {

    static final int PARTITIONS = 4;

    /** Messages in a row that a partition receives. */
    private static final int PORTION = 10_000;

    private final Path folder;
    private final Process process;
    private final String servers;
    private final KafkaTopics topics;

    /** Starts a broker. */
    BenchmarkBroker() throws IOException {
        KafkaBroker.Ports ports = KafkaBroker.Ports.free();
        Files.createDirectories(W1Data.FOLDER);
        folder = Files.createTempDirectory(W1Data.FOLDER, "kafka");
        Path log = folder.resolve("log");
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaBroker.class.getName(),
                        folder.toString(),
                        Integer.toString(ports.clients()),
                        Integer.toString(ports.controller()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // A broker must not outlive a benchmark that is stopped.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        servers = "127.0.0.1:" + ports.clients();
        while (!isListening(log)) {
            if (!process.isAlive()) {
                throw new IllegalStateException(Files.readString(log));
            }
            ConfiguredPipeline.pause();
        }
        topics = new KafkaTopics(servers);
    }

    private static boolean isListening(Path log) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
            return lines.lines().anyMatch(line -> line.startsWith("Kafka is listening"));
        }
    }

    /** Returns where clients connect. */
    String servers() {
        return servers;
    }

    /** Returns its topics. */
    KafkaTopics topics() {
        return topics;
    }

    /** Returns the partitions of a topic. */
    static List<TopicPartition> partitions(String topic) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new TopicPartition(topic, i));
        }
        return partitions;
    }

    /**
     * Creates a topic and sends its messages, {@value #PORTION} to each partition in turn.
     *
     * @param compression such as {@code lz4}
     * @param batchBytes maximum size of a batch, before it is compressed
     * @param values returns the value of the next message, in an array that is not used again
     */
    void fill(String topic, String compression, int batchBytes, int messages, Supplier<byte[]> values) {
        topics.create(topic, PARTITIONS);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "compression.type",
                        compression,
                        "batch.size",
                        batchBytes,
                        "linger.ms",
                        5,
                        // See KafkaTopics: a partition that is not open yet must not refuse only the first batch.
                        "max.in.flight.requests.per.connection",
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < messages; i++) {
                int partition = i / PORTION % PARTITIONS;
                var _ = producer.send(new ProducerRecord<>(topic, partition, null, values.get()), (_, error) -> {
                    if (error != null) {
                        failure.compareAndSet(null, error);
                    }
                });
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
    }

    /** Returns a consumer of committed messages, at the begin of a topic. */
    KafkaConsumer<byte[], byte[]> consumer(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(partitions(topic));
        consumer.seekToBeginning(partitions(topic));
        return consumer;
    }

    @Override
    public void close() throws IOException {
        topics.close();
        process.destroyForcibly().onExit().join();
        FileSystemUtils.deleteRecursively(folder);
    }
}
