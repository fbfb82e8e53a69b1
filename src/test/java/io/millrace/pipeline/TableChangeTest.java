package io.millrace.pipeline;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.store.Store;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.write.Commit;
import io.millrace.store.write.TableUse;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import io.millrace.table.ServedTable;
import io.millrace.table.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Tables that change while the pipelines that use them run, and between two starts. */
class TableChangeTest {

    private static final int RECORDS = 900;
    private static final List<Trade> TRADES = TradeFile.random(RECORDS, 1);
    private static final int DESKS = 10;
    private static final WriterName WRITER = WriterName.of("trades", 0);
    private static final String REGIONS = """
            a: { layout: blocks, block-records: 64, persistent: true }
            b: { layout: blocks, block-records: 64, persistent: true }
            """;
    private static final String STEPS = """
            steps:
            - enrich: { table: desks, key: id % 10, add: { target: target } }
            - route: [ { when: target == 1, to: a }, { otherwise: b } ]
            """;

    @TempDir
    Path folder;

    /** Which records go to region a, by the version of the table. */
    private final Map<String, Integer> desks = new HashMap<>();

    private RulesRunner runner;
    private Path trades;

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        trades = TradeFile.write(folder.resolve("trades.bin"), TRADES);
    }

    private void grow(int records) {
        try {
            TradeFile.write(trades, TRADES.subList(0, records));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the table: records of one desk go to region a, all others to region b. */
    private void writeTable(int desk) {
        writeTable(desk, "");
    }

    /** @param column title of a column before the others, empty for none */
    private void writeTable(int desk, String column) {
        StringBuilder rows = new StringBuilder(column.isEmpty() ? "" : column + ",").append("id,target\n");
        IntStream.range(0, DESKS)
                .forEach(i -> rows.append(column.isEmpty() ? "" : "text" + i + ",")
                        .append(i)
                        .append(',')
                        .append(i == desk ? 1 : 0)
                        .append('\n'));
        try {
            Path next = Files.writeString(folder.resolve("next"), rows);
            Files.move(next, folder.resolve("desks.csv"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ApplicationContextRunner service(Path data) {
        return service(data, REGIONS);
    }

    private ApplicationContextRunner service(Path data, String regions, String... more) {
        return runner.configured(regions, "feed: { file: " + trades + " }", STEPS, more)
                .withPropertyValues(
                        "millrace.data=" + data,
                        "millrace.tables.desks.file=" + folder.resolve("desks.csv"),
                        "millrace.tables.desks.key=id");
    }

    /** Returns a copy of the data folder, as a killed process leaves it. */
    private Path killed(Path data, String name) throws IOException {
        Path copy = folder.resolve(name);
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.toList()) {
                Path target = copy.resolve(data.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!file.toString().endsWith(".lk")) {
                    Files.copy(file, target);
                }
            }
        }
        return copy;
    }

    private static Set<Long> ids(ApplicationContext context, String region) {
        List<Long> ids = all(context, region).stream().map(RulesRunner::id).toList();
        assertThat(ids).doesNotHaveDuplicates();
        return new TreeSet<>(ids);
    }

    private ServedTable table(ApplicationContext context, int desk) {
        ServedTable table =
                (ServedTable) context.getBean(Tables.class).named("desks").orElseThrow();
        desks.put(table.served().version(), desk);
        return table;
    }

    private static List<TableUse> uses(ApplicationContext context) {
        return context.getBean(Store.class).tableVersions(true).uses(WRITER, "desks");
    }

    /** Each record is in the region to which the rows send it that were used at its position. */
    private void requireEachOnce(ApplicationContext context, int records) {
        List<TableUse> uses = uses(context);
        Set<Long> a = new TreeSet<>();
        Set<Long> b = new TreeSet<>();
        for (long id = 1; id <= records; id++) {
            long position = (id - 1) * TradeFile.LENGTH;
            TableUse use = uses.stream()
                    .filter(used -> used.since() <= position)
                    .reduce((_, last) -> last)
                    .orElseThrow();
            (id % DESKS == Objects.requireNonNull(desks.get(use.version())) ? a : b).add(id);
        }
        assertThat(ids(context, "a")).isEqualTo(a);
        assertThat(ids(context, "b")).isEqualTo(b);
    }

    /** Runs a service until region b is ahead of the commit and of region a, whose first block is not full. */
    private Path crash(int desk) {
        Path data = folder.resolve("data");
        writeTable(desk);
        service(data)
                .withBean(Gate.class)
                .withPropertyValues("millrace.flush=1h")
                .run(context -> {
                    table(context, desk);
                    Gate.of(context).pass(3);
                    await().until(() -> all(context, "b").size() == 256);
                    killed(data, "killed");
                    Gate.of(context).open();
                });
        return folder.resolve("killed");
    }

    /** Changes what the last commit says about tables. */
    private static void setCommittedTables(Path data, Map<String, String> tables) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(data))) {
            Term term = Objects.requireNonNull(store.claim(WRITER, true).term());
            Commit last = Objects.requireNonNull(store.commits(true).get(WRITER));
            store.commits(true)
                    .put(
                            term,
                            new Commit(
                                    last.position(),
                                    last.rules(),
                                    last.version(),
                                    last.since(),
                                    last.feed(),
                                    last.clean(),
                                    last.aligned(),
                                    last.regions(),
                                    tables));
            store.release(term);
        }
    }

    @Test
    void shouldProcessRecordsAgainWithTheRowsThatProcessedThemBeforeTheCrash() {
        Path data = crash(0);
        writeTable(1);
        service(data).run(context -> {
            table(context, 1);
            done(context);
            requireEachOnce(context, RECORDS);
            assertThat(ids(context, "a")).contains(10L, 250L).doesNotContain(11L, 251L);
            assertThat(uses(context)).hasSize(2);
        });
    }

    @Test
    void shouldUseTheRowsOfTheCommitIfTheFileHasOtherColumnsSince() {
        Path data = crash(0);
        writeTable(1, "name");
        service(data).run(context -> {
            table(context, 1);
            done(context);
            requireEachOnce(context, RECORDS);
            assertThat(uses(context)).hasSize(2);
        });
    }

    @Test
    void shouldRefuseOtherRowsAfterACrashIfThoseOfTheCommitAreNotStored() {
        Path data = crash(0);
        setCommittedTables(data, Map.of("desks", "0123456789abcdef"));
        service(data).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("table 'desks'")
                    .contains("version 0123456789abcdef")
                    .endsWith("[changed-table]");
        });
        service(data, REGIONS, "on-rules-change: continue").run(context -> {
            assertThat(done(context).in()).isPositive();
        });
    }

    @Test
    void shouldContinueFromACommitThatNamesNoTables() {
        Path data = crash(0);
        setCommittedTables(data, Map.of());
        service(data).run(context -> {
            done(context);
            requireEachOnce(context, RECORDS);
        });
    }

    @Test
    void shouldBeginWithTheNewRowsAfterACleanStop() {
        grow(300);
        writeTable(0);
        service(folder.resolve("data")).run(context -> {
            table(context, 0);
            done(context);
        });
        grow(RECORDS);
        writeTable(1);
        service(folder.resolve("data")).run(context -> {
            table(context, 1);
            done(context);
            requireEachOnce(context, RECORDS);
            assertThat(uses(context)).extracting(TableUse::since).containsExactly(0L, 300L * TradeFile.LENGTH);
        });
    }

    @Test
    void shouldStoreALostRegionAgainWithTheRowsThatWereUsed() {
        String regions = REGIONS.replaceFirst("(b: .*), persistent: true", "$1");
        grow(300);
        writeTable(0);
        service(folder.resolve("data"), regions).run(context -> {
            table(context, 0);
            done(context);
        });
        grow(RECORDS);
        writeTable(1);
        service(folder.resolve("data"), regions).run(context -> {
            table(context, 1);
            done(context);
            requireEachOnce(context, RECORDS);
            assertThat(uses(context))
                    .hasSize(2)
                    .last()
                    .satisfies(use -> assertThat(use.since()).isGreaterThanOrEqualTo(300L * TradeFile.LENGTH));
        });
    }

    @Test
    void shouldChangeBetweenTwoBatchesWhileItRunsAndGoBackAfterARestart() {
        Path data = folder.resolve("data");
        writeTable(0);
        service(data).withBean(Gate.class).run(context -> {
            ServedTable table = table(context, 0);
            Gate.of(context).pass(3);
            await().until(() -> PipelineStatus.of(pipeline(context)).in() == 300);
            writeTable(1);
            table.reload();
            table(context, 1);
            Gate.of(context).pass(2);
            await().until(() -> PipelineStatus.of(pipeline(context)).in() == 500);
            assertThat(uses(context)).hasSize(2);
            assertThat(PipelineStatus.of(pipeline(context)).tables())
                    .containsEntry("desks", table.status().version());
            killed(data, "killed");
            Gate.of(context).open();
            done(context);
            requireEachOnce(context, RECORDS);
        });
        writeTable(0);
        service(folder.resolve("killed")).run(context -> {
            done(context);
            requireEachOnce(context, RECORDS);
            assertThat(uses(context)).hasSize(3);
        });
    }
}
