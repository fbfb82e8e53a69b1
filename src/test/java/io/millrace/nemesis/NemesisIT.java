package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.TestBudget;
import io.millrace.pipeline.TradeFile;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promises of a cluster under nemeses, two at a time and alone in turns: of processes, clocks, disks, networks,
 * single connections, configurations, rules and tables. Each record of a feed with positions is stored once, by the
 * version of the rules that the history names, in one region, whatever the table contained; none expires early, and
 * each is in one window of processing time. Each record that is acknowledged to a client is in each later read.
 *
 * <p>{@code -Dmillrace.nemesis.minutes=60} runs three servers and three ingest nodes for so long, and
 * {@code -Dmillrace.nemesis.strikes} so many strikes against two of each. {@code -Dmillrace.nemesis.seed} repeats an
 * order, and {@code -Dmillrace.nemesis.only=disk} leaves out nemeses whose names do not contain this text.
 */
@Tag("long")
class NemesisIT {

    private static final int MINUTES = Integer.getInteger("millrace.nemesis.minutes", 0);
    private static final int STRIKES = Integer.getInteger("millrace.nemesis.strikes", 2);
    private static final int OF_EACH = MINUTES > 0 ? 3 : 2;

    /** Longer than the others wait for a member, and than a standby waits for the owner. */
    private static final int MAX_STRIKE_MILLIS = 12_000;

    private static final Duration NETWORK_DELAY = Duration.ofMillis(30);

    /** Longer than a run of an hour. */
    private static final int RETAIN_MINUTES = 150;

    private static final Duration CLOCK_AHEAD =
            Duration.ofMinutes(RETAIN_MINUTES).plusHours(1);

    private static final MarkedRules RULES = MarkedRules.byTable("""
            - measure: { name: trades, every: 1s, values: { trades: count() }, to: windows }
            - enrich: { table: desks, key: id % 10, add: { desk: side } }
            """, "desk == 1");

    /** Refused because the pipeline has not started, or the rules have changed meanwhile, or the store is not there. */
    private static final Set<Integer> REFUSALS = Set.of(409, 412, 503, 504);

    private static final Pattern POSITION = Pattern.compile("\"position\":(\\d+)");
    private static final Pattern COUNTED = Pattern.compile("\"sum\\(trades\\)\":(\\d+)");

    private final long seed = Long.getLong("millrace.nemesis.seed", TestBudget.seed());
    private final Random random = new Random(seed);
    private final AtomicInteger mark = new AtomicInteger(3);
    private final Map<String, SystemFaults> faults = new HashMap<>();
    private final List<Integer> ports = new ArrayList<>();

    /** Kept after a failure, to find out what was stored. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    /** @param mark a multiple of 3, so that the rules use both regions */
    private static String configuration(int mark) {
        return """
            millrace:
              batch-records: 200
              tables:
                desks: { file: desks.csv, key: id, refresh: 50ms }
              regions:
                buys:
                  { layout: blocks, key: id, redundant-copies: 1, persistent: true, block-records: 50, retain: { age: %dm } }
                windows: { layout: blocks, redundant-copies: 1, persistent: true }
                sells: { layout: entries, key: id, redundant-copies: 1, persistent: true }
                added: { layout: blocks, key: id, redundant-copies: 1, persistent: true }
                registers: { layout: entries, key: id, redundant-copies: 1, persistent: true }
              pipelines:
            """.formatted(RETAIN_MINUTES) + TradeClient.PIPELINE.indent(4) + """
                trades:
                  feed: { generator: { rate: 300, seed: 1 } }
                  schema: trade
            """
                + RULES.yaml(mark).indent(6);
    }

    /** Sends the records with some keys to one region, the others to the other one. */
    private String table() {
        return IntStream.range(0, 10)
                .mapToObj(id -> id + "," + random.nextInt(2))
                .collect(Collectors.joining("\n", "id,side\n", "\n"));
    }

