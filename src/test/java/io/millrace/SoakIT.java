package io.millrace;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.nemesis.ClockNemesis;
import io.millrace.nemesis.FileNemesis;
import io.millrace.nemesis.LocalCluster;
import io.millrace.nemesis.Nemeses;
import io.millrace.nemesis.Nemesis;
import io.millrace.nemesis.ProcessNemesis;
import io.millrace.nemesis.RegionReader;
import io.millrace.nemesis.ServiceNode;
import io.millrace.nemesis.SystemFaults;
import io.millrace.nemesis.TradeClient;
import io.millrace.nemesis.history.History;
import io.millrace.nemesis.history.SetFull;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of processes stays as it is, however long it runs: its counts are exact and no process needs more and more
 * memory, threads, files or disk. A generator brings as many records as are taken, into a region that keeps them for a
 * time and one that keeps so many bytes, while queries and streams read. Another one overwrites a thousand keys, with
 * rules and a table that change in each round, and a client sends a trickle with acknowledgements. Each round has a
 * fault, some time without one, and then, with the feeds at rest, the counts and a sample of what each process needs.
 *
 * <p>{@code -Dmillrace.soak.minutes=60} runs so many minutes, with a round in each; {@code -Dmillrace.soak.rounds=4}
 * runs so many short rounds. Without either, the feed has a rate, and processes start faster, since other tests run on
 * the same processors. {@code -Dmillrace.soak.together=2} lets two faults act at a time. The locator, the ingest and
 * the first server are never killed, so that what leaks in them has the whole run to show.
 */
@Tag("long")
class SoakIT {

    private static final int ROUNDS =
            Integer.getInteger("millrace.soak.minutes", Integer.getInteger("millrace.soak.rounds", 1));
    private static final Duration ROUND = Duration.ofSeconds(
            System.getProperty("millrace.soak.minutes") != null
                    ? 60
                    : System.getProperty("millrace.soak.rounds") != null ? 10 : 5);
    private static final boolean LONG_RUN =
            System.getProperty("millrace.soak.minutes") != null || System.getProperty("millrace.soak.rounds") != null;
    /** How many faults act at a time, 1 or 2. */
    private static final int TOGETHER = Integer.getInteger("millrace.soak.together", 1);

    private static final Duration WRITE_DELAY = Duration.ofMillis(20);
    private static final String RATE = LONG_RUN ? "" : ", rate: 400000";
    private static final int RECORD_BYTES = 39;
    private static final int MAX_STRIKE_MILLIS = 16_000;
    private static final int PAGE = 10_000;
    private static final List<String> GENERATED = List.of("trades", "keys");

    private static final int KEYS = 1000;
    private static final int TRICKLE_PAUSE_MILLIS = 10;

    /** Of the ids 1, 2, 3 and so on every fourth is dropped; the odd ones go by size, the others by age. */
    private static final String CONFIGURATION = """
        millrace:
          tables:
            desks: { file: desks.csv, key: id, refresh: 200ms }
          regions:
            aged: { layout: blocks, redundant-copies: 1, retain: { age: 5s } }
            sized: { layout: blocks, key: id, redundant-copies: 1, persistent: true, retain: { size: 16MB } }
            latest: { layout: entries, key: id, redundant-copies: 1, persistent: true }
            trickled: { layout: blocks, key: id, redundant-copies: 1, persistent: true }
          pipelines:
            trades:
              feed: { generator: { seed: 1%s } }
              schema: trade
              steps:
                - filter: id %% 4 != 0
                - route:
                    - { when: id %% 2 == 1, to: sized }
                    - { otherwise: aged }
            keys:
              feed: { generator: { seed: 2, rate: 2000 } }
              schema: trade
        %s
            trickle:
              feed: { tcp: { port: 0, framing: fixed, acknowledge: { every: 1 } } }
              schema: trade
              steps:
                - to: trickled
        """.formatted(RATE, keyRules(0).indent(6));

    private static final List<String> QUERIES = List.of(
            "/api/regions/sized/records?limit=100&where=" + encoded("id % 1000 == 7"),
            "/api/regions/sized/records?limit=10&orderBy=" + encoded("amount1 desc"),
            "/api/regions/aged/aggregate?by=currency1&values=" + encoded("count(),sum(amount1)"));

    private final Map<ServiceNode, ResourceUse> uses = new LinkedHashMap<>();
    private final Map<String, SystemFaults> faults = new HashMap<>();
    private final AtomicLong trickled = new AtomicLong();
    private final History history = new History();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // created before the test
    private LocalCluster cluster;

    private @Nullable TradeClient trickle;

