package io.millrace.bench;

import io.millrace.bench.KafkaLatency.Load;
import io.millrace.codec.RawBytes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Producer and consumer of {@link KafkaLatency}. Arguments: servers, topic of the producer, topic of the consumer,
 * start in microseconds since 1970, orders a second, and seconds that are measured. The producer does not linger.
 */
final class KafkaLatencyClient {

    private static final int PREPARED = 100_000;
    private static final long PAUSE_MILLIS = 1;

    private KafkaLatencyClient() {}

    static void main(String[] args) throws Exception {
        Load load = new Load(Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        long start = Long.parseLong(args[3]);
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        Pauses pauses = new Pauses();
        Thread producer = Thread.ofPlatform().daemon().start(() -> produce(args[0], args[1], start, load, failure));
        Histogram times = consume(args[0], args[2], start, load, failure);
        producer.join();
        System.out.println(KafkaLatency.describe("produced to read from the output", times));
        System.out.println("producer and consumer: " + pauses.stop());
        System.exit(failure.get() == null ? 0 : 1);
    }

    /** Sends each order once it is due. Its number is its ID, and determines its partition. */
    private static void produce(
            String servers, String topic, long start, Load load, AtomicReference<@Nullable Exception> failure) {
        KafkaJobData data = new KafkaJobData();
        byte[][] prepared = new byte[PREPARED][];
        for (int i = 0; i < PREPARED; i++) {
            prepared[i] = data.get();
        }
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.partitionsFor(topic);
            for (long order = 0; order < load.orders(); ) {
                long now = KafkaLatency.micros() - start;
                for (; order < load.orders() && load.due(order) <= now; order++) {
                    byte[] value = prepared[(int) (order % PREPARED)].clone();
                    RawBytes.putLong(value, 0, order);
                    int partition = (int) (order % BenchmarkBroker.PARTITIONS);
                    var _ = producer.send(new ProducerRecord<>(topic, partition, null, value), (_, error) -> {
                        if (error != null) {
                            failure.compareAndSet(null, error);
                        }
                    });
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            failure.compareAndSet(null, e);
        }
    }

    private static Histogram consume(
            String servers, String topic, long start, Load load, AtomicReference<@Nullable Exception> failure)
            throws Exception {
        Histogram times = new Histogram(KafkaLatency.LONGEST_MICROS, 3);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(BenchmarkBroker.partitions(topic));
            consumer.seekToBeginning(BenchmarkBroker.partitions(topic));
            for (long read = 0; read < load.orders(); ) {
                Exception failed = failure.get();
                if (failed != null) {
                    throw failed;
                }
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
                    load.record(start, RawBytes.getLong(message.value(), 0), KafkaLatency.micros(), times);
                    read++;
                }
            }
        }
        return times;
    }
}
