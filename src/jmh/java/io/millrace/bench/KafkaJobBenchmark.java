package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
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
 * The same job in Millrace, Kafka Streams and Flink: ten million orders of 100 bytes, a message each, from a topic of
 * four partitions are filtered, enriched from a table of 10,000 rows, and routed to two targets, exactly once. The time
 * is that of each order, and ends when all are processed and committed. All have two threads, the baseline one.
 *
 * <pre>
 * ./mvnw -f src/peers package
 * ./mvnw -Pbench verify -Dbench=KafkaJob
 * </pre>
 *
 * <p>The time of Millrace contains its start. Those of the others begin when they are connected and have received the
 * first message. The targets of Millrace are regions in memory, those of the others count the orders. The baseline
 * {@link #consumer} is a loop over Kafka's consumer with a hash map and two counters, which commits nothing.
 * {@link KafkaTransferBenchmark} has topics as targets.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms4g", "-Xmx4g"})
public class KafkaJobBenchmark {

    static final int ORDERS = 10_000_000;

    /** Kafka's default. */
    private static final int BATCH_BYTES = 16_384;

    /** A broker with the orders. */
    @State(Scope.Benchmark)
    public static class Topic {

        /** Compression of the messages. */
        @Param({"none", "lz4"})
        private String compression = "";

        private @Nullable BenchmarkBroker broker;
        private String targets = "";

        @Setup(Level.Trial)
        public void produce() throws IOException {
            broker = new BenchmarkBroker();
            KafkaJobData orders = new KafkaJobData();
            broker.fill("orders", compression, BATCH_BYTES, ORDERS, orders);
            targets = orders.targets();
        }

        BenchmarkBroker broker() {
            return Objects.requireNonNull(broker);
        }

        /** Requires that the targets have received as many orders as a plain loop has found. */
        void requireTargets(String found) {
            if (!found.equals(targets)) {
                throw new IllegalStateException("found " + found + " and not " + targets);
            }
        }

        @TearDown(Level.Trial)
        public void stop() throws IOException {
            broker().close();
        }
    }

    /** What runs the job: Millrace in this process, the others in one of their own. */
    public enum Program {
        MILLRACE(null),
        STREAMS("StreamsJob"),
        FLINK("FlinkJob");

        private final @Nullable String peer;

        Program(@Nullable String peer) {
            this.peer = peer;
        }
    }

    /** A job for each invocation. */
    @State(Scope.Benchmark)
    public static class Run {

        @Param({"MILLRACE", "STREAMS", "FLINK"})
        private Program program = Program.MILLRACE;

        private @Nullable PeerProcess process;
        private @Nullable KafkaJob job;

        @Setup(Level.Trial)
        public void start() throws IOException {
            process = program.peer == null ? null : new PeerProcess(program.peer);
        }

        @Setup(Level.Invocation)
        public void open(Topic topic) throws IOException {
            prepare(topic.broker());
            System.gc();
            String servers = topic.broker().servers();
            boolean toTopics = toTopics();
            job = process == null
                    ? new KafkaJob.Millrace(servers, ORDERS, toTopics)
                    : new KafkaJob.Peer(process, servers, ORDERS, toTopics);
        }

        /** Whether the targets are topics. */
        boolean toTopics() {
            return false;
        }

        /** Creates the targets. */
        void prepare(BenchmarkBroker broker) {}

        /** Checks the targets and removes them. */
        void check(Topic topic) {}

        void run() {
            Objects.requireNonNull(job).run();
        }

        @TearDown(Level.Invocation)
        public void close(Topic topic) {
            KafkaJob ended = Objects.requireNonNull(job);
            ended.close();
            topic.requireTargets(ended.targets());
            check(topic);
        }

        @TearDown(Level.Trial)
        public void stop() {
            if (process != null) {
                process.close();
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public void job(Topic topic, Run run) {
        run.run();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public long consumer(Topic topic) {
        Map<Integer, Long> desks = new HashMap<>();
        for (int i = 0; i < KafkaJobData.COUNTERPARTIES; i++) {
            desks.put(i, W1Data.desk(i));
        }
        long buys = 0;
        long sells = 0;
        long sum = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = topic.broker().consumer("orders")) {
            for (int read = 0; read < ORDERS; ) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    byte[] order = message.value();
                    read++;
                    if (W1Data.large(order, 0)) {
                        sum += Objects.requireNonNull(desks.get(RawBytes.getInt(order, KafkaJobData.COUNTERPARTY)));
                        if (W1Data.buy(order, 0)) {
                            buys++;
                        } else {
                            sells++;
                        }
                    }
                }
            }
        }
        topic.requireTargets(buys + " " + sells);
        return sum;
    }
}
