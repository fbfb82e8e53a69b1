package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.nemesis.FileNemesis;
import io.millrace.nemesis.Kills;
import io.millrace.nemesis.LocalCluster;
import io.millrace.nemesis.MarkedRules;
import io.millrace.nemesis.ServiceNode;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * The promise of rules that change while a pipeline runs: whatever is killed or taken over, whenever, each record is
 * processed by one version, the one that the history names for its position. Each version marks its records with a
 * number of its own, and sends them elsewhere, so that the regions show which version has processed which record.
 */
@Tag("long")
class RuleSwapKillIT {

    private static final int KILLS = Kills.count(1);
    private static final int RECORDS = Math.min(4_000_000, KILLS * 500_000);
    private static final int LONGEST_LIFE_MILLIS = 1500;
    private static final int LONGEST_PAUSE_MILLIS = 20;
    private static final String PIPELINE = "/api/pipelines/trades";
    private static final String DONE = "\"state\":\"done\"";

    /** Refused because the pipeline has not started, or the rules have changed meanwhile, or the store is not there. */
    private static final Set<Integer> REFUSALS = Set.of(409, 412, 503);

    private static final Pattern RECORDS_CAME = Pattern.compile("\"in\":[1-9]");
    private static final MarkedRules RULES = MarkedRules.byId();
    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<MillraceProcess> started = new ArrayList<>();
    private final long seed = Kills.seed();
    private final Random random = new Random(seed);
    private final Map<String, Integer> answers = new ConcurrentSkipListMap<>();

    @TempDir
    Path folder;

    private int mark = 1;

    @SuppressWarnings("NullAway.Init") // created before each test, in its folder
    private LocalCluster cluster;

    @BeforeEach
    void createCluster() {
        cluster = new LocalCluster(folder);
    }

    /** @param feed whose records are those of the file {@code trades.bin} */
    private void prepare(boolean persistent, String feed) throws IOException {
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
                  feed: %3$s
                  schema: trade
            %2$s\
            """.formatted(
                        persistent, RULES.yaml(mark).indent(6), feed));
    }

    private MillraceProcess start(String... arguments) throws IOException {
        MillraceProcess millrace = MillraceProcess.start(folder, arguments);
        started.add(millrace);
        return millrace;
    }

    @AfterEach
    void killAll() {
        started.forEach(MillraceProcess::close);
        cluster.close();
    }

    @Test
    void shouldProcessEachRecordByTheVersionThatTheHistoryNamesWheneverItIsKilled() throws Exception {
        prepare(true, "{ file: trades.bin }");
        int midway = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            MillraceProcess millrace = start("run", "config.yml", "--server.port=0");
            Kills.awaitRecords(millrace, "trades");
            try (Swaps _ = new Swaps(() -> millrace)) {
                // The first one comes early: a pipeline that is done before it would be done before all others.
                int longest = kill == 0 ? LONGEST_LIFE_MILLIS / 20 : LONGEST_LIFE_MILLIS;
                if (!Kills.atAnyMoment(millrace, "trades", random.nextInt(longest))) {
                    break;
                }
                midway++;
            }
        }
        MillraceProcess last = start("run", "config.yml", "--server.port=0");
        try (Swaps _ = new Swaps(() -> last)) {
            last.awaitText(PIPELINE, DONE);
        }
        Kills.requireMidway(midway, KILLS);
        verify(last);
    }

    @Test
    void shouldProcessEachRecordByTheVersionThatTheHistoryNamesWhicheverProcessTakesOver() throws Exception {
        prepare(false, "{ generator: { seed: 1, count: " + RECORDS + ", rate: 20000 } }");
        cluster.locator().restart();
        cluster.server("one", "config.yml").restart();
        List<ServiceNode> ingest = List.of(ingest(0), ingest(1));
        for (ServiceNode node : ingest) {
            node.restart();
        }
        ServiceNode first = owner(ingest);
        first.millrace().replay("trades", "{\"paused\":true}"); // else it could be done before the other has started
        ServiceNode second = ingest.get(1 - ingest.indexOf(first));
        await().until(() -> second.state("trades").equals("standby"));
        first.millrace().replay("trades", "{\"paused\":false}");
        int takeovers = 0;
        try (Swaps _ = new Swaps(() -> ingest.get(random.nextInt(ingest.size())).millrace())) {
            for (int kill = 0; kill < KILLS; kill++) {
                ServiceNode owner = owner(ingest);
                ServiceNode other = ingest.get(1 - ingest.indexOf(owner));
                await().until(() -> other.state("trades").equals("standby") || isDone(owner));
                if (!Kills.atAnyMoment(owner.millrace(), "trades", random.nextInt(LONGEST_LIFE_MILLIS))) {
                    owner.restart();
                    break;
                }
                takeovers++;
                await().until(() -> hasRecords(other) || isDone(other));
                owner.restart();
            }
            owner(ingest).millrace().awaitText(PIPELINE, DONE);
        }
        System.out.println("takeovers on the way: " + takeovers + " of " + KILLS);
        assertThat(takeovers).isPositive();
        verify(owner(ingest).millrace());
    }

    private ServiceNode ingest(int number) {
        return cluster.ingest("node-" + number, "config.yml");
    }

    /** Returns the process that runs the pipeline. */
    private static ServiceNode owner(List<ServiceNode> ingest) {
        return Objects.requireNonNull(await().until(
                        () -> ingest.stream()
                                .filter(node -> hasRecords(node) || isDone(node))
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull));
    }

    private static boolean hasRecords(ServiceNode node) {
        return RECORDS_CAME.matcher(node.millrace().page(PIPELINE)).find();
    }

    private static boolean isDone(ServiceNode node) {
        return node.state("trades").equals("done");
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
            FileNemesis.replaceNow(folder.resolve("rules/trades.yml"), RULES.yaml(mark));
            return "file";
        }

        private String post() throws InterruptedException {
            try {
                HttpResponse<String> response =
                        receiver.next().send("POST", PIPELINE + "/rules", "application/yaml", RULES.yaml(mark));
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
        }
    }

    private void verify(MillraceProcess millrace) throws Exception {
        int uses = RULES.verify(millrace, RECORDS);
        System.out.println("changes: " + answers + ", versions in use: " + uses + ", records: " + RECORDS);
        assertThat(answers.keySet()).noneMatch(answer -> answer.startsWith("unexpected") || answer.contains("Exc"));
        assertThat(uses).isGreaterThan(KILLS);
    }
}
