package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.MillraceProcess;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.nemesis.history.History;
import io.millrace.nemesis.history.SetFull;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promises of a service that is killed while one or two nemeses act: reads of the feed's file fail, the file is
 * overwritten, truncated, renamed or replaced, the disk is slow, the clock jumps, a table changes, rules change. Each
 * record of the file is stored once, by the version of the rules that the history names, in one region, whatever the
 * table contained. If the file has changed, the pipeline is refused until the file is restored. Of the records with a
 * key, the last one is stored, none expires early, and each is in one window of processing time. What was acknowledged
 * of a trickle is in each later read.
 */
@Tag("long")
class NemesisKillIT {

    private static final int KILLS = Kills.count(1);
    private static final int RECORDS = Math.min(2_000_000, KILLS * 200_000);
    private static final int KEYED = Math.min(200_000, KILLS * 25_000);
    private static final int KEYS = 1000;
    private static final int LONGEST_LIFE_MILLIS = 1500;
    private static final int TRICKLE_PAUSE_MILLIS = 5;
    private static final int PAGE = 10_000;
    private static final int FIRST_MARK = 3;

    /** Longer than the test, even where the machine is busy. */
    private static final int RETAIN_MINUTES = Math.max(60, KILLS);

    /** Longer than records are retained. */
    private static final Duration CLOCK_AHEAD =
            Duration.ofMinutes(RETAIN_MINUTES).plusHours(1);

    private static final String DONE = "\"state\":\"done\"";
    private static final String FAILED = "\"state\":\"failed\"";

    /** Refused because the pipeline has not started or has ended, or the rules have changed meanwhile. */
    private static final Set<Integer> REFUSALS = Set.of(409, 412, 503);

    private static final MarkedRules RULES =
            MarkedRules.byTable("- enrich: { table: desks, key: id % 10, add: { desk: side } }\n", "desk == 1");

    @TempDir
    Path folder;

    private final Random random = new Random(Kills.seed());
    private final AtomicInteger mark = new AtomicInteger(FIRST_MARK);
    private final AtomicLong trickled = new AtomicLong();
    private final History history = new History();
    private final int port = FreePort.next();
    private @Nullable MillraceProcess millrace;

