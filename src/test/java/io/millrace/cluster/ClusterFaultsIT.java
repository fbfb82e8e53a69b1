package io.millrace.cluster;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.feed.radius.RecordingClient;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.schema.Schemas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * The promises of a cluster: whatever befalls it, each kept record of a file is in its region once and each answered
 * RADIUS request is there, and the cluster becomes whole again without hands. Both feeds run while it is struck by
 * {@linkplain Fault faults}, one after the other in a random order, as many as there is time for.
 *
 * <p>{@code -Dmillrace.faults.minutes} says how long new ones are begun, {@code -Dmillrace.faults.seed} repeats an
 * order, {@code -Dmillrace.faults.kinds} names the only ones to come. Skipped where there is no Docker engine.
 */
@Testcontainers(disabledWithoutDocker = true)
class ClusterFaultsIT {

    private static final int TRADES_IN_FILE = 100_000;
    private static final int REQUESTS_A_SECOND = 200;

    /** The file ends soon, the feed of the same kind that is made up goes on through all faults. */
    private static final String CONFIGURATION = """
            millrace:
              regions:
                filed: { layout: blocks, key: id, copies: 1, persistent: true, block-records: 1 }
                kept: { layout: blocks, key: id, copies: 1, persistent: true }
                some: { layout: entries, key: id, copies: 1, persistent: true }
                calls: { layout: entries, key: sessionId, copies: 1, persistent: true }
              pipelines:
                file:
                  feed: { file: trades.bin }
                  schema: trade
                  steps:
                    - filter: currency1 != 'JPY' and amount1 > 1000000
                    - to: filed
                trades:
                  feed: { generator: { rate: 2000, seed: SEED } }
                  schema: trade
                  steps:
                    - filter: currency1 != 'JPY' and amount1 > 1000000
                    - route:
                        - { when: id % 16 == 0, to: some }
                        - { otherwise: kept }
                calls:
                  feed: { radius: { address: 0.0.0.0, clients: [ { address: 0.0.0.0/0, secret: SECRET } ] } }
                  schema: radius-accounting
                  steps:
                    - to: calls
            """.replace("SECRET", RecordingClient.SECRET);

    @TempDir
    Path folder;

    @Test
    void shouldKeepItsPromisesWhateverBefallsIt() throws Exception {
        long seed = Long.getLong("millrace.faults.seed", System.nanoTime());
        System.out.println("millrace.faults.seed=" + seed);
        Random random = new Random(seed);
        byte[] records = new byte[TRADES_IN_FILE * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), seed + 1).fill(records, 0, TRADES_IN_FILE);
        Path file = Files.write(folder.resolve("trades.bin"), records);
        String configuration = CONFIGURATION.replace("SEED", String.valueOf(seed));
        List<StoredTrades> regions = List.of(
                new StoredTrades("filed", seed + 1, Trade::large, 1, 0),
                new StoredTrades("kept", seed, trade -> trade.large() && trade.id() % 16 != 0, 1, 0),
                // Entries are stored a thousand at a time, in any order.
                new StoredTrades("some", seed, trade -> trade.large() && trade.id() % 16 == 0, 16, 32 * 1024));

        long end = System.nanoTime()
                + Duration.ofMinutes(Long.getLong("millrace.faults.minutes", 4)).toNanos();
        try (Cluster cluster = new Cluster(configuration, file, random)) {
            try (RecordingClient client = new RecordingClient(cluster.radiusPort, REQUESTS_A_SECOND)) {
                cluster.start();
                cluster.awaitRecovery();
                awaitProgress(cluster, client);
                List<Fault> faults = faults(random);
                do {
                    for (int i = 0; i < faults.size() && System.nanoTime() < end; i++) {
                        strike(cluster, faults.get(i), random, client, regions);
                    }
                    Collections.shuffle(faults, random);
                } while (System.nanoTime() < end);
                client.finish();
                await().atMost(60, SECONDS).until(() -> client.answers() == client.sent());
                verifyCalls(cluster, client.answered());
                assertThat(cluster.ingest.get("/api/regions/calls").body()).contains("\"records\":" + client.sent());
            } catch (Throwable e) {
                cluster.nodes().forEach(node -> System.out.println("== " + node + "\n" + node.getLogs()));
                throw e;
            }
        }
    }

    private static List<Fault> faults(Random random) {
        String kinds = System.getProperty("millrace.faults.kinds");
        List<Fault> faults = new ArrayList<>(
                kinds == null
                        ? List.of(Fault.values())
                        : Arrays.stream(kinds.split(",")).map(Fault::valueOf).toList());
        Collections.shuffle(faults, random);
        return faults;
    }

    private static void strike(
            Cluster cluster, Fault fault, Random random, RecordingClient client, List<StoredTrades> regions)
            throws Exception {
        long start = System.nanoTime();
        Map<Node, Integer> logged = new HashMap<>();
        cluster.nodes().forEach(node -> logged.put(node, node.getLogs().length()));
        List<Node> befallen = fault.befall(cluster, random);
        System.out.println(fault + " befell " + befallen + " for " + seconds(start) + " s");
        cluster.awaitRecovery();
        System.out.println(fault + " is over after " + seconds(start) + " s");
        awaitProgress(cluster, client);
        for (Node node : befallen) {
            assertThat(node.getLogs().substring(logged.get(node)))
                    .as("log of " + node)
                    .contains(fault.sentence());
        }
        BitSet answered = client.answered();
        List<Node> asked = List.of(cluster.ingest, cluster.servers.get(0), cluster.servers.get(1));
        for (StoredTrades region : regions) {
            System.out.println("trades verified up to " + region.verify(asked.get(random.nextInt(asked.size()))));
        }
        verifyCalls(cluster, answered);
        System.out.println(fault + " is verified after " + seconds(start) + " s, " + answered.cardinality()
                + " requests were answered");
    }

    private static long seconds(long start) {
        return Duration.ofNanos(System.nanoTime() - start).toSeconds();
    }

    /** Both feeds go on. */
    private static void awaitProgress(Cluster cluster, RecordingClient client) {
        int answers = client.answers();
        long position = position(cluster);
        await().atMost(60, SECONDS).until(() -> client.answers() > answers && position(cluster) > position);
    }

    private static long position(Cluster cluster) {
        String page = cluster.ingest.get("/api/pipelines/trades").body();
        int at = page.indexOf("\"position\":");
        return at < 0 ? -1 : Long.parseLong(page.substring(at + 11, page.indexOf(',', at)));
    }

    /** Asks for each answered request. */
    private static void verifyCalls(Cluster cluster, BitSet answered) {
        BitSet missing = (BitSet) answered.clone();
        missing.andNot(StoredCalls.numbers(cluster.ingest, answered.length()));
        assertThat(missing).as("answered, but not stored").isEqualTo(new BitSet());
    }
}
