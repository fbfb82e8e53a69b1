package io.millrace.bench;

import io.millrace.feed.kafka.direct.DirectReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * -Dbench=KafkaBenchmark}. The baselines are loops that keep nothing: over the records of Kafka's consumer, and over
 * the messages of the reader that does without it. Times are for each message.
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
    private static final int BATCH_BYTES = 4096;

    /** A broker with the trades. */
    @State(Scope.Benchmark)
    public static class Topic {

        /** Compression of the messages. */
        @Param({"none", "lz4"})
        private String compression = "";

        private @Nullable BenchmarkBroker broker;
        private String id = "";

        @Setup(Level.Trial)
        public void produce() throws IOException {
            broker = new BenchmarkBroker();
            byte[] trades = W1Data.trades();
            AtomicInteger at = new AtomicInteger();
            broker.fill("trades", compression, BATCH_BYTES, TRADES, () -> {
                int from = at.getAndAdd(W1Data.LENGTH);
                return Arrays.copyOfRange(trades, from, from + W1Data.LENGTH);
            });
            id = broker.topics().id("trades");
        }

        private BenchmarkBroker broker() {
            return Objects.requireNonNull(broker);
        }

        @TearDown(Level.Trial)
        public void stop() throws IOException {
            broker().close();
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
            pipeline = new TradesPipeline("{ kafka: { bootstrap-servers: '"
                    + topic.broker().servers() + "', topics: trades, direct: " + direct + " } }");
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
        try (KafkaConsumer<byte[], byte[]> consumer = topic.broker().consumer("trades")) {
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
        for (TopicPartition partition : BenchmarkBroker.partitions("trades")) {
            Map<String, Object> settings = Map.of(
                    "bootstrap.servers",
                    topic.broker().servers(),
                    "client.id",
                    "direct",
                    "isolation.level",
                    "read_committed",
                    "key.deserializer",
                    ByteArrayDeserializer.class,
                    "value.deserializer",
                    ByteArrayDeserializer.class);
            try (DirectReader reader = new DirectReader(settings, partition, topic.id, new OffsetAndMetadata(0))) {
                for (int read = 0; read < TRADES / BenchmarkBroker.PARTITIONS; read++) {
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
