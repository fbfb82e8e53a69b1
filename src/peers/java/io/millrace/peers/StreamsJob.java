package io.millrace.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Branched;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The job in Kafka Streams, exactly once, with two threads. Its targets are counters, or two topics. Created when it
 * has received its first record, which it holds until {@link #run}; that returns when all records are committed.
 */
public final class StreamsJob implements Runnable, AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final String id = "streams-" + System.nanoTime();
    private final Gate gate = new Gate();
    private final Queue<Count> buys = new ConcurrentLinkedQueue<>();
    private final Queue<Count> sells = new ConcurrentLinkedQueue<>();
    private final long records;
    private final Admin admin;
    private final KafkaStreams streams;

    /** Counts records and keeps nothing. Belongs to the thread of its task. */
    private static final class Count implements Processor<byte[], byte[], Void, Void> {

        private long records;

        @Override
        public void process(Record<byte[], byte[]> message) {
            records++;
        }
    }

    /**
     * @param settings {@code servers}, {@code topic}, {@code records} in it, the file {@code desks}, {@code folder} for
     *     state, and optionally the topics {@code buys} and {@code sells}
     */
    public StreamsJob(Map<String, String> settings) {
        records = Long.parseLong(settings.get("records"));
        admin = Admin.create(Map.of("bootstrap.servers", settings.get("servers")));
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "application.id",
                id,
                "bootstrap.servers",
                settings.get("servers"),
                "processing.guarantee",
                "exactly_once_v2",
                "num.stream.threads",
                "2",
                "auto.offset.reset",
                "earliest",
                "state.dir",
                Path.of(settings.get("folder"), "streams").toString()));
        StreamsBuilder builder = new StreamsBuilder();
        Map<Integer, Long> desks = Orders.desks(Path.of(settings.get("desks")));
        KStream<byte[], byte[]> enriched = builder.stream(
                        settings.get("topic"), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .filter((key, order) -> {
                    gate.pass();
                    return Orders.large(order);
                })
                .mapValues(order -> Orders.enrich(order, desks));
        enriched.split()
                .branch((key, order) -> Orders.buy(order), target(settings.get("buys"), buys))
                .defaultBranch(target(settings.get("sells"), sells));
        streams = new KafkaStreams(builder.build(), properties);
        streams.start();
        gate.awaitRecord();
    }

    private static Branched<byte[], byte[]> target(String topic, Queue<Count> counts) {
        return Branched.withConsumer(branch -> {
            branch.process(() -> {
                Count count = new Count();
                counts.add(count);
                return count;
            });
            if (topic != null) {
                branch.to(topic, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
            }
        });
    }

    @Override
    public void run() {
        gate.open();
        try {
            while (committed() < records) {
                if (streams.state().hasNotStarted() || !streams.state().isRunningOrRebalancing()) {
                    throw new IllegalStateException("Kafka Streams is " + streams.state() + ".");
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long committed() throws InterruptedException {
        try {
            return admin.listConsumerGroupOffsets(id).partitionsToOffsetAndMetadata().get().values().stream()
                    .filter(offset -> offset != null)
                    .mapToLong(offset -> offset.offset())
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (!streams.close(TIMEOUT)) {
            throw new IllegalStateException("Kafka Streams is " + streams.state() + ".");
        }
        admin.deleteConsumerGroups(List.of(id));
        admin.close();
    }

    /** Returns the number of records of each target; once it is closed. */
    @Override
    public String toString() {
        return sum(buys) + " " + sum(sells);
    }

    private static long sum(Queue<Count> counts) {
        return counts.stream().mapToLong(count -> count.records).sum();
    }
}