    @Test
    void shouldLoseAndDoubleNothingUnderNemeses() throws Exception {
        System.out.println("millrace.nemesis.seed=" + seed);
        Files.writeString(folder.resolve("desks.csv"), table());
        Files.writeString(folder.resolve("config.yml"), configuration(mark.get()));
        try (LocalCluster cluster = new LocalCluster(folder, "--millrace.geode.member-timeout=3s")) {
            prepare(cluster);
            ServiceNode server = cluster.servers().getFirst();
            try (NetworkNemesis network = new NetworkNemesis(server.port())) {
                ServiceNode ingest = cluster.ingests().getFirst();
                faults(ingest.name()).redirect(server.port(), network.port());
                cluster.start();
                run(cluster, nemeses(cluster).add("connections", network.nemeses("connections of " + ingest)));
            } catch (Throwable e) {
                cluster.printOutput();
                throw e;
            }
        }
    }

    private void run(LocalCluster cluster, Nemeses nemeses) throws Exception {
        cluster.awaitIntact();
        try (ClusterWorkload workload = new ClusterWorkload(cluster, ports, seed)) {
            workload.awaitProgress();
            long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
            try {
                do {
                    nemeses.strike(2 - nemeses.count() % 2, MAX_STRIKE_MILLIS, () -> {
                        cluster.awaitIntact();
                        workload.awaitProgress();
                        awaitProgress(cluster);
                    });
                } while (MINUTES > 0 ? System.nanoTime() < end : nemeses.count() < STRIKES);
            } catch (Throwable e) {
                System.out.println("until the failure:");
                workload.check();
                throw e;
            } finally {
                System.out.println(nemeses);
            }
            workload.verify();
            verifyTrades(cluster);
        }
    }

    private void prepare(LocalCluster cluster) throws Exception {
        for (int i = 1; i <= OF_EACH; i++) {
            cluster.server("server-" + i, "config.yml");
            ports.add(FreePort.next());
            cluster.ingest("ingest-" + i, "config.yml", "--millrace.pipelines.sent.feed.tcp.port=" + ports.getLast());
        }
        for (ServiceNode node : cluster.nodes()) {
            faults.put(node.name(), SystemFaults.in(Files.createDirectories(folder.resolve("faults-" + node))));
        }
        cluster.environment(name -> faults(name).environment());
    }

    private SystemFaults faults(String name) {
        return Objects.requireNonNull(faults.get(name));
    }

    private Nemeses nemeses(LocalCluster cluster) {
        Nemeses nemeses = new Nemeses(seed, System.getProperty("millrace.nemesis.only", ""))
                .add("locator", ProcessNemesis.kill(cluster.locator()))
                .add("table", FileNemesis.replaceRepeatedly(folder.resolve("desks.csv"), 200, seed, this::table))
                .add("rules", Nemesis.repeated("changing rules", 500, seed, () -> changeRules(cluster)));
        for (ServiceNode server : cluster.servers()) {
            SystemFaults own = faults(server.name());
            nemeses.add(
                    server.name(),
                    ProcessNemesis.kill(server),
                    ProcessNemesis.pause(server),
                    ProcessNemesis.slow(server),
                    ClockNemesis.jumps(own, seed),
                    ClockNemesis.step(own, CLOCK_AHEAD),
                    FileNemesis.slowWrites(own, folder.resolve(server.name()), Duration.ofMillis(20)),
                    FileNemesis.fullDisk(own, folder.resolve(server.name())),
                    NetworkNemesis.mute(server.name(), own),
                    NetworkNemesis.deaf(server.name(), own),
                    NetworkNemesis.slow(server.name(), own, NETWORK_DELAY),
                    NetworkNemesis.idle(server.name(), server.port()));
        }
        for (ServiceNode ingest : cluster.ingests()) {
            SystemFaults own = faults(ingest.name());
            nemeses.add(
                    ingest.name(),
                    ProcessNemesis.kill(ingest),
                    ProcessNemesis.shutDown(ingest),
                    ProcessNemesis.pause(ingest),
                    ProcessNemesis.slow(ingest),
                    ClockNemesis.step(own, Duration.ofHours(-1)),
                    ClockNemesis.step(own, Duration.ofHours(1)),
                    ClockNemesis.drift(own, 500_000),
                    NetworkNemesis.mute(ingest.name(), own),
                    NetworkNemesis.deaf(ingest.name(), own),
                    NetworkNemesis.slow(ingest.name(), own, NETWORK_DELAY),
                    newerConfiguration(ingest));
        }
        return nemeses;
    }

