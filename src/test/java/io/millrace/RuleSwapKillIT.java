package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.Schemas;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The promise of rules that change while a pipeline runs: whatever is killed or taken over, whenever, each record is
 * processed by one version, the one that the history names for its position. Each version marks its records with a
 * number of its own, and sends them elsewhere, so that the regions show which version has processed which record.
 */
class RuleSwapKillIT {

    private static final int KILLS = Kills.count(2);
    private static final int RECORDS = Math.min(4_000_000, KILLS * 500_000);
    private static final int LONGEST_LIFE_MILLIS = 1500;
    private static final int LONGEST_PAUSE_MILLIS = 20;
    private static final String PIPELINE = "/api/pipelines/trades";
    private static final String DONE = "\"state\":\"done\"";

    /** Refused because the pipeline has not started, or the rules have changed meanwhile, or the store is not there. */
    private static final Set<Integer> REFUSALS = Set.of(409, 412, 503);

    private static final Pattern RECORDS_CAME = Pattern.compile("\"in\":[1-9]");
    private static final Pattern MARK = Pattern.compile("exchangeRate: (\\d+)\\.0");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<MillraceProcess> started = new ArrayList<>();
    private final long seed = Kills.seed();
    private final Random random = new Random(seed);
    private final Map<String, Integer> answers = new ConcurrentSkipListMap<>();

    @TempDir
    Path folder;

    private int mark = 1;

    /** Rules of one of three kinds, which mark their records. */
    private static String rules(int mark) {
        String set = "- set: { exchangeRate: " + mark + ".0 }\n";
        return "steps:\n"
                + switch (mark % 3) {
                    case 0 -> set + "- route: [ { when: id % 2 == 0, to: sells }, { otherwise: buys } ]\n";
                    case 1 -> set + "- to: buys\n";
                    default -> "- filter: id % 3 != 0\n" + set + "- to: sells\n";
                };
    }

    /** Returns where rules send a record; empty if they drop it. */
    private static String target(int mark, int id) {
        return switch (mark % 3) {
            case 0 -> id % 2 == 0 ? "sells" : "buys";
            case 1 -> "buys";
            default -> id % 3 != 0 ? "sells" : "";
        };
    }