    /** Rules that store the number of the last record of each key. They differ in each round, and keep all records. */
    private static String keyRules(int round) {
        return """
            steps:
              - enrich: { table: desks, key: id %% 10, add: { desk: side } }
              - filter: id > -%d
              - set: { exchangeRate: id + 0.0 }
              - set: { id: id %% 1000 }
              - to: latest
            """.formatted(round);
    }

    private static String table(int round) {
        return IntStream.range(0, 10)
                .mapToObj(id -> id + "," + (id + round) % 2)
                .collect(Collectors.joining("\n", "id,side\n", "\n"));
    }

    private void start() throws Exception {
        Files.writeString(folder.resolve("desks.csv"), table(0));
        Files.writeString(folder.resolve("config.yml"), CONFIGURATION);
        cluster = new LocalCluster(folder, "--millrace.geode.member-timeout=2s").asShipped(LONG_RUN);
        cluster.server("server-1", "config.yml");
        cluster.server("server-2", "config.yml");
        int port = FreePort.next();
        cluster.ingest("ingest", "config.yml", "--millrace.pipelines.trickle.feed.tcp.port=" + port);
        cluster.environment(name -> faults(name).environment());
        for (ServiceNode node : cluster.nodes()) {
            faults.put(node.name(), SystemFaults.in(Files.createDirectories(folder.resolve("faults-" + node))));
            uses.put(node, new ResourceUse(node.name(), folder.resolve(node.name())));
        }
        cluster.start();
        cluster.awaitIntact();
        trickle = new TradeClient(port, TRICKLE_PAUSE_MILLIS, this::nextOfTrickle);
    }

    private SystemFaults faults(String name) {
        return Objects.requireNonNull(faults.get(name));
    }

