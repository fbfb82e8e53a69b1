package io.millrace;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of processes stays as it is, however long it runs: its counts are exact and no process needs more and more
 * memory, threads, files or disk. A generator brings as many records as are taken, into a region that keeps them for a
 * time and one that keeps so many bytes, while queries and streams read. The run consists of rounds: a fault, some time
 * without one, and then, with the feed at rest, the counts and a sample of what each process needs.
 *
 * <p>{@code -Dmillrace.soak.minutes=60} runs so many minutes, with a round in each; {@code -Dmillrace.soak.rounds=4}
 * runs so many short rounds. Without either, the feed has a rate, and processes start faster, since other tests run on
 * the same processors. The locator, the ingest and the first server are never killed, so that what leaks in them has
 * the whole run to show.
 */
class SoakIT {

    private static final int ROUNDS =
            Integer.getInteger("millrace.soak.minutes", Integer.getInteger("millrace.soak.rounds", 1));
    private static final Duration ROUND = Duration.ofSeconds(
            System.getProperty("millrace.soak.minutes") != null
                    ? 60
                    : System.getProperty("millrace.soak.rounds") != null ? 10 : 5);
    private static final boolean LONG_RUN =
            System.getProperty("millrace.soak.minutes") != null || System.getProperty("millrace.soak.rounds") != null;
    private static final String RATE = LONG_RUN ? "" : ", rate: 400000";
    private static final int RECORD_BYTES = 39;

    /** Of the ids 1, 2, 3 and so on every fourth is dropped; the odd ones go by size, the others by age. */
    private static final String CONFIGURATION = """
            millrace:
              regions:
                aged: { layout: blocks, redundant-copies: 1, retain: { age: 5s } }
                sized: { layout: blocks, key: id, redundant-copies: 1, persistent: true, retain: { size: 16MB } }
              pipelines:
                trades:
                  feed: { generator: { seed: 1%s } }
                  schema: trade
                  steps:
                    - filter: id %% 4 != 0
                    - route:
                        - { when: id %% 2 == 1, to: sized }
                        - { otherwise: aged }
            """.formatted(RATE);

    private static final List<String> QUERIES = List.of(
            "/api/regions/sized/records?limit=100&where=" + encoded("id % 1000 == 7"),
            "/api/regions/sized/records?limit=10&orderBy=" + encoded("amount1 desc"),
            "/api/regions/aged/aggregate?by=currency1&values=" + encoded("count(),sum(amount1)"));

    private final Map<String, MillraceProcess> processes = new LinkedHashMap<>();
    private final Map<String, ResourceUse> uses = new LinkedHashMap<>();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    private int locatorPort;

    private void start() throws Exception {
        Files.writeString(folder.resolve("config.yml"), CONFIGURATION);
        locatorPort = FreePort.next();
        start("locator", "locator", "--millrace.geode.port=" + locatorPort, "--millrace.data=locator");
        startServer("server-1");
        startServer("server-2");
        start("ingest", "run", "config.yml");
        awaitIntact();
    }

    private void startServer(String name) throws IOException {
        start(
                name,
                "server",
                "config.yml",
                "--millrace.geode.name=" + name,
                "--millrace.geode.port=" + FreePort.next(),
                "--millrace.data=" + name);
    }

