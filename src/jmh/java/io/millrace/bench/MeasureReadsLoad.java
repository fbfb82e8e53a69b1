package io.millrace.bench;

import io.millrace.application.MillraceApplication;
import io.millrace.codec.RawBytes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/**
 * What clients that read a measure of 1,000,000 groups in a loop cost the ingest of its pipeline: the whole service
 * with its web server, a pipeline of one measure, and records of random groups as messages from one thread. Rounds of
 * one time span without and one with clients, in alternating order; prints records a second of each and the ratios.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.MeasureReadsLoad -Dbench="4 24 1 100"</pre>
 *
 * The arguments are clients, rounds, seconds of a time span, and rows that a client reads at a time. One round more, at
 * first, is not counted. Clients are in this JVM and ask again as soon as they have an answer.
 */
public final class MeasureReadsLoad {

    private static final int GROUPS = 1_000_000;
    private static final int BATCH = 2048;
    private static final int BATCHES = 2048;
    private static final int LENGTH = 16;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ConfigurableApplicationContext context;
    private final List<Message<byte[]>> batches;
    private final AtomicLong reads = new AtomicLong();

    private MeasureReadsLoad(ConfigurableApplicationContext context) {
        this.context = context;
        this.batches = batches();
    }

    static void main(String[] args) throws Exception {
        int clients = Integer.parseInt(args[0]);
        int count = Integer.parseInt(args[1]);
        long nanos = Long.parseLong(args[2]) * 1_000_000_000;
        THREADS.setThreadContentionMonitoringEnabled(true);
        Path folder = Files.createTempDirectory("measure-reads");
        try (ConfigurableApplicationContext context = start(folder)) {
            MeasureReadsLoad load = new MeasureReadsLoad(context);
            load.fill();
            List<Span[]> rounds = new ArrayList<>();
            for (int round = 0; round <= count; round++) {
                boolean readersFirst = round % 2 == 1;
                Span first = load.run(readersFirst ? clients : 0, args[3], nanos);
                Span second = load.run(readersFirst ? 0 : clients, args[3], nanos);
                Span[] pair = readersFirst ? new Span[] {second, first} : new Span[] {first, second};
                System.out.printf("round %d: without clients %s; with %d %s%n", round, pair[0], clients, pair[1]);
                if (round > 0) {
                    rounds.add(pair);
                }
            }
            print("records/s", rounds, span -> -span.perSecond());
            print("ns of the thread that sends, a record", rounds, Span::nanosOfThread);
        }
    }

    /**
     * What was measured in a time span.
     *
     * @param perSecond records a second
     * @param nanosOfThread processor time of the thread that sends, and time in which it waits for others, for a
     *     record: other processes on the machine prolong neither
     * @param reads answers to all clients
     */
    private record Span(double perSecond, double nanosOfThread, long reads) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%,.0f records/s, %.1f ns of its thread, %,d reads", perSecond, nanosOfThread, reads);
        }
    }

    /** @param value the smaller the better */
    private static void print(String what, List<Span[]> rounds, ToDoubleFunction<Span> value) {
        double[] without = rounds.stream()
                .mapToDouble(pair -> value.applyAsDouble(pair[0]))
                .sorted()
                .toArray();
        double[] with = rounds.stream()
                .mapToDouble(pair -> value.applyAsDouble(pair[1]))
                .sorted()
                .toArray();
        double[] ratios = rounds.stream()
                .mapToDouble(pair -> value.applyAsDouble(pair[1]) / value.applyAsDouble(pair[0]))
                .sorted()
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "%s: without clients best %,.1f, median %,.1f; with best %,.1f, median %,.1f; ratio of best %.3f, of"
                        + " medians %.3f, paired %.3f (quartiles %.3f to %.3f)%n",
                what,
                Math.abs(without[0]),
                Math.abs(median(without)),
                Math.abs(with[0]),
                Math.abs(median(with)),
                with[0] / without[0],
                median(with) / median(without),
                median(ratios),
                ratios[ratios.length / 4],
                ratios[ratios.length * 3 / 4]);
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static ConfigurableApplicationContext start(Path folder) throws IOException {
        Path schemas = Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("sale.yml"), """
                schema: sale
                fields:
                  - { name: shop,   type: i64 }
                  - { name: amount, type: decimal, scale: 2, as: i64 }
                """);
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: %s
                  regions:
                    none: { layout: blocks }
                  pipelines:
                    till:
                      schema: sale
                      steps:
                        - measure: { name: turnover, by: shop, every: 24h, max-groups: %d, values: { n: count(), sum: sum(amount) } }
                        - filter: amount < 0
                        - to: none
                """.formatted(schemas, GROUPS));
        return SpringApplication.run(
                MillraceApplication.class,
                "--spring.config.additional-location=" + config.toUri(),
                "--server.port=0",
                // On the class path of tests; it would take a cluster that runs on this machine.
                "--spring.docker.compose.enabled=false",
                "--millrace.data=" + folder.resolve("data"),
                "--logging.level.io.millrace=warn");
    }

    private static List<Message<byte[]>> batches() {
        Random random = new Random(7);
        List<Message<byte[]>> made = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
            byte[] bytes = new byte[BATCH * LENGTH];
            for (int at = 0; at < bytes.length; at += LENGTH) {
                RawBytes.putLong(bytes, at, random.nextInt(GROUPS));
                RawBytes.putLong(bytes, at + 8, random.nextInt(1_000_000));
            }
            made.add(new GenericMessage<>(bytes));
        }
        return made;
    }

    private MessageChannel in() {
        return context.getBean("till.in", MessageChannel.class);
    }

    /** Sends a record of nearly every group. */
    private void fill() {
        batches.forEach(in()::send);
    }

    private Span run(int clients, String limit, long nanos) throws Exception {
        URI uri = URI.create("http://127.0.0.1:"
                + Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port"))
                + "/api/measures/turnover?limit=" + limit);
        List<Thread> threads = new ArrayList<>();
        long end = System.nanoTime() + nanos;
        for (int i = 0; i < clients; i++) {
            threads.add(Thread.ofPlatform().daemon().start(() -> readUntil(uri, end)));
        }
        MessageChannel in = in();
        long sent = 0;
        long usedNanos = nanosOfThread();
        long began = System.nanoTime();
        long now = began;
        while (now < end) {
            in.send(batches.get((int) (sent++ % BATCHES)));
            now = System.nanoTime();
        }
        usedNanos = nanosOfThread() - usedNanos;
        for (Thread thread : threads) {
            thread.join();
        }
        double records = (double) sent * BATCH;
        return new Span(records * 1e9 / (now - began), usedNanos / records, reads.getAndSet(0));
    }

    /** What this thread has used of a processor, and the time in which it has waited for other threads. */
    private static long nanosOfThread() {
        ThreadInfo info = THREADS.getThreadInfo(Thread.currentThread().threadId());
        return THREADS.getCurrentThreadCpuTime() + 1_000_000 * (info.getWaitedTime() + info.getBlockedTime());
    }

    private void readUntil(URI uri, long end) {
        while (System.nanoTime() < end) {
            try {
                URLConnection connection = uri.toURL().openConnection();
                try (InputStream answer = connection.getInputStream()) {
                    if (answer.readAllBytes().length == 0) {
                        throw new IOException("the answer is empty");
                    }
                }
                reads.incrementAndGet();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
