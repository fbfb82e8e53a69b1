package io.millrace.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestBudget;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.feed.radius.RecordingClient;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.Testcontainers;

/**
 * The promises of a cluster: whatever fails, each kept record of a file is in its region once and each answered RADIUS
 * request is there, and the cluster recovers by itself. Both feeds run while it is struck by {@linkplain Fault faults}
 * in a random order, two at a time and alone in turns, as many as there is time for. Of the two ingest nodes one reads
 * the file, and the other one takes over; RADIUS requests go to both.
 *
 * <p>{@code -Dmillrace.faults.minutes} says how long new ones are begun, {@code -Dmillrace.faults.seed} repeats an
 * order, {@code -Dmillrace.faults.kinds} names the only ones to come. At the end it prints a {@linkplain FaultReport
 * report}. Skipped where there is no Docker engine.
 */
@Testcontainers(disabledWithoutDocker = true)
class ClusterFaultsIT {

    private static final int TRADES_IN_FILE = 100_000;
    /** To each ingest. */
    private static final int REQUESTS_A_SECOND = 100;
    /** More than one client sends. */
    private static final int SESSIONS_OF_A_CLIENT = 100_000_000;

    private static final Pattern RECORDS = Pattern.compile("\"records\":(\\d+)");

    /** The file ends soon, the feed of the same kind that is made up goes on through all faults. */
    private static final String CONFIGURATION = """
        millrace:
          regions:
            filed: { layout: blocks, key: id, redundant-copies: 1, persistent: true, block-records: 1 }
            kept: { layout: blocks, key: id, redundant-copies: 1, persistent: true }
            some: { layout: entries, key: id, redundant-copies: 1, persistent: true }
            calls: { layout: entries, key: sessionId, redundant-copies: 1, persistent: true }
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
    void shouldKeepItsPromisesWhateverFails() throws Exception {
        long seed = Long.getLong("millrace.faults.seed", TestBudget.seed());
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
                + Duration.ofMinutes(Long.getLong("millrace.faults.minutes", 0)).toNanos();
        FaultReport report = new FaultReport();
        try (Cluster cluster = new Cluster(configuration, file)) {
            try (RecordingClient first = client(cluster, 0);
                    RecordingClient second = client(cluster, 1)) {
                List<RecordingClient> clients = List.of(first, second);
                cluster.start();
                cluster.awaitRecovery();
                awaitProgress(cluster, clients);
                List<Fault> faults = faults(random);
                int next = 0;
                boolean two = true;
                do {
                    if (next == faults.size()) {
                        Collections.shuffle(faults, random);
                        next = 0;
                    }
                    Fault fault = faults.get(next++);
                    List<Fault> struck = two ? together(fault, random) : List.of(fault);
                    strike(cluster, struck, random, clients, regions).forEach(report::add);
                    two = !two;
                } while (System.nanoTime() < end);
                clients.forEach(RecordingClient::finish);
                await().until(() -> clients.stream().allMatch(client -> client.answers() == client.sent()));
                verifyCalls(cluster, answered(clients));
                long sent = clients.stream().mapToLong(RecordingClient::sent).sum();
                assertThat(records(cluster, "calls")).as("stored requests").isEqualTo(sent);
                long kept = 0;
                for (StoredTrades region : regions) {
                    kept += region.verify(cluster.owner());
                }
                System.out.println(report);
                System.out.println(kept + " trades are stored once, and all of " + sent + " requests");
            } catch (Throwable e) {
                cluster.nodes().forEach(node -> System.out.println("== " + node + "\n" + node.getLogs()));
                throw e;
            }
        }
    }

    private static RecordingClient client(Cluster cluster, int number) throws IOException {
        return new RecordingClient(cluster.radiusPorts.get(number), REQUESTS_A_SECOND, number * SESSIONS_OF_A_CLIENT);
    }

    /**
     * In the order in which they come; the first one makes the other ingest take over, however little time there is.
     */
    private static List<Fault> faults(Random random) {
        String kinds = System.getProperty("millrace.faults.kinds");
        if (kinds != null) {
            List<Fault> faults = new ArrayList<>(
                    Arrays.stream(kinds.split(",")).map(Fault::valueOf).toList());
            Collections.shuffle(faults, random);
            return faults;
        }
        List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(faults, random);
        Fault first = random.nextBoolean() ? Fault.KILL_INGEST : Fault.PAUSE_INGEST;
        faults.remove(first);
        faults.addFirst(first);
        return faults;
    }

    /** Returns a fault and another one that acts at the same time, if there is one. */
    private static List<Fault> together(Fault fault, Random random) {
        List<Fault> companions = new ArrayList<>(
                Arrays.stream(Fault.values()).filter(fault::goesWith).toList());
        if (companions.isEmpty()) {
            return List.of(fault);
        }
        return List.of(fault, companions.get(random.nextInt(companions.size())));
    }

    private static List<FaultReport.Strike> strike(
            Cluster cluster,
            List<Fault> faults,
            Random random,
            List<RecordingClient> clients,
            List<StoredTrades> regions)
            throws Exception {
        long start = System.nanoTime();
        int takeovers = cluster.takeovers().size();
        Map<Node, Integer> logged = new HashMap<>();
        cluster.nodes().forEach(node -> logged.put(node, node.getLogs().length()));
        Map<Fault, Future<List<Node>>> strikes = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (Fault fault : faults) {
                strikes.put(fault, threads.submit(() -> fault.strike(cluster, random)));
            }
        }
        System.out.println(faults + " lasted for " + seconds(start) + " s");
        cluster.awaitRecovery();
        Duration recovery = Duration.ofNanos(System.nanoTime() - start);
        System.out.println(faults + " are over after " + recovery.toSeconds() + " s");
        awaitProgress(cluster, clients);
        for (Map.Entry<Fault, Future<List<Node>>> strike : strikes.entrySet()) {
            List<Node> struck = strike.getValue().get();
            // Of two faults, one may prevent the other one from being noticed.
            for (Node node : faults.size() == 1 ? struck : List.<Node>of()) {
                assertThat(node.getLogs().substring(logged.get(node)))
                        .as("log of " + node)
                        .contains(strike.getKey().sentence());
            }
        }
        List<BitSet> answered = answered(clients);
        List<Node> queried = Stream.of(cluster.ingests, cluster.servers)
                .flatMap(List::stream)
                .toList();
        for (StoredTrades region : regions) {
            System.out.println("trades verified: " + region.verify(queried.get(random.nextInt(queried.size()))));
        }
        verifyCalls(cluster, answered);
        System.out.println(faults + " are verified after " + seconds(start) + " s, "
                + answered.stream().mapToInt(BitSet::cardinality).sum() + " requests were answered");
        List<Duration> all = cluster.takeovers();
        List<Duration> own = all.subList(takeovers, all.size());
        return faults.stream()
                .map(fault -> new FaultReport.Strike(fault, fault == faults.getFirst() ? own : List.of(), recovery))
                .toList();
    }

    private static long seconds(long start) {
        return Duration.ofNanos(System.nanoTime() - start).toSeconds();
    }

    /** All feeds go on. */
    private static void awaitProgress(Cluster cluster, List<RecordingClient> clients) {
        long position = position(cluster.owner());
        await().until(() -> position(cluster.owner()) > position);
        for (RecordingClient client : clients) {
            int answers = client.answers();
            await().until(() -> client.answers() > answers);
        }
    }

    private static long position(Node owner) {
        String page = owner.get("/api/pipelines/trades").body();
        int at = page.indexOf("\"position\":");
        return at < 0 ? -1 : Long.parseLong(page.substring(at + 11, page.indexOf(',', at)));
    }

    private static List<BitSet> answered(List<RecordingClient> clients) {
        return clients.stream().map(RecordingClient::answered).toList();
    }

    /** Asks for each answered request. */
    private static void verifyCalls(Cluster cluster, List<BitSet> answered) {
        for (int client = 0; client < answered.size(); client++) {
            BitSet missing = (BitSet) answered.get(client).clone();
            missing.andNot(StoredCalls.numbers(cluster.owner(), client * SESSIONS_OF_A_CLIENT, missing.length()));
            assertThat(missing).as("answered, but not stored").isEqualTo(new BitSet());
        }
    }

    private static long records(Cluster cluster, String region) {
        Matcher records =
                RECORDS.matcher(cluster.owner().get("/api/regions/" + region).body());
        return records.find() ? Long.parseLong(records.group(1)) : -1;
    }
}