    private void start(String name, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--server.port=0",
                "--millrace.geode.bind-address=127.0.0.1",
                "--millrace.geode.locators=127.0.0.1:" + locatorPort,
                "--millrace.geode.member-timeout=2s"));
        String[] command = all.toArray(String[]::new);
        processes.put(
                name,
                LONG_RUN ? MillraceProcess.startAsShipped(folder, command) : MillraceProcess.start(folder, command));
        uses.putIfAbsent(name, new ResourceUse(name, folder.resolve(name)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @AfterEach
    void killAll() {
        processes.values().forEach(MillraceProcess::close);
        http.close();
    }

    @Test
    void shouldStayAsItIsHoweverLongItRuns() throws Exception {
        try {
            start();
            run();
        } catch (Throwable e) {
            for (Map.Entry<String, MillraceProcess> process : processes.entrySet()) {
                System.out.println(
                        "== " + process.getKey() + "\n" + process.getValue().output());
            }
            throw e;
        }
        uses.values().forEach(ResourceUse::requireFlat);
    }

    private void run() throws Exception {
        try (SoakReaders readers = new SoakReaders(millrace("ingest"), millrace("server-1"), QUERIES, "/api/live")) {
            for (int round = 0; round < ROUNDS; round++) {
                long end = System.nanoTime() + ROUND.toNanos();
                // The first round has no fault: servers count what they removed since they joined.
                Map<String, Long> before = Map.of("aged", 0L, "sized", 0L);
                if (round > 0) {
                    strike(round);
                    awaitIntact();
                    rest();
                    before = balances();
                    play();
                }
                readers.awaitProgress();
                MILLISECONDS.sleep(
                        Math.max(0, Duration.ofNanos(end - System.nanoTime()).toMillis()));
                rest();
                requireExactCounts(before);
                for (Map.Entry<String, ResourceUse> use : uses.entrySet()) {
                    use.getValue().sample(millrace(use.getKey()));
                    System.out.println("round " + round + " " + use.getValue());
                }
                System.out.println("round " + round + " " + number(status(), "in") + " records, " + readers.count()
                        + " answers and events");
                play();
            }
        }
    }

    private MillraceProcess millrace(String name) {
        return Objects.requireNonNull(processes.get(name));
    }

    /** Lets a fault befall the cluster, one kind after the other. */
    private void strike(int round) throws Exception {
        switch (round % 4) {
            case 1 -> {
                millrace("server-2").kill();
                SECONDS.sleep(3);
                startServer("server-2");
            }
            case 2 -> pause("server-1", 8); // longer than the others wait for it
            case 3 -> pause("ingest", 8);
            default -> {
                millrace("server-2").stop();
                startServer("server-2");
            }
        }
    }

    private void pause(String name, int seconds) throws Exception {
        millrace(name).signal("STOP");
        SECONDS.sleep(seconds);
        millrace(name).signal("CONT");
    }

    private void awaitIntact() throws IOException {
        for (Map.Entry<String, MillraceProcess> process : processes.entrySet()) {
            boolean server = process.getKey().startsWith("server");
            await(process.getKey())
                    .ignoreExceptions()
                    .until(() -> up(process.getValue(), "readiness") && (!server || up(process.getValue(), "copies")));
        }
    }

    private boolean up(MillraceProcess millrace, String check) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(Objects.requireNonNull(millrace.uri("/actuator/health/" + check)))
                .timeout(TestTimeout.MAX)
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    }

    private void play() throws Exception {
        change("{\"paused\":false}");
    }

    /** Pauses the feed, and waits until all that it has brought is stored and nothing is removed any more. */
    private void rest() throws Exception {
        change("{\"paused\":true}");
        await().until(() -> {
            long in = number(status(), "in");
            SECONDS.sleep(1);
            String status = status();
            return number(status, "inFlight") == 0 && number(status, "in") == in;
        });
        AtomicReference<Map<String, Long>> last = new AtomicReference<>(Map.of());
        await().pollInterval(3, SECONDS).ignoreExceptions().until(() -> {
            Map<String, Long> now = Map.of("aged", records("aged"), "sized", records("sized"));
            return now.equals(last.getAndSet(now));
        });
    }

    private void change(String json) throws Exception {
        URI uri = Objects.requireNonNull(millrace("ingest").uri("/api/pipelines/trades/replay"));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
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
        return page("/api/pipelines/trades");
    }

    private String page(String path) throws Exception {
        return String.valueOf(millrace("ingest").get(path));
    }

    /** The first number of this name. */
    private static long number(String page, String name) {
        Matcher number =
                Pattern.compile("\"" + Pattern.quote(name) + "\":(-?\\d+)").matcher(page);
        assertThat(number.find()).as(name + " in " + page).isTrue();
        return Long.parseLong(number.group(1));
    }
}