    private void prepare() throws IOException {
        byte[] records = new byte[RECORDS * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(records, 0, RECORDS);
        Files.write(folder.resolve("trades.bin"), records);
        Files.writeString(folder.resolve("desks.csv"), table());
        Files.writeString(folder.resolve("config.yml"), """
            millrace:
              batch-records: 500
              tables:
                desks: { file: desks.csv, key: id, refresh: 20ms }
              regions:
                buys: { layout: blocks, block-records: 50, persistent: true }
                sells: { layout: entries, key: id, persistent: true }
                latest: { layout: entries, key: id, persistent: true }
                trickled: { layout: blocks, key: id, persistent: true }
                retained: { layout: blocks, block-records: 50, persistent: true, retain: { age: %dm } }
                windows: { layout: blocks, persistent: true }
                trickled-windows: { layout: blocks, persistent: true }
              pipelines:
                trickle:
                  feed: { tcp: { port: %d, framing: fixed, acknowledge: { every: 1 } } }
                  schema: trade
                  steps:
                    - measure: { name: trickled, every: 1s, values: { trades: count() }, to: trickled-windows }
                    - to: trickled
                keys:
                  feed: { generator: { seed: 2, count: %d, rate: 20000 } }
                  schema: trade
                  steps:
                    - measure: { name: keys, every: 1s, values: { trades: count() }, to: windows }
                    - set: { exchangeRate: id + 0.0 }
                    - set: { id: id %% %d }
                    - to: [latest, retained]
                trades:
                  feed: { file: trades.bin }
                  schema: trade
            %s\
            """.formatted(
                RETAIN_MINUTES, port, KEYED, KEYS, RULES.yaml(FIRST_MARK).indent(6)));
    }

    /** Sends the records with some keys to one region, the others to the other one. */
    private String table() {
        return IntStream.range(0, 10)
                .mapToObj(id -> id + "," + random.nextInt(2))
                .collect(Collectors.joining("\n", "id,side\n", "\n"));
    }

    @AfterEach
    void killService() {
        if (millrace != null) {
            millrace.close();
        }
    }

    @Test
    void shouldKeepItsPromisesUnderNemesesWheneverItIsKilled() throws Exception {
        SystemFaults faults = SystemFaults.in(folder);
        prepare();
        List<Nemesis> changes = changesOfTheFeed();
        Nemeses nemeses = nemeses(faults).add("file", changes.toArray(Nemesis[]::new));
        Nemesis slowDisk = FileNemesis.slowWrites(faults, folder.resolve("data"), Duration.ofMillis(20));
        int midway = 0;
        try (TradeClient client = new TradeClient(port, TRICKLE_PAUSE_MILLIS, this::next)) {
            for (int kill = 0; kill < KILLS; kill++) {
                MillraceProcess running = start(faults);
                if (kill == 0) {
                    slowDisk.start(); // so that at least this kill comes midway
                }
                Kills.awaitRecords(running, "trades");
                if (kill < 2) {
                    requireRefused(changes.get(kill), running);
                }
                boolean[] onTheWay = {false};
                nemeses.strike(2 - kill % 2, LONGEST_LIFE_MILLIS, () -> {
                    restartIfRefused(running);
                    onTheWay[0] = Kills.atAnyMoment(running, "trades", random.nextInt(50));
                });
                slowDisk.stop();
                midway += onTheWay[0] ? 1 : 0;
                // A crash is the moment at which a table may have changed without a trace.
                FileNemesis.replaceNow(folder.resolve("desks.csv"), table());
            }
            MillraceProcess last = start(faults);
            nemeses.strike(2, LONGEST_LIFE_MILLIS, () -> {});
            await("end of the feed")
                    .until(() -> !restartIfRefused(last) && page("trades").contains(DONE));
            last.awaitText("/api/pipelines/keys", DONE);
            long acknowledged = client.acknowledged();
            await().until(() -> client.acknowledged() > acknowledged);
            requireWindowsWhileTheClockIsAhead(faults, last);
        }
        Kills.requireMidway(midway, KILLS);
        verify();
        System.out.println(nemeses);
    }

    /** In place, so that the pipeline can notice each of them; the bytes that it has not read yet are the same. */
    private List<Nemesis> changesOfTheFeed() throws IOException {
        Path feed = folder.resolve("trades.bin");
        byte[] overwritten = Files.readAllBytes(feed);
        overwritten[0]++;
        return List.of(
                FileNemesis.overwrite(feed, overwritten),
                FileNemesis.truncate(feed, overwritten.length / 2),
                FileNemesis.rename(feed),
                FileNemesis.replace(feed, "another file"));
    }

    /** The pipeline fails, at the latest when it opens the file again, and continues once the file is restored. */
    private void requireRefused(Nemesis change, MillraceProcess running) throws Exception {
        change.start();
        String page = await("end of the changed feed")
                .until(() -> page("trades"), text -> text.contains(FAILED) || text.contains(DONE));
        if (page.contains(DONE)) {
            assertThat(restart(running)).isIn(200, 409); // 200 if it has not opened the file yet
        }
        running.awaitText("/api/pipelines/trades", FAILED);
        change.stop();
        assertThat(restartIfRefused(running)).isTrue();
    }

    /** Restarts the pipeline if it has failed, as an operator does who has restored the file. */
    private boolean restartIfRefused(MillraceProcess running) throws IOException, InterruptedException {
        String page = running.page("/api/pipelines/trades");
        if (!page.contains(FAILED)) {
            return false;
        }
        assertThat(page)
                .contains("[changed-feed]")
                .containsAnyOf(
                        "was overwritten while it was open",
                        "was replaced after it was read",
                        "was truncated while it was open",
                        "with other bytes than before",
                        "bytes, but its records were read up to byte");
        assertThat(restart(running)).isEqualTo(200);
        return true;
    }

    private static int restart(MillraceProcess running) throws IOException, InterruptedException {
        return running.send("POST", "/api/pipelines/trades/restart", "application/json", "")
                .statusCode();
    }

    /** Until the expiry has noticed it, and further. */
    private void requireWindowsWhileTheClockIsAhead(SystemFaults faults, MillraceProcess running) throws Exception {
        Nemesis ahead = ClockNemesis.step(faults, CLOCK_AHEAD);
        ahead.start();
        running.awaitText("/actuator/health", "The clock has jumped");
        long windows = aggregate("trickled-windows", "count()");
        await("windows").until(() -> aggregate("trickled-windows", "count()") > windows);
        ahead.stop();
    }

    private MillraceProcess start(SystemFaults faults) throws IOException {
        MillraceProcess started =
                MillraceProcess.startWith(folder, faults.environment(), "run", "config.yml", "--server.port=0");
        millrace = started;
        return started;
    }

    private Nemeses nemeses(SystemFaults faults) {
        Path feed = folder.resolve("trades.bin");
        return new Nemeses(random.nextLong())
                .add(
                        "feed",
                        FileNemesis.failReads(faults, feed, SystemFaults.ESTALE),
                        FileNemesis.failReads(faults, feed, SystemFaults.EIO))
                .add("disk", FileNemesis.slowWrites(faults, folder.resolve("data"), Duration.ofMillis(5)))
                .add(
                        "clock",
                        ClockNemesis.step(faults, CLOCK_AHEAD),
                        ClockNemesis.jumps(faults, 1),
                        ClockNemesis.drift(faults, -500_000))
                .add("table", FileNemesis.replaceRepeatedly(folder.resolve("desks.csv"), 50, 2, this::table))
                .add("rules", Nemesis.repeated("changing rules", 50, 3, this::changeRules));
    }

    private TradeClient.Send next() {
        long id = trickled.incrementAndGet();
        return new TradeClient.Send(TradeClient.trade(id, true, 1), () -> history.write(0, id, 0));
    }

    private void changeRules() throws InterruptedException {
        try {
            int status = service()
                    .send("POST", "/api/pipelines/trades/rules", "application/yaml", RULES.yaml(mark.incrementAndGet()))
                    .statusCode();
            assertThat(status)
                    .satisfiesAnyOf(
                            code -> assertThat(code).isEqualTo(200),
                            code -> assertThat(REFUSALS).contains(code));
        } catch (IOException e) {
            // it is killed, or starts
        }
    }

    private MillraceProcess service() {
        if (millrace == null) {
            throw new IllegalStateException();
        }
        return millrace;
    }

    private String page(String pipeline) {
        return service().page("/api/pipelines/" + pipeline);
    }

    private long aggregate(String region, String value) {
        String page = service().page("/api/regions/" + region + "/aggregate?values=" + value);
        Matcher matcher = Pattern.compile(Pattern.quote("\"" + value + "\":") + "([0-9.E]+)")
                .matcher(page);
        return matcher.find() ? (long) Double.parseDouble(matcher.group(1)) : -1;
    }

    private void verify() throws Exception {
        int versions = RULES.verify(service(), RECORDS);
        long[] latest = Arrays.stream(
                        String.valueOf(service().get("/api/regions/latest/records?format=csv&select=exchangeRate"))
                                .split("\r?\n"))
                .skip(1)
                .mapToLong(rate -> (long) Double.parseDouble(rate))
                .sorted()
                .toArray();
        assertThat(latest)
                .isEqualTo(IntStream.rangeClosed(KEYED - KEYS + 1, KEYED)
                        .asLongStream()
                        .toArray());
        assertThat(aggregate("retained", "count()")).isEqualTo(KEYED);
        assertThat(aggregate("retained", "sum(exchangeRate)")).isEqualTo(KEYED * (KEYED + 1L) / 2);
        await("windows of all records").until(() -> aggregate("windows", "sum(trades)") == KEYED);
        for (long from = 1; from <= trickled.get(); from += PAGE) {
            assertThat(RegionReader.readSet(service(), "service", "trickled", from, from + PAGE, history))
                    .isTrue();
        }
        System.out.println(RECORDS + " records are stored once, by " + versions + " versions of the rules");
        System.out.println(SetFull.require(history));
    }
}
