package io.millrace.bench;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.nemesis.LocalCluster;
import io.millrace.nemesis.ServiceNode;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.springframework.util.FileSystemUtils;

/**
 * How long the partitions of an ingest node that ends are without an owner. Two nodes, each a process of the packaged
 * service as are their locator and their server, share {@value #PARTITIONS} partitions of a file. In each round one of
 * them receives the signal to end, and starts again later; the next round ends the other one.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.TransferTimes -Dbench=9</pre>
 *
 * The argument is the number of rounds. Prints the time from the signal until the other node owns one more partition,
 * half of those that move, and all of them, in milliseconds of wall-clock time, best and median. The status is polled
 * every 5 ms.
 */
public final class TransferTimes {

    private static final int PARTITIONS = 16;
    private static final int MOVES = PARTITIONS / 2;
    private static final int RECORDS = 2_000_000;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int POLL_MILLIS = 5;

    private static final Pattern OWN =
            Pattern.compile("\"partition\":\\d+,\"state\":\"(?:running|waiting|done|degraded)\"");

    private static final String CONFIGURATION = """
            millrace:
              regions:
                trades: { layout: blocks }
              pipelines:
                trades:
                  feed: { file: trades.bin }
                  schema: trade
                  partitions: PARTITIONS
                  lanes: 2
                  steps:
                    - to: trades
            """.replace("PARTITIONS", Integer.toString(PARTITIONS));

    private TransferTimes() {}

    public static void main(String[] args) throws Exception {
        Path folder =
                Files.createTempDirectory(Files.createDirectories(W1Data.FOLDER).toAbsolutePath(), "transfer");
        try (LocalCluster cluster = new LocalCluster(folder).asShipped(true)) {
            run(cluster, folder, Integer.parseInt(args[0]));
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private static void run(LocalCluster cluster, Path folder, int rounds) throws Exception {
        byte[] records = new byte[RECORDS * Schemas.builtIn().get("trade").recordLength()];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(records, 0, RECORDS);
        Files.write(folder.resolve("trades.bin"), records);
        Files.writeString(folder.resolve("config.yml"), CONFIGURATION);
        cluster.locator().restart();
        cluster.server("one", "config.yml").restart();
        ServiceNode ends = cluster.ingest("a", "config.yml");
        ServiceNode stays = cluster.ingest("b", "config.yml");
        ends.restart();
        stays.restart();
        double[][] millis = new double[MOVES][rounds];
        for (int round = 0; round < rounds; round++) {
            awaitOwned(ends, MOVES);
            awaitOwned(stays, MOVES);
            measure(ends, stays, millis, round);
            ends.restart();
            ServiceNode former = ends;
            ends = stays;
            stays = former;
        }
        print("one", millis[0]);
        print("half", millis[MOVES / 2 - 1]);
        print("all", millis[MOVES - 1]);
    }

    private static void measure(ServiceNode ends, ServiceNode stays, double[][] millis, int round) throws Exception {
        long start = System.nanoTime();
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> {
            try {
                ends.shutDown();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        int moved = 0;
        while (moved < MOVES) {
            int now = owned(stays) - MOVES;
            double elapsed = (System.nanoTime() - start) / 1e6;
            for (; moved < now; moved++) {
                millis[moved][round] = elapsed;
            }
            requireInTime(start);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        stop.get();
    }

    private static void awaitOwned(ServiceNode node, int count) throws Exception {
        long start = System.nanoTime();
        while (owned(node) != count) {
            requireInTime(start);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static void requireInTime(long start) {
        if (System.nanoTime() - start > LONGEST.toNanos()) {
            throw new IllegalStateException("The partitions have not moved in " + LONGEST.toMinutes() + " minutes.");
        }
    }

    /** Returns how many partitions a node owns, 0 if it does not answer. */
    private static int owned(ServiceNode node) throws InterruptedException {
        try {
            String status = node.millrace().get("/api/pipelines/trades");
            return status == null ? 0 : (int) OWN.matcher(status).results().count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static void print(String what, double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        System.out.printf(Locale.ROOT, "%-4s best %.0f median %.0f%n", what, sorted[0], sorted[sorted.length / 2]);
    }
}
