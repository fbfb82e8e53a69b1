package io.millrace.bench;

import io.millrace.feed.kafka.direct.DirectReader;
import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaTopics;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Ten million trades, a message each, from a topic of four partitions into a region of blocks, until all are stored,
 * with each of the two readers. The broker is a process of the same machine. Run it by {@code ./mvnw -Pbench verify
 * -Dbench=Kafka}. The baselines are loops that keep nothing: over the records of Kafka's consumer, and over the
 * messages of the reader that does without it. Times are for each message.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 7)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms3g", "-Xmx3g"})
public class KafkaBenchmark {

    private static final int TRADES = 10_000_000;
    private static final int PARTITIONS = 4;
    private static final int PORTION = 10_000;

    /** A broker with the trades. */
    @State(Scope.Benchmark)
    public static class Topic {

        /** Compression of the messages. */
        @Param({"none", "lz4"})
        private String compression = "";

        private @Nullable Process process;
        private String servers = "";
        private String id = "";

        @Setup(Level.Trial)
        public void produce() throws IOException {
            KafkaBroker.Ports ports = KafkaBroker.Ports.free();
            Path folder = Files.createTempDirectory(W1Data.FOLDER, "kafka");
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx1g",
                            "-cp",
                            System.getProperty("java.class.path"),
                            KafkaBroker.class.getName(),
                            folder.toString(),
                            Integer.toString(ports.clients()),
                            Integer.toString(ports.controller()))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            servers = "127.0.0.1:" + ports.clients();
            awaitStart(folder.resolve("log"));
            byte[] trades = W1Data.trades();
            try (KafkaTopics topics = new KafkaTopics(servers)) {
                topics.create("trades", PARTITIONS);
                id = topics.id("trades");
                for (int from = 0, portion = 0; from < TRADES; from += PORTION, portion++) {
                    List<byte @Nullable []> values = new ArrayList<>();
                    for (int i = from; i < from + PORTION; i++) {
                        values.add(Arrays.copyOfRange(trades, i * W1Data.LENGTH, (i + 1) * W1Data.LENGTH));
                    }
                    topics.send("trades", portion % PARTITIONS, values, compression);
                }
            }
        }

        private void awaitStart(Path log) throws IOException {
            while (true) {
                try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
                    if (lines.lines().anyMatch(line -> line.startsWith("Kafka is listening"))) {
                        return;
                    }
                }
                if (!Objects.requireNonNull(process).isAlive()) {
                    throw new IllegalStateException(Files.readString(log));
                }
                ConfiguredPipeline.pause();
            }
        }

        @TearDown(Level.Trial)
        public void stop() {
            Objects.requireNonNull(process).destroyForcibly();
        }
    }

    /** A pipeline for each invocation. */
    @State(Scope.Benchmark)
    public static class Millrace {

        /** Whether messages are read directly from responses. */
        @Param({"true", "false"})
        private boolean direct;

        private @Nullable TradesPipeline pipeline;

        @Setup(Level.Invocation)
        public void open(Topic topic) throws IOException {
            pipeline = new TradesPipeline("{ kafka: { bootstrap-servers: '" + topic.servers
                    + "', topics: trades, direct: " + direct + " } }");
            System.gc();
        }

        @TearDown(Level.Invocation)
        public void close() {
            TradesPipeline open = Objects.requireNonNull(pipeline);
            System.out.println("\n" + open.report());
            open.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public void millrace(Topic topic, Millrace millrace) {
        TradesPipeline pipeline = Objects.requireNonNull(millrace.pipeline);
        pipeline.start();
        pipeline.awaitKept(TRADES);
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public long consumer(Topic topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", topic.servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new TopicPartition("trades", i));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long bytes = 0;
            for (int read = 0; read < TRADES; ) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    bytes += message.value().length;
                    read++;
                }
            }
            return bytes;
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public long directReader(Topic topic) {
        long bytes = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            Map<String, Object> settings = Map.of(
                    "bootstrap.servers",
                    topic.servers,
                    "client.id",
                    "direct",
                    "isolation.level",
                    "read_committed",
                    "key.deserializer",
                    ByteArrayDeserializer.class,
                    "value.deserializer",
                    ByteArrayDeserializer.class);
            try (DirectReader reader =
                    new DirectReader(settings, new TopicPartition("trades", i), topic.id, new OffsetAndMetadata(0))) {
                for (int read = 0; read < TRADES / PARTITIONS; read++) {
                    while (!reader.peek()) {
                        reader.fetch(Duration.ofSeconds(1));
                    }
                    bytes += reader.length();
                    reader.take();
                }
            }
        }
        return bytes;
    }
}
