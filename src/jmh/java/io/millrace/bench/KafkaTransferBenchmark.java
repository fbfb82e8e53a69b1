package io.millrace.bench;

import io.millrace.bench.KafkaJobBenchmark.Topic;
import io.millrace.codec.RawBytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The job of {@link KafkaJobBenchmark} with two topics of four partitions as targets, written by transactions. After
 * each run, the committed messages are read and counted.
 *
 * <pre>
 * ./mvnw -f src/peers package
 * ./mvnw -Pbench verify -Dbench=KafkaTransfer
 * </pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms4g", "-Xmx4g"})
public class KafkaTransferBenchmark {

    private static final List<String> TARGETS = List.of("buys", "sells");
    private static final int DESK = KafkaJobData.LENGTH;

    /** A job for each invocation. */
    @State(Scope.Benchmark)
    public static class Transfer extends KafkaJobBenchmark.Run {

        @Override
        boolean toTopics() {
            return true;
        }

        @Override
        void prepare(BenchmarkBroker broker) {
            TARGETS.forEach(target -> broker.topics().create(target, BenchmarkBroker.PARTITIONS));
        }

        @Override
        void check(Topic topic) {
            BenchmarkBroker broker = topic.broker();
            topic.requireTargets(count(broker, "buys", true) + " " + count(broker, "sells", false));
            TARGETS.forEach(target -> broker.topics().delete(target));
        }

        private static long count(BenchmarkBroker broker, String topic, boolean buys) {
            long count = 0;
            try (KafkaConsumer<byte[], byte[]> consumer = broker.consumer(topic)) {
                for (var end :
                        consumer.endOffsets(BenchmarkBroker.partitions(topic)).entrySet()) {
                    TopicPartition partition = end.getKey();
                    while (consumer.position(partition) < end.getValue()) {
                        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                            byte[] order = message.value();
                            int counterparty = RawBytes.getInt(order, KafkaJobData.COUNTERPARTY);
                            if (W1Data.buy(order, 0) != buys
                                    || RawBytes.getLong(order, DESK) != W1Data.desk(counterparty)) {
                                throw new IllegalStateException("wrong order in " + partition);
                            }
                            count++;
                        }
                    }
                }
            }
            return count;
        }
    }

    @Benchmark
    @OperationsPerInvocation(KafkaJobBenchmark.ORDERS)
    public void transfer(Topic topic, Transfer run) {
        run.run();
    }
}
