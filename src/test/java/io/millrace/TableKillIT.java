package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.nemesis.FileNemesis;
import io.millrace.nemesis.Kills;
import io.millrace.nemesis.LocalCluster;
import io.millrace.nemesis.Nemesis;
import io.millrace.nemesis.ServiceNode;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of tables that change at any moment, whether a process runs or not: whatever is killed or taken over,
 * each record is processed by one version of the table, and stored where this version sends it. Each version marks its
 * records with a number of its own, so that the regions show which version has processed which record.
 */
@Tag("long")
class TableKillIT {

    private static final int KILLS = Kills.count(1);
    private static final int RECORDS = Math.min(4_000_000, KILLS * 400_000);
    private static final int LONGEST_LIFE_MILLIS = 1500;
    private static final int LONGEST_PAUSE_MILLIS = 200;
    private static final int DESKS = 10;
    private static final String PIPELINE = "/api/pipelines/trades";
    private static final String DONE = "\"state\":\"done\"";

    private final long seed = Kills.seed();
    private final AtomicInteger mark = new AtomicInteger();

    @TempDir
    Path folder;

    /** @param feed whose records are those of the file {@code trades.bin} */
    private void prepare(boolean persistent, String feed) throws IOException {
        byte[] records = new byte[RECORDS * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), 1).fill(records, 0, RECORDS);
        Files.write(folder.resolve("trades.bin"), records);
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  batch-records: 500
                  tables:
                    desks: { file: desks.csv, key: id, refresh: 10ms }
                  regions:
                    a: { layout: blocks, block-records: 50, persistent: %1$s }
                    b: { layout: entries, key: id, persistent: %1$s }
                  pipelines:
                    trades:
                      feed: %2$s
                      schema: trade
                      steps:
                        - enrich: { table: desks, key: id %% 10, add: { mark: mark, target: target } }
                        - route: [ { when: target == 1, to: a }, { otherwise: b } ]
                """.formatted(persistent, feed));
    }

    /** Writes the next version of a table, which sends the records of some desks to region a. */
    private void writeTable(String name) throws IOException {
        int next = mark.incrementAndGet();
        String rows = IntStream.range(0, DESKS)
                .mapToObj(desk -> desk + "," + next + "," + (goesToA(next, desk) ? 1 : 0))
                .collect(Collectors.joining("\n", "id,mark,target\n", "\n"));
        FileNemesis.replaceNow(folder.resolve(name), rows);
    }

    private static boolean goesToA(int mark, int id) {
        return (mark + id % DESKS) % 3 == 0;
    }

    private Nemesis changes(AtomicReference<String> table) {
        return Nemesis.repeated(
                "changing tables", LONGEST_PAUSE_MILLIS, seed, () -> writeTable(Objects.requireNonNull(table.get())));
    }

    @Test
    void shouldProcessEachRecordByOneVersionOfATableWheneverItIsKilled() throws Exception {
        prepare(true, "{ file: trades.bin }");
        writeTable("desks.csv");
        Nemesis changes = changes(new AtomicReference<>("desks.csv"));
        changes.start();
        try {
            Kills.onTheWay(folder, "trades", KILLS, LONGEST_LIFE_MILLIS, seed);
            try (MillraceProcess last = MillraceProcess.start(folder, "run", "config.yml", "--server.port=0")) {
                last.awaitText(PIPELINE, DONE);
                changes.stop();
                verify(last);
            }
        } finally {
            changes.stop();
        }
    }

    @Test
    void shouldProcessEachRecordByOneVersionThoughTheNodeThatTakesOverHasAnOldFile() throws Exception {
        prepare(false, "{ generator: { seed: 1, count: " + RECORDS + ", rate: 20000 } }");
        writeTable("desks.csv");
        for (String name : List.of("node-0", "node-1")) {
            Files.copy(folder.resolve("desks.csv"), folder.resolve(name + ".csv"));
        }
        AtomicReference<String> table = new AtomicReference<>("");
        Nemesis changes = changes(table);
        try (LocalCluster cluster = new LocalCluster(folder)) {
            cluster.server("one", "config.yml");
            List<ServiceNode> ingest = List.of(ingest(cluster, "node-0"), ingest(cluster, "node-1"));
            cluster.start();
            ServiceNode first = owner(ingest);
            first.millrace()
                    .replay("trades", "{\"paused\":true}"); // else it could be done before the other has started
            ServiceNode second = ingest.get(1 - ingest.indexOf(first));
            await().until(() -> second.state("trades").equals("standby"));
            // Rows that no node has used would be new wherever they are.
            table.set(first.name() + ".csv");
            changes.start();
            first.millrace().replay("trades", "{\"paused\":false}");
            takeOver(ingest, table);
            ServiceNode owner = owner(ingest);
            owner.millrace().awaitText(PIPELINE, DONE);
            changes.stop();
            verify(owner.millrace());
        } finally {
            changes.stop();
        }
    }

    private static ServiceNode ingest(LocalCluster cluster, String name) {
        return cluster.ingest(name, "config.yml", "--millrace.tables.desks.file=" + name + ".csv");
    }

    /**
     * Kills the owner, and lets the table of the other node change from then on: those of both are outdated in turns.
     */
    private void takeOver(List<ServiceNode> ingest, AtomicReference<String> table) throws Exception {
        Random random = new Random(seed);
        int takeovers = 0;
        boolean midway = true;
        for (int kill = 0; kill < KILLS && midway; kill++) {
            ServiceNode owner = owner(ingest);
            table.set(owner.name() + ".csv");
            ServiceNode other = ingest.get(1 - ingest.indexOf(owner));
            await().until(() -> other.state("trades").equals("standby") || isDone(owner));
            midway = Kills.atAnyMoment(owner.millrace(), "trades", random.nextInt(LONGEST_LIFE_MILLIS));
            if (midway) {
                takeovers++;
                await().until(() -> runs(other));
                table.set(other.name() + ".csv");
            }
            owner.restart();
        }
        System.out.println("takeovers on the way: " + takeovers + " of " + KILLS);
        assertThat(takeovers).isPositive();
    }

    /** Returns the process that runs the pipeline. */
    private static ServiceNode owner(List<ServiceNode> ingest) {
        return Objects.requireNonNull(await().until(
                        () -> ingest.stream()
                                .filter(TableKillIT::runs)
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull));
    }

    private static boolean runs(ServiceNode node) {
        return node.state("trades").equals("running") || isDone(node);
    }

    private static boolean isDone(ServiceNode node) {
        return node.state("trades").equals("done");
    }

    /**
     * Requires that no version is used again after another one, and that each record is where its version sends it.
     * Versions may come out of order: a killed process can leave rows in its file that it has not used, and then they
     * are new for the process, though rows with a higher number were used in between.
     */
    private void verify(MillraceProcess millrace) throws Exception {
        int[] a = marks(millrace, "a");
        int[] b = marks(millrace, "b");
        int version = 0;
        Set<Integer> used = new HashSet<>();
        for (int id = 1; id <= RECORDS; id++) {
            int now = Math.max(a[id], b[id]);
            boolean outdated = now != version && !used.add(now);
            if ((a[id] != 0 && b[id] != 0) || now == 0 || outdated || goesToA(now, id) != (a[id] != 0)) {
                throw new AssertionError("Record " + id + " is marked a=" + a[id] + " b=" + b[id]
                        + ", after a record of version " + version + "\n" + millrace.output());
            }
            version = now;
        }
        System.out.println("versions written: " + mark + ", in use: " + used.size() + ", records: " + RECORDS);
        assertThat(used.size()).isGreaterThan(KILLS);
    }

    /** Returns the marks of the records of a region by id; 0 for those that it does not contain. */
    private static int[] marks(MillraceProcess millrace, String region) throws Exception {
        int[] marks = new int[RECORDS + 1];
        String text =
                Objects.requireNonNull(millrace.get("/api/regions/" + region + "/records?format=csv&select=id,mark"));
        assertThat(text).startsWith("id,mark");
        text.lines().skip(1).forEach(line -> {
            int comma = line.indexOf(',');
            int id = Integer.parseInt(line.substring(0, comma));
            if (marks[id] != 0) {
                throw new AssertionError("stored twice: " + line);
            }
            marks[id] = Integer.parseInt(line.substring(comma + 1));
        });
        return marks;
    }
}