    private void prepare(boolean persistent) throws IOException {
        byte[] records = new byte[RECORDS * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(records, 0, RECORDS);
        Files.write(folder.resolve("trades.bin"), records);
        Files.createDirectory(folder.resolve("rules"));
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  batch-records: 500
                  rules: { watch: rules, watch-interval: 20ms }
                  regions:
                    buys: { layout: blocks, block-records: 50, persistent: %1$s, schema: trade }
                    sells: { layout: entries, key: id, persistent: %1$s, schema: trade }
                  pipelines:
                    trades:
                      feed: { file: trades.bin }
                      schema: trade
                %2$s""".formatted(
                        persistent, rules(mark).indent(6)));
    }

    private MillraceProcess start(String... arguments) throws IOException {
        MillraceProcess millrace = MillraceProcess.start(folder, arguments);
        started.add(millrace);
        return millrace;
    }

    @AfterEach
    void killAll() {
        started.forEach(MillraceProcess::close);
    }

    @Test
    void shouldProcessEachRecordByTheVersionThatTheHistoryNamesWheneverItIsKilled() throws Exception {
        prepare(true);
        int midway = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            MillraceProcess millrace = start("run", "config.yml", "--server.port=0");
            await().until(() -> hasRecords(millrace) || page(millrace).contains(DONE));
            try (Swaps _ = new Swaps(() -> millrace)) {
                Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS)); // any moment will do
                boolean done = page(millrace).contains(DONE);
                assertThat(millrace.alive()).as(millrace.output()).isTrue();
                millrace.kill();
                if (done) {
                    break;
                }
                midway++;
            }
        }
        MillraceProcess last = start("run", "config.yml", "--server.port=0");
        try (Swaps _ = new Swaps(() -> last)) {
            awaitDone(last);
        }
        System.out.println("kills that hit the pipeline on its way: " + midway + " of " + KILLS);
        assertThat(midway).isPositive();
        verify(last);
    }

    @Test
    void shouldProcessEachRecordByTheVersionThatTheHistoryNamesWhoeverTakesOver() throws Exception {
        prepare(false);
        int locatorPort = FreePort.next();
        String[] member = {
            "--server.port=0",
            "--millrace.geode.bind-address=127.0.0.1",
            "--millrace.geode.locators=127.0.0.1:" + locatorPort
        };
        startMember(member, "locator", "--millrace.geode.port=" + locatorPort, "--millrace.data=locator");
        startMember(
                member,
                "server",
                "config.yml",
                "--millrace.geode.name=one",
                "--millrace.geode.port=" + FreePort.next(),
                "--millrace.data=one");
        MillraceProcess[] ingest = new MillraceProcess[2];
        for (int i = 0; i < ingest.length; i++) {
            ingest[i] = startMember(member, "run", "config.yml", "--millrace.instance=node-" + i);
        }
        int takeovers = 0;
        try (Swaps _ = new Swaps(() -> ingest[random.nextInt(ingest.length)])) {
            for (int kill = 0; kill < KILLS; kill++) {
                int owner = owner(ingest);
                await().until(() -> page(ingest[1 - owner]).contains("\"state\":\"standby\"")
                        || page(ingest[owner]).contains(DONE));
                Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS)); // any moment will do
                if (page(ingest[owner]).contains(DONE)) {
                    break;
                }
                takeovers++;
                ingest[owner].kill();
                await().until(() ->
                        hasRecords(ingest[1 - owner]) || page(ingest[1 - owner]).contains(DONE));
                ingest[owner] = startMember(member, "run", "config.yml", "--millrace.instance=node-" + owner);
            }
            awaitDone(ingest[owner(ingest)]);
        }
        System.out.println("takeovers on the way: " + takeovers + " of " + KILLS);
        assertThat(takeovers).isPositive();
        verify(ingest[owner(ingest)]);
    }

    private MillraceProcess startMember(String[] member, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(member));
        return start(all.toArray(String[]::new));
    }

    /** Returns the index of the process that runs the pipeline. */
    private static int owner(MillraceProcess[] ingest) {
        int[] owner = {-1};
        await().until(() -> {
            for (int i = 0; i < ingest.length; i++) {
                if (hasRecords(ingest[i]) || page(ingest[i]).contains(DONE)) {
                    owner[0] = i;
                }
            }
            return owner[0] >= 0;
        });
        return owner[0];
    }

    private static boolean hasRecords(MillraceProcess millrace) {
        return RECORDS_CAME.matcher(page(millrace)).find();
    }

    private static String page(MillraceProcess millrace) {
        try {
            return Objects.requireNonNullElse(millrace.get(PIPELINE), "");
        } catch (IOException | InterruptedException e) {
            return ""; // killed, or not there yet
        }
    }

    private static void awaitDone(MillraceProcess millrace) throws IOException {
        try {
            await().until(() -> page(millrace).contains(DONE));
        } catch (Throwable e) {
            throw new AssertionError(page(millrace) + "\n" + millrace.output(), e);
        }
    }

    /** Returns the process that the next change is sent to. */
    private interface Receiver {
        MillraceProcess next();
    }

    /** Changes the rules again and again, over HTTP and by the watched file. */
    private final class Swaps implements AutoCloseable {

        private final Receiver receiver;
        private final Random pauses = new Random(seed + started.size());
        private final Thread thread;
        private final HttpClient http = HttpClient.newHttpClient();
        private volatile boolean closed;

        Swaps(Receiver receiver) {
            this.receiver = receiver;
            thread = Thread.ofPlatform().start(this::run);
        }

        private void run() {
            try {
                while (!closed) {
                    mark++;
                    String answer = pauses.nextInt(4) == 0 ? replaceFile() : post();
                    answers.merge(answer, 1, Integer::sum);
                    Thread.sleep(pauses.nextInt(LONGEST_PAUSE_MILLIS)); // any moment will do
                }
            } catch (IOException | InterruptedException e) {
                answers.merge(e.toString(), 1, Integer::sum);
            }
        }

        private String replaceFile() throws IOException {
            Path next = Files.writeString(folder.resolve("next"), rules(mark));
            Files.move(next, folder.resolve("rules/trades.yml"), StandardCopyOption.ATOMIC_MOVE);
            return "file";
        }

        private String post() throws InterruptedException {
            try {
                URI uri = receiver.next().uri(PIPELINE + "/rules");
                if (uri == null) {
                    return "not there";
                }
                HttpResponse<String> response = http.send(
                        HttpRequest.newBuilder(uri)
                                .timeout(TestTimeout.MAX)
                                .POST(BodyPublishers.ofString(rules(mark)))
                                .build(),
                        BodyHandlers.ofString());
                int status = response.statusCode();
                if (status == 200) {
                    return JSON.readTree(response.body()).path("state").asString("");
                }
                return REFUSALS.contains(status) ? String.valueOf(status) : "unexpected " + response.body();
            } catch (IOException e) {
                return "not there";
            }
        }

        @Override
        public void close() {
            closed = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            http.close();
        }
    }

    /** Which version processes records from a position on. */
    private record Use(long version, int mark) {}

    private void verify(MillraceProcess millrace) throws Exception {
        NavigableMap<Long, Use> uses = uses(millrace);
        System.out.println("changes: " + answers + ", versions in use: " + uses.size() + ", records: " + RECORDS);
        assertThat(answers.keySet()).noneMatch(answer -> answer.startsWith("unexpected") || answer.contains("Exc"));
        assertThat(uses).hasSizeGreaterThan(KILLS);
        int[] buys = marks(millrace, "buys");
        int[] sells = marks(millrace, "sells");
        for (int id = 1; id <= RECORDS; id++) {
            Use use = Objects.requireNonNull(uses.floorEntry((id - 1L) * TradeFile.LENGTH))
                    .getValue();
            String target = target(use.mark(), id);
            int expectedBuys = target.equals("buys") ? use.mark() : 0;
            int expectedSells = target.equals("sells") ? use.mark() : 0;
            if (buys[id] != expectedBuys || sells[id] != expectedSells) {
                throw new AssertionError("Record " + id + " at position " + (id - 1L) * TradeFile.LENGTH
                        + " is marked buys=" + buys[id] + " sells=" + sells[id] + ", but the history names " + use
                        + " of " + uses + "\n" + millrace.output());
            }
        }
    }

    /** Returns the uses by position, and requires that positions do not decrease and no content is added twice. */
    private static NavigableMap<Long, Use> uses(MillraceProcess millrace) throws Exception {
        JsonNode history = JSON.readTree(millrace.get(PIPELINE + "/rules"));
        NavigableMap<Long, Use> uses = new TreeMap<>();
        Set<Integer> marks = new HashSet<>();
        long position = 0;
        List<JsonNode> versions = new ArrayList<>();
        history.path("versions").forEach(versions::addFirst);
        for (JsonNode version : versions) {
            long number = version.path("number").asLong();
            String text = String.valueOf(millrace.get(PIPELINE + "/rules/" + number));
            Matcher matcher = MARK.matcher(text);
            assertThat(matcher.find()).as(text).isTrue();
            int mark = Integer.parseInt(matcher.group(1));
            assertThat(marks.add(mark)).as("added twice: " + version).isTrue();
            for (JsonNode use : version.path("uses")) {
                assertThat(use.path("writer").asString("")).isEqualTo("trades/0");
                long since = use.path("since").asLong();
                assertThat(since).as(version.toString()).isGreaterThanOrEqualTo(position);
                position = since;
                uses.put(since, new Use(number, mark));
            }
        }
        return uses;
    }

    /** Returns the marks of the records of a region by id; 0 for those that it does not contain. */
    private static int[] marks(MillraceProcess millrace, String region) throws Exception {
        int[] marks = new int[RECORDS + 1];
        String text = Objects.requireNonNull(
                millrace.get("/api/regions/" + region + "/records?format=csv&select=id,exchangeRate"));
        assertThat(text).startsWith("id,exchangeRate");
        text.lines().skip(1).forEach(line -> {
            int comma = line.indexOf(',');
            int id = Integer.parseInt(line.substring(0, comma));
            if (marks[id] != 0) {
                throw new AssertionError("stored twice: " + line);
            }
            marks[id] = (int) Double.parseDouble(line.substring(comma + 1));
        });
        return marks;
    }
}
