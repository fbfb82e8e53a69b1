package io.millrace.pipeline.rules;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.change;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.history;
import static io.millrace.pipeline.rules.RulesRunner.id;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static io.millrace.pipeline.rules.RulesRunner.rate;
import static io.millrace.pipeline.rules.RulesRunner.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.background.BackgroundTask;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.version.RuleSource;
import io.millrace.store.Store;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.admin.DataFolder;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RuleUse;
import io.millrace.store.write.RuleVersion;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What a restart does with versions of rules. */
class RuleHistoryTest {

    private static final String FIRST = "steps:\n- set: { exchangeRate: 1.0 }\n- to: buys\n";
    private static final String SECOND = "steps:\n- set: { exchangeRate: 2.0 }\n- to: buys\n";
    private static final String THIRD = "steps:\n- set: { exchangeRate: 3.0 }\n- to: sells\n";
    private static final List<Trade> TRADES = TradeFile.random(900, 1);

    @TempDir
    Path folder;

    private RulesRunner runner;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        file = grow(300);
    }

    private Path grow(int records) throws IOException {
        return TradeFile.write(folder.resolve("trades.bin"), TRADES.subList(0, records));
    }

    @Test
    void shouldContinueWithTheLiveVersionIfTheFileHasNotChanged() {
        runner.file(file, FIRST).run(context -> {
            done(context);
            assertThat(change(context, SECOND).version().number()).isEqualTo(2);
        });
        runner.file(write(600), FIRST).run(context -> {
            done(context);
            assertThat(pipeline(context).rules().version()).isEqualTo(2);
            assertThat(history(context).all()).hasSize(2);
            assertThat(all(context, "buys")).hasSize(600);
            assertMarked(context);
        });
    }

    @Test
    void shouldAddAVersionForAFileThatWasEditedSince() {
        runner.file(file, FIRST).run(context -> {
            done(context);
            change(context, SECOND);
        });
        // Equal rules in other words are no edit.
        runner.file(write(600), "steps:\n  - set:\n      exchangeRate: 1.0\n  - to: buys # the same\n")
                .run(context -> {
                    done(context);
                    assertThat(pipeline(context).rules().version()).isEqualTo(2);
                });
        runner.file(write(900), THIRD).run(context -> {
            await().until(() -> pipeline(context).rules().version() == 3);
            done(context);
            assertThat(history(context).all()).extracting(RuleVersion::origin).containsExactly("file", "test", "file");
            // By the second version what was there, or had been read before the change; by the third nothing twice.
            assertMarked(context);
            assertThat(all(context, "buys").size() + all(context, "sells").size())
                    .isEqualTo(900);
        });
        // The next start has this file too.
        runner.file(file, THIRD).run(context -> {
            done(context);
            assertThat(history(context).all()).hasSize(3);
        });
    }

    @Test
    void shouldAddNoVersionForAFileThatCatchesUpWithTheLiveRules() {
        runner.file(file, FIRST).run(context -> {
            done(context);
            change(context, SECOND);
        });
        runner.file(file, SECOND).run(context -> {
            done(context);
            assertThat(history(context).all()).hasSize(2);
            change(context, THIRD);
        });
        runner.file(file, SECOND).run(context -> {
            done(context);
            assertThat(pipeline(context).rules().version()).isEqualTo(3);
            assertThat(history(context).all()).hasSize(3);
        });
    }

    /** After a clean stop nothing is behind the commit, so no record is processed by the rules of before. */
    @Test
    void shouldBeginWithAnEditedFileAtThePositionOfACleanStop() {
        runner.file(file, FIRST).run(context -> done(context));
        runner.file(write(600), SECOND).run(context -> {
            done(context);
            assertThat(history(context).uses()).extracting(RuleUse::version).containsExactly(1L, 2L);
            assertThat(history(context).uses().getLast().since()).isEqualTo(300L * TradeFile.LENGTH);
            assertMarked(context);
        });
    }

    /** What is live can't be used any more: the clean stop allows any version, so the former one goes on. */
    @Test
    void shouldContinueWithTheFormerVersionWhereTheNewestCanNotBeUsed() {
        runner.file(file, FIRST).run(context -> {
            done(context);
            RuleHistory history = history(context);
            RulesText unusable = new RulesText("steps:\n- to: elsewhere\n", "of another node", "");
            assertThat(history.add(1, "ann", "http", "", unusable)).isNotNull();
        });
        runner.file(write(600), FIRST).run(context -> {
            done(context);
            assertThat(pipeline(context).rules().version()).isEqualTo(1);
            assertThat(all(context, "buys")).hasSize(600);
        });
    }

    /** The standby has the configuration of yesterday, and knows nothing of the change. */
    @Test
    void shouldAddNoVersionWhereAStandbyTakesOver() throws IOException {
        Configured edited = edited();
        runner.file(file, FIRST).run(context -> {
            done(context);
            Store store = context.getBean(Store.class);
            RuleHistory standby = Configured.of(context).history(store, "standby");
            standby.start();
            edited.history(store, "leader").start();
            assertThat(standby.all()).hasSize(2);
            standby.select(new RuleSource.Rules(0, pipeline(context).plan()), null);
            assertThat(standby.all()).hasSize(2);
            assertThat(Objects.requireNonNull(standby.current()).number()).isEqualTo(2);
        });
    }

    /** A node that was away, or a new one from an old image. */
    @Test
    void shouldAddNoVersionForANodeWithAnEarlierConfiguration() throws IOException {
        Configured edited = edited();
        runner.file(file, FIRST).run(context -> {
            done(context);
            Store store = context.getBean(Store.class);
            Configured first = Configured.of(context);
            first.history(store, "away").start();
            edited.history(store, "leader").start();
            first.history(store, "away").start();
            first.history(store, "new").start();
            assertThat(history(context).all()).hasSize(2);
            // The leader's own file is edited back: that is meant.
            first.history(store, "leader").start();
            assertThat(history(context).all()).hasSize(3);
        });
    }

    /** What a process is configured with. */
    private record Configured(PipelinePlan plan, RulesCompiler compiler) {

        static Configured of(ApplicationContext context) {
            return new Configured(pipeline(context).plan(), context.getBean(RulesCompiler.class));
        }

        /** The history in a process that has this configuration. */
        RuleHistory history(Store store, String instance) {
            return new RuleHistory(
                    plan,
                    store,
                    compiler,
                    new RuleHistory.Identity(instance, instance + " 1", "ann"),
                    InstantSource.system());
        }
    }

    private Configured edited() throws IOException {
        List<Configured> edited = new ArrayList<>();
        new RulesRunner(Files.createDirectories(folder.resolve("other")))
                .file(file, SECOND)
                .run(context -> edited.add(Configured.of(context)));
        return edited.getFirst();
    }

    /** A crash may leave records behind the commit: the version that stored them processes them again. */
    @Test
    void shouldProcessAgainByTheVersionOfTheCommitAfterACrash() throws IOException {
        runner.file(file, FIRST).run(context -> done(context));
        goBack(150L * TradeFile.LENGTH, "buys");
        runner.file(write(600), SECOND).run(context -> {
            await().until(() -> pipeline(context).rules().version() == 2);
            done(context);
            // The version begins to be used before it is committed with its position.
            await().until(() -> pipeline(context).rules().committed().since() > 0);
            assertThat(pipeline(context).rules().committed().since()).isGreaterThanOrEqualTo(300L * TradeFile.LENGTH);
            assertThat(all(context, "buys")).hasSize(600);
            assertMarked(context);
        });
    }

    /** Entries contain no position, so another one must show that they are ahead of the commit. */
    @Test
    void shouldProcessAgainByTheVersionOfTheCommitWhereOnlyEntriesAreAhead() throws IOException {
        runner.file(file, FIRST.replace("buys", "sells")).run(context -> done(context));
        goBack(150L * TradeFile.LENGTH, "sells");
        runner.gated(write(600), SECOND).run(context -> {
            awaitRequest(context);
            Gate.of(context).open();
            await().until(() -> pipeline(context).rules().version() == 2);
            done(context);
            await().until(() -> pipeline(context).rules().committed().since() > 0);
            assertThat(pipeline(context).rules().committed().since()).isEqualTo(350L * TradeFile.LENGTH);
            assertThat(all(context, "buys").size() + all(context, "sells").size())
                    .isEqualTo(600);
            assertMarked(context);
        });
    }

    /** Waits until the change to the newest version is requested, while the gate holds the first batch back. */
    private static void awaitRequest(ApplicationContext context) {
        await().until(() -> pipeline(context).rules().version() == 1);
        BackgroundTask task =
                context.getBean(RuleChanges.class).backgroundTasks().getFirst();
        // The first run that ends may have begun before the version was known.
        for (int runs = 0; runs < 2; runs++) {
            Instant before = Instant.now();
            await().until(() -> {
                Instant lastRun = task.status().lastRun();
                return lastRun != null && lastRun.isAfter(before);
            });
        }
    }

    @Test
    void shouldRefuseRulesThatNeedAStartAfterACrashUnlessTheyMayChange() throws IOException {
        runner.file(file, FIRST).run(context -> done(context));
        goBack(150L * TradeFile.LENGTH, "buys");
        ApplicationContextRunner other = runner.configured(
                RulesRunner.REGIONS + "rows: { layout: blocks }\n",
                "feed: { file: " + file + " }",
                "steps:\n- measure: { name: n, values: { n: count() }, every: 1s, to: rows }\n- filter: id > 5\n- to: buys\n");
        other.run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("The rules of pipeline 'trades' have changed", "on-rules-change: continue")
                    .endsWith(" [unclean-stop]");
        });
        other.withPropertyValues("millrace.pipelines.trades.on-rules-change=continue")
                .run(context -> assertThat(done(context).ended()).isTrue());
    }

    @Test
    void shouldFailIfTheConfigurationCanNotUseTheRulesOfTheCommit() {
        runner.file(file, FIRST).run(context -> {
            done(context);
            change(context, THIRD);
        });
        runner.file(write(600), FIRST).run(context -> done(context));
        String buysOnly = RulesRunner.REGIONS.lines().findFirst().orElseThrow() + "\n";
        runner.configured(buysOnly, "feed: { file: " + file + " }", FIRST).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .startsWith("Version 2 of the rules of pipeline 'trades' can't be used with the configuration")
                    .endsWith(" [unusable-rules]");
        });
    }

    @Test
    void shouldForgetWhichVersionWasUsedWhereThePositionIsReset() throws IOException {
        runner.file(file, FIRST).run(context -> {
            done(context);
            change(context, SECOND);
        });
        try (StoredData data = new DataFolder(folder.resolve("data"))) {
            data.resetPosition("trades/0");
        }
        runner.file(file, FIRST).run(context -> {
            done(context);
            assertThat(history(context).uses())
                    .singleElement()
                    .satisfies(use -> assertThat(use.version()).isEqualTo(2))
                    .satisfies(use -> assertThat(use.since()).isZero());
        });
    }

    @Test
    void shouldForgetHowFarEntriesAreStoredWhereThePositionIsReset() {
        runner.file(file, FIRST.replace("buys", "sells")).run(context -> done(context));
        assertThat(entriesStoredUpTo()).isEqualTo(300L * TradeFile.LENGTH);
        try (StoredData data = new DataFolder(folder.resolve("data"))) {
            data.resetPosition("trades/0");
        }
        assertThat(entriesStoredUpTo()).isZero();
    }

    private long entriesStoredUpTo() {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            return store.commits(true).storedUpTo(WriterName.of("trades", 0), "sells");
        }
    }

    @Test
    void shouldBeginWithTheFileWhereNothingLasts() {
        String memory = "buys: { layout: blocks }\n";
        String feed = "feed: { file: " + file + " }";
        runner.configured(memory, feed, FIRST).run(context -> {
            done(context);
            change(context, SECOND);
        });
        runner.configured(memory, feed, FIRST).run(context -> {
            done(context);
            assertThat(pipeline(context).rules().version()).isEqualTo(1);
        });
    }

    @Test
    void shouldSayWhoUsesWhat() {
        runner.file(file, FIRST).run(context -> {
            done(context);
            change(context, SECOND);
            assertThat(history(context).running()).singleElement().satisfies(use -> {
                assertThat(use.version()).isEqualTo(2);
                assertThat(use.writer()).isEqualTo("trades/0");
                assertThat(use.process())
                        .contains("process " + ProcessHandle.current().pid());
            });
        });
    }

    private Path write(int records) {
        try {
            return grow(records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each record has the mark of the version that the history names. */
    private static void assertMarked(ApplicationContext context) {
        List<RuleUse> uses = history(context).uses();
        for (String region : List.of("buys", "sells")) {
            assertThat(all(context, region))
                    .allSatisfy(record ->
                            assertThat(rate(record)).isEqualTo(version(uses, (id(record) - 1) * TradeFile.LENGTH)));
        }
    }

    /** As a crash leaves it: the regions are ahead of the commit. */
    private void goBack(long position, String region) {
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            WriterName writer = WriterName.of("trades", 0);
            Term term = Objects.requireNonNull(store.claim(writer, true).term());
            Commit last = Objects.requireNonNull(store.commits(true).get(writer));
            store.commits(true)
                    .put(
                            term,
                            new Commit(
                                    position,
                                    last.rules(),
                                    last.version(),
                                    last.since(),
                                    last.feed(),
                                    false,
                                    position,
                                    Map.of(region, position, "trades-rejected", position)));
            store.release(term);
        }
    }
}
