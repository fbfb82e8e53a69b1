package io.millrace.bench;

import io.millrace.pipeline.StoredCounts;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.springframework.util.FileSystemUtils;

/**
 * The time from a producer through Millrace: until a consumer of committed messages has a record from the output topic,
 * and until the record is stored in a region of blocks. A producer sends orders of 100 bytes to a topic of four
 * partitions; a pipeline reads it directly and sends all of them to both targets, exactly once.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.KafkaLatency -Dbench="100000 60 200ms"</pre>
 *
 * Arguments: orders a second, seconds that are measured, and {@code millrace.flush}. {@value #WARM_UP_SECONDS} seconds
 * more, at first, are not measured. The times begin when an order was due, also if the producer is late. Those until
 * orders are stored are up to a millisecond too long, because the counters of the writers are read this often. The
 * broker is a process of its own, and so are producer and consumer together ({@link KafkaLatencyClient}).
 */
public final class KafkaLatency {

    static final int WARM_UP_SECONDS = 10;

    /** The longest time that is told from longer ones. */
    static final long LONGEST_MICROS = 60_000_000;

    private static final String INPUT = "orders";
    private static final String OUTPUT = "copies";
    private static final String REGION = "stored";
    private static final int DIGITS = 3;
    private static final long POLL_NANOS = 1_000_000;
    private static final long START_SECONDS = 3;
    private static final double MILLISECOND_MICROS = 1_000;

    private KafkaLatency() {}

    static void main(String[] args) throws Exception {
        Load load = new Load(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        try (BenchmarkBroker broker = new BenchmarkBroker()) {
            broker.topics().create(INPUT, BenchmarkBroker.PARTITIONS);
            broker.topics().create(OUTPUT, BenchmarkBroker.PARTITIONS);
            Path folder = Files.createTempDirectory(W1Data.FOLDER, "latency");
            try (ConfiguredPipeline pipeline = new ConfiguredPipeline(
                    ConfiguredPipeline.Planned.of(configuration(folder, broker.servers(), args[2])),
                    new GeodeStore(GeodeOptions.inFolder(folder.resolve("data"))))) {
                pipeline.start();
                measure(load, broker.servers(), pipeline);
            } finally {
                FileSystemUtils.deleteRecursively(folder);
            }
        }
    }

    /**
     * What is sent.
     *
     * @param rate orders a second
     * @param seconds that are measured
     */
    record Load(int rate, int seconds) {

        private static final long SECOND_MICROS = 1_000_000;

        /** Number of orders before those that are measured. */
        long warmUp() {
            return (long) rate * WARM_UP_SECONDS;
        }

        long orders() {
            return warmUp() + (long) rate * seconds;
        }

        /** Microseconds from the start until an order is due, by its number from 0. */
        long due(long order) {
            return order * SECOND_MICROS / rate;
        }

        /** Adds the time since an order was due, unless it belongs to the warm-up. */
        void record(long startMicros, long order, long nowMicros, Histogram times) {
            if (order >= warmUp()) {
                times.recordValue(Math.clamp(nowMicros - startMicros - due(order), 0, LONGEST_MICROS));
            }
        }
    }

    private static Path configuration(Path folder, String servers, String flush) throws IOException {
        KafkaJobData.writeSchema(folder.resolve("schemas"));
        return Files.writeString(folder.resolve("latency.yml"), """
                millrace:
                  schemas: %s
                  flush: %s
                  regions:
                    %s: { layout: blocks }
                  outputs:
                    copies: { kafka: { bootstrap-servers: '%s', topic: %s, format: record } }
                  pipelines:
                    orders:
                      partitions: 4
                      lanes: 2
                      feed: { kafka: { bootstrap-servers: '%4$s', topics: %s } }
                      schema: order100
                      steps:
                        - to: [ %3$s, 'output:copies' ]
                """.formatted(
                        folder.resolve("schemas").toAbsolutePath(), flush, REGION, servers, OUTPUT, INPUT));
    }

    private static void measure(Load load, String servers, ConfiguredPipeline pipeline) throws Exception {
        long start = micros() + START_SECONDS * Load.SECOND_MICROS;
        Process client = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms1g",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaLatencyClient.class.getName(),
                        servers,
                        INPUT,
                        OUTPUT,
                        Long.toString(start),
                        Integer.toString(load.rate()),
                        Integer.toString(load.seconds()))
                .inheritIO()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(client::destroyForcibly));
        Pauses pauses = new Pauses();
        Histogram stored = awaitStored(load, start, pipeline, client);
        String gc = pauses.stop();
        if (client.waitFor() != 0) {
            throw new IllegalStateException("the client failed");
        }
        System.out.println(describe("produced to stored", stored));
        System.out.println("Millrace: " + gc);
    }

    /** Waits until all orders are stored. Partition p of the topic has the orders p, p + 4 and so on, in order. */
    private static Histogram awaitStored(Load load, long start, ConfiguredPipeline pipeline, Process client) {
        Histogram times = new Histogram(LONGEST_MICROS, DIGITS);
        List<StoredCounts> counts = StoredCounts.of(pipeline.pipeline(), REGION);
        long[] seen = new long[BenchmarkBroker.PARTITIONS];
        for (long all = 0; all < load.orders(); ) {
            LockSupport.parkNanos(POLL_NANOS);
            if (pipeline.status().error() != null || (!client.isAlive() && client.exitValue() != 0)) {
                throw new IllegalStateException("the pipeline or the client failed");
            }
            for (int partition = 0; partition < seen.length; partition++) {
                long records = counts.get(partition).get();
                long now = micros();
                all += records - seen[partition];
                for (; seen[partition] < records; seen[partition]++) {
                    load.record(start, seen[partition] * BenchmarkBroker.PARTITIONS + partition, now, times);
                }
            }
        }
        return times;
    }

    /** Microseconds since 1970, the same in all processes of this machine. */
    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Returns a line with the percentiles of times in microseconds. */
    static String describe(String name, Histogram micros) {
        return String.format(
                Locale.ROOT,
                "%s: %d orders, p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms, max %.1f ms",
                name,
                micros.getTotalCount(),
                micros.getValueAtPercentile(50) / MILLISECOND_MICROS,
                micros.getValueAtPercentile(99) / MILLISECOND_MICROS,
                micros.getValueAtPercentile(99.9) / MILLISECOND_MICROS,
                micros.getMaxValue() / MILLISECOND_MICROS);
    }
}