    private TradeClient.Send nextOfTrickle() {
        long id = trickled.incrementAndGet();
        return new TradeClient.Send(TradeClient.trade(id, true, 1), () -> history.write(0, id, 0));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @AfterEach
    void killAll() {
        if (trickle != null) {
            trickle.close();
        }
        cluster.close();
    }

    @Test
    void shouldStayAsItIsHoweverLongItRuns() throws Exception {
        try {
            start();
            run();
        } catch (Throwable e) {
            cluster.printOutput();
            throw e;
        }
        uses.values().forEach(ResourceUse::requireFlat);
    }

    private void run() throws Exception {
        Nemeses nemeses = nemeses();
        try (SoakReaders readers =
                new SoakReaders(ingest(), cluster.servers().getFirst().millrace(), QUERIES, "/api/live")) {
            for (int round = 0; round < ROUNDS; round++) {
                long end = System.nanoTime() + ROUND.toNanos();
                // The first round has no fault: servers count what they removed since they joined.
                Map<String, Long> before = Map.of("aged", 0L, "sized", 0L);
                if (round > 0) {
                    FileNemesis.replaceNow(folder.resolve("desks.csv"), table(round));
                    post("/api/pipelines/keys/rules", keyRules(round));
                    nemeses.strike(TOGETHER, MAX_STRIKE_MILLIS, cluster::awaitIntact);
                    rest();
                    before = balances();
                    play();
                }
                readers.awaitProgress();
                MILLISECONDS.sleep(
                        Math.max(0, Duration.ofNanos(end - System.nanoTime()).toMillis()));
                rest();
                requireExactCounts(before);
                requireLastOfEachKey();
                for (Map.Entry<ServiceNode, ResourceUse> use : uses.entrySet()) {
                    use.getValue().sample(use.getKey().millrace());
                    System.out.println("round " + round + " " + use.getValue());
                }
                System.out.println("round " + round + " " + number(status(), "in") + " records, " + readers.count()
                        + " answers and events, " + requireTrickle());
                play();
            }
            System.out.println(nemeses);
        }
    }

    private Nemeses nemeses() {
        ServiceNode first = cluster.servers().getFirst();
        ServiceNode second = cluster.servers().getLast();
        ServiceNode ingest = cluster.ingests().getFirst();
        return new Nemeses(TestBudget.seed())
                .add(first.name(), ProcessNemesis.pause(first), clockAhead(first), slowDisk(first))
                .add(
                        second.name(),
                        ProcessNemesis.kill(second),
                        ProcessNemesis.shutDown(second),
                        clockAhead(second),
                        slowDisk(second))
                .add(ingest.name(), ProcessNemesis.pause(ingest), clockAhead(ingest));
    }

    private Nemesis clockAhead(ServiceNode node) {
        return ClockNemesis.step(faults(node.name()), Duration.ofHours(1));
    }

    private Nemesis slowDisk(ServiceNode server) {
        return FileNemesis.slowWrites(faults(server.name()), folder.resolve(server.name()), WRITE_DELAY);
    }

    private MillraceProcess ingest() {
        return cluster.ingests().getFirst().millrace();
    }

    private void play() throws Exception {
        change("{\"paused\":false}");
    }

    /** Pauses the feeds, and waits until all that they have brought is stored and nothing is removed any more. */
    private void rest() throws Exception {
        change("{\"paused\":true}");
        for (String pipeline : GENERATED) {
            await().until(() -> {
                long in = number(status(pipeline), "in");
                SECONDS.sleep(1);
                String status = status(pipeline);
                return number(status, "inFlight") == 0 && number(status, "in") == in;
            });
        }
        AtomicReference<Map<String, Long>> last = new AtomicReference<>(Map.of());
        await().pollInterval(3, SECONDS).ignoreExceptions().until(() -> {
            Map<String, Long> now = Map.of("aged", records("aged"), "sized", records("sized"));
            return now.equals(last.getAndSet(now));
        });
    }

    private void change(String json) throws Exception {
        for (String pipeline : GENERATED) {
            String path = "/api/pipelines/" + pipeline + "/replay";
            assertThat(ingest().send("PUT", path, "application/json", json).statusCode())
                    .isEqualTo(200);
        }
    }

    private void post(String path, String yaml) throws Exception {
        HttpResponse<String> response = ingest().send("POST", path, "application/yaml", yaml);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    /** Of the records with a key, the last one is stored. */
    private void requireLastOfEachKey() throws Exception {
        long in = number(status("keys"), "in");
        assertThat(in).isGreaterThan(KEYS);
        String page = page("/api/regions/latest/aggregate?values=" + encoded("count(),sum(exchangeRate)"));
        assertThat(number(page, "count()")).isEqualTo(KEYS);
        assertThat(page)
                .contains("\"sum(exchangeRate)\":"
                        + (double) LongStream.rangeClosed(in - KEYS + 1, in).sum());
    }

    /** What was acknowledged of the trickle is stored once. */
    private SetFull requireTrickle() throws Exception {
        long end = trickled.get() + 1;
        for (long from = 1; from < end; from += PAGE) {
            assertThat(RegionReader.readSet(ingest(), "ingest", "trickled", from, from + PAGE, history))
                    .isTrue();
        }
        return SetFull.require(history);
    }

    /**
     * The pipeline has done with each record what its rules say, and of what it stored nothing is missing or doubled.
     *
     * @param before the balances after the last fault
     */
    private void requireExactCounts(Map<String, Long> before) throws Exception {
        String status = status();
        long in = number(status, "in");
        assertThat(number(status, "position")).isEqualTo(in * RECORD_BYTES);
        assertThat(number(status, "dropped")).isEqualTo(in / 4);
        assertThat(number(status, "sized")).isEqualTo((in + 1) / 2);
        assertThat(number(status, "aged")).isEqualTo((in + 2) / 4);
        assertThat(number(status, "kept")).isEqualTo(in - in / 4);
        assertThat(number(status, "rejected")).isZero();
        assertThat(number(status, "superseded")).isZero();
        assertThat(number(status, "inFlight")).isZero();
        assertThat(balances()).as("stored and removed, less kept").isEqualTo(before);
        requireNewest(in);
    }

    /** What is stored and removed, less what was kept: 0, but for what servers removed and lost count of in a fault. */
    private Map<String, Long> balances() throws Exception {
        Map<String, Long> balances = new LinkedHashMap<>();
        for (String region : List.of("aged", "sized")) {
            String page = page("/api/regions/" + region);
            balances.put(region, number(page, "records") + number(page, "expired") - number(status(), region));
        }
        return balances;
    }

    /** Of the records that go by size the newer half is there, each once, since each server removes its oldest. */
    private void requireNewest(long in) throws Exception {
        long middle = in - records("sized"); // every other id is there
        String newer = page("/api/regions/sized/aggregate?values=" + encoded("count(),sum(id),max(id)") + "&where="
                + encoded("id > " + middle + "L"));
        long[] expected =
                LongStream.rangeClosed(middle + 1, in).filter(id -> id % 2 == 1).toArray();
        assertThat(number(newer, "count()")).isEqualTo(expected.length);
        assertThat(number(newer, "sum(id)")).isEqualTo(LongStream.of(expected).sum());
        assertThat(number(newer, "max(id)")).isEqualTo(expected[expected.length - 1]);
    }

    private long records(String region) throws Exception {
        return number(page("/api/regions/" + region), "records");
    }

    private String status() throws Exception {
        return status("trades");
    }

    private String status(String pipeline) throws Exception {
        return page("/api/pipelines/" + pipeline);
    }

    private String page(String path) throws Exception {
        return String.valueOf(ingest().get(path));
    }

    /** The first number of this name. */
    private static long number(String page, String name) {
        Matcher number =
                Pattern.compile("\"" + Pattern.quote(name) + "\":(-?\\d+)").matcher(page);
        assertThat(number.find()).as(name + " in " + page).isTrue();
        return Long.parseLong(number.group(1));
    }
}