    /** A process that is started with rules that the others do not have, and then with those of the beginning again. */
    private Nemesis newerConfiguration(ServiceNode ingest) {
        AtomicInteger started = new AtomicInteger();
        return Nemesis.of(
                "newer configuration of " + ingest,
                () -> {
                    ingest.kill();
                    int other = mark.updateAndGet(last -> last - last % 3 + 3);
                    started.set(other);
                    String newer = "newer-" + other + ".yml";
                    Files.writeString(folder.resolve(newer), configuration(other));
                    ingest.restart(argument -> argument.equals("config.yml") ? newer : argument);
                },
                () -> {
                    ingest.kill();
                    RULES.takeBack(started.get());
                    ingest.restart();
                });
    }

    private void changeRules(LocalCluster cluster) throws Exception {
        ServiceNode ingest = cluster.ingests().get(random.nextInt(OF_EACH));
        try {
            HttpResponse<String> response = ingest.millrace()
                    .send(
                            "POST",
                            "/api/pipelines/trades/rules",
                            "application/yaml",
                            RULES.yaml(mark.incrementAndGet()));
            if (response.statusCode() != 200) {
                assertThat(REFUSALS).as(response.body()).contains(response.statusCode());
            }
        } catch (IOException e) {
            // it is killed, or starts
        }
    }

    private static ServiceNode owner(LocalCluster cluster) {
        return await("owner")
                .until(
                        () -> cluster.ingests().stream()
                                .filter(node -> node.state("trades").equals("running"))
                                .findFirst(),
                        found -> found.isPresent())
                .orElseThrow();
    }

    private static long position(ServiceNode owner) {
        Matcher position = POSITION.matcher(owner.millrace().page("/api/pipelines/trades"));
        return position.find() ? Long.parseLong(position.group(1)) : -1;
    }

    private static long counted(ServiceNode owner) {
        Matcher counted = COUNTED.matcher(owner.millrace().page("/api/regions/windows/aggregate?values=sum(trades)"));
        return counted.find() ? Long.parseLong(counted.group(1)) : -1;
    }

    private static void awaitProgress(LocalCluster cluster) {
        ServiceNode owner = owner(cluster);
        long position = position(owner);
        await("progress of the feed").until(() -> position(owner(cluster)) > position);
    }

    private static ServiceNode pauseOwner(LocalCluster cluster) throws Exception {
        ServiceNode owner = owner(cluster);
        owner.millrace().replay("trades", "{\"paused\":true}");
        return owner;
    }

    /** Each record up to the position is stored once, by the version that the history names, and in one window. */
    private static void verifyTrades(LocalCluster cluster) throws Exception {
        ServiceNode[] paused = {pauseOwner(cluster)};
        await().pollInterval(1, TimeUnit.SECONDS).until(() -> {
            if (paused[0].state("trades").equals("standby")) {
                paused[0] = pauseOwner(cluster); // the former one was taken over meanwhile
            }
            long position = position(paused[0]);
            Thread.sleep(1000); // longer than a flush
            String page = paused[0].millrace().page("/api/pipelines/trades");
            return page.contains("\"inFlight\":0,")
                    && !page.contains("\"state\":\"standby\"")
                    && position(paused[0]) == position;
        });
        ServiceNode owner = paused[0];
        int records = Math.toIntExact(position(owner) / TradeFile.LENGTH);
        int versions = RULES.verify(owner.millrace(), records);
        await("windows of all records").until(() -> counted(owner), counted -> counted == records);
        System.out.println(records + " records of the feed are stored once, by " + versions + " versions of the rules");
    }
}
