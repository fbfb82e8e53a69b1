package io.millrace.pipeline.rules;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.change;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.history;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.background.BackgroundTask;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.TradeFile;
import io.millrace.store.Store;
import io.millrace.store.write.RuleVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class RulesWatchTest {

    private static final String FIRST = marking(1);

    @TempDir
    Path folder;

    private RulesRunner runner;
    private Path watched;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        watched = Files.createDirectory(folder.resolve("rules"));
        file = watched.resolve("trades.yml");
    }

    private static String marking(int value) {
        return "steps:\n- set: { exchangeRate: %d.0 }\n- to: buys\n".formatted(value);
    }

    private ApplicationContextRunner service() {
        return runner.file(null, FIRST);
    }

    private ApplicationContextRunner watching() {
        return service().withPropertyValues("millrace.rules.watch=" + watched, "millrace.rules.watch-interval=20ms");
    }

    private static FollowedRules started(ApplicationContext context) {
        await().until(() -> pipeline(context).rules().version() > 0);
        return context.getBean(RuleChanges.class).of("trades").orElseThrow();
    }

    /** Returns a watched file that is polled by hand. */
    private WatchedFile byHand(ApplicationContext context) {
        return new WatchedFile(new RulesFile(file), started(context), context.getBean(RuleChanges.class));
    }

    /** Polls as often as a content needs that does not change. */
    private static void poll(WatchedFile watchedFile) {
        watchedFile.poll();
        watchedFile.poll();
    }

    private void write(String text) {
        write(file, text);
    }

    /** Replaces a file, as editors and deployments do. */
    private void write(Path target, String text) {
        try {
            Path next = Files.writeString(folder.resolve("next"), text);
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> origins(ApplicationContext context) {
        return history(context).all().stream().map(RuleVersion::origin).toList();
    }

    @Test
    void shouldApplyAFileThatAppearsAndEachContentThatFollows() {
        watching().run(context -> {
            FollowedRules rules = started(context);
            write("comment: larger only\nsteps:\n- filter: id > 5\n- to: buys\n");
            await().until(() -> pipeline(context).rules().version() == 2);
            RuleVersion version = rules.history().all().getLast();
            assertThat(version.origin()).isEqualTo("watch");
            assertThat(version.author()).isEqualTo(System.getProperty("user.name"));
            assertThat(version.comment()).isEqualTo("larger only");
            write("steps:\n- filter: id > 6\n- to: buys\n");
            await().until(() -> pipeline(context).rules().version() == 3);
            assertThat(rules.problem()).isNull();
            assertThat(context.getBean(RulesWatch.class).backgroundTasks())
                    .extracting(BackgroundTask::name)
                    .containsExactly("rules-watch", "rules-watch-trades");
        });
    }

    @Test
    void shouldProcessRecordsByTheFileOnceTheServiceHasStarted() throws IOException {
        Path trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(300, 1));
        write(marking(2));
        runner.file(trades, FIRST)
                .withPropertyValues("millrace.rules.watch=" + watched, "millrace.rules.watch-interval=20ms")
                .run(context -> {
                    done(context);
                    await().until(() -> pipeline(context).rules().version() == 2);
                    assertThat(all(context, "buys")).hasSize(300);
                });
    }

    @Test
    void shouldWaitUntilAFileIsComplete() {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            String complete = "steps:\n- route: [ { when: id > 5, to: buys }, { otherwise: sells } ]\n";
            for (int end = 0; end < complete.length(); end++) {
                write(complete.substring(0, end));
                watchedFile.poll();
            }
            assertThat(history(context).all()).hasSize(1);
            write(complete);
            watchedFile.poll();
            assertThat(history(context).all()).hasSize(1);
            watchedFile.poll();
            assertThat(pipeline(context).rules().version()).isEqualTo(2);
        });
    }

    @Test
    void shouldKeepTheLiveRulesAndReportAnInvalidContentOnce(CapturedOutput output) {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            FollowedRules rules = started(context);
            write("steps:\n- filter: amount9 > 5\n- to: buys\n");
            poll(watchedFile);
            poll(watchedFile);
            assertThat(rules.problem())
                    .startsWith("The rules in '" + file + "' can't be used: steps[0].filter (2:11): ")
                    .contains("amount1");
            assertThat(output.toString().lines().filter(line -> line.contains("the live rules stay.")))
                    .hasSize(1);
            write("steps: [");
            poll(watchedFile);
            assertThat(rules.problem()).contains("can't be used");
            assertThat(output.toString().lines().filter(line -> line.contains("the live rules stay.")))
                    .hasSize(2);
            write("#".repeat(2_000_000));
            poll(watchedFile);
            assertThat(rules.problem()).startsWith("Too many bytes in '" + file + "'");
            assertThat(pipeline(context).rules().version()).isEqualTo(1);
            assertThat(history(context).all()).hasSize(1);
            write(marking(2));
            poll(watchedFile);
            assertThat(rules.problem()).isNull();
            assertThat(pipeline(context).rules().version()).isEqualTo(2);
        });
    }

    @Test
    void shouldShowNoProblemOnceTheInvalidFileIsRemoved() throws IOException {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            write("steps: [");
            poll(watchedFile);
            assertThat(started(context).problem()).isNotNull();
            Files.delete(file);
            poll(watchedFile);
            assertThat(started(context).problem()).isNull();
        });
    }

    @Test
    void shouldKeepTheRulesWhenTheFileIsRemovedAndAddNoVersionWhenItComesBack() {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            write(marking(2));
            poll(watchedFile);
            Files.delete(file);
            poll(watchedFile);
            assertThat(pipeline(context).rules().version()).isEqualTo(2);
            write("# the same rules\n" + marking(2));
            poll(watchedFile);
            assertThat(history(context).all()).hasSize(2);
        });
    }

    /** A volume of a ConfigMap: files are links into a link to a folder, which is replaced. */
    @Test
    void shouldFollowReplacedLinks() {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            Path data = watched.resolve("..data");
            Files.createSymbolicLink(file, Path.of("..data", "trades.yml"));
            for (int version = 2; version <= 4; version++) {
                Path revision = Files.createDirectory(watched.resolve("..revision-" + version));
                Files.writeString(revision.resolve("trades.yml"), marking(version));
                Path next = Files.createSymbolicLink(watched.resolve("..next"), revision.getFileName());
                Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
                poll(watchedFile);
                assertThat(pipeline(context).rules().version()).isEqualTo(version);
            }
        });
    }

    @Test
    void shouldApplyTheFileAgainOnlyWhenItsContentChanges() {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            write(marking(2));
            poll(watchedFile);
            change(context, marking(3));
            poll(watchedFile);
            assertThat(pipeline(context).rules().version()).isEqualTo(3);
        });
        // Also after a restart, of this instance or of another one.
        for (ApplicationContextRunner restarted :
                List.of(service(), service().withPropertyValues("millrace.instance=other"))) {
            restarted.run(context -> {
                WatchedFile watchedFile = byHand(context);
                poll(watchedFile);
                write("# edited, but equal\n" + marking(2));
                poll(watchedFile);
                assertThat(origins(context)).containsExactly("file", "watch", "test");
            });
        }
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            write(marking(4));
            poll(watchedFile);
            assertThat(pipeline(context).rules().version()).isEqualTo(4);
        });
    }

    @Test
    void shouldApplyAContentThatReturnsWhileTheServiceIsStopped() {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            write(marking(2));
            poll(watchedFile);
            write(marking(3));
            poll(watchedFile);
        });
        write(marking(2));
        service().run(context -> {
            poll(byHand(context));
            assertThat(origins(context)).containsExactly("file", "watch", "watch", "watch");
        });
    }

    @Test
    void shouldNotReplaceALaterChangeByAFileThatIsEqualToTheLiveRules() {
        service().run(context -> {
            WatchedFile watchedFile = byHand(context);
            write(FIRST);
            poll(watchedFile);
            change(context, marking(2));
            poll(watchedFile);
            poll(byHand(context));
            assertThat(origins(context)).containsExactly("file", "test");
        });
    }

    /** Another instance of the same pipelines, on the same store. */
    private static RuleChanges instance(ApplicationContext context, String name) {
        RulesCompiler compiler = context.getBean(RulesCompiler.class);
        RuleHistory.Identity identity = new RuleHistory.Identity(name, name, "ann");
        RuleHistories histories =
                new RuleHistories(context.getBean(Store.class), compiler, identity, InstantSource.system());
        histories.add(pipeline(context).plan());
        return new RuleChanges(context.getBean(Pipelines.class), histories, compiler, Duration.ofSeconds(5));
    }

    @Test
    void shouldAddOneVersionWhereTwoInstancesWatchTheSameFile() {
        watching().run(context -> {
            started(context);
            Random random = new Random(7);
            try (RuleChanges other = instance(context, "other");
                    RulesWatch watch = new RulesWatch(watched, other)) {
                watch.start(Duration.ofMillis(20));
                for (int version = 2; version <= 30; version++) {
                    write(marking(version));
                    int expected = version;
                    await().until(() -> pipeline(context).rules().version() == expected);
                    if (random.nextBoolean()) {
                        // Also where somebody else changes the rules before both have seen the file.
                        version++;
                        change(context, marking(-version));
                    }
                    Thread.sleep(random.nextInt(60)); // any moment will do: what is asserted holds for all of them
                }
                assertThat(Stream.concat(
                                watch.backgroundTasks().stream(),
                                context.getBean(RulesWatch.class).backgroundTasks().stream()))
                        .allMatch(task -> task.status().failures() == 0);
            }
            await().during(Duration.ofMillis(200)).until(() -> true);
            List<RuleVersion> all = history(context).all();
            assertThat(all).extracting(RuleVersion::number).doesNotHaveDuplicates();
            assertThat(all.stream().filter(version -> version.origin().equals("watch")))
                    .extracting(RuleVersion::fingerprint)
                    .doesNotHaveDuplicates();
            assertThat(pipeline(context).state()).isNotEqualTo(PipelineState.FAILED);
        });
    }

    /** A volume of a ConfigMap changes on each node at another time. */
    @Test
    void shouldNotGoBackWhereAnInstanceSeesAnOldContentLate() {
        service().run(context -> {
            WatchedFile first = byHand(context);
            Path late = folder.resolve("late.yml");
            try (RuleChanges other = instance(context, "other")) {
                WatchedFile second =
                        new WatchedFile(new RulesFile(late), other.of("trades").orElseThrow(), other);
                for (int version = 2; version <= 4; version++) {
                    write(marking(version));
                    poll(first);
                    if (version == 2) {
                        write(late, marking(version));
                        poll(second);
                    }
                }
                for (int version = 3; version <= 4; version++) {
                    write(late, marking(version));
                    poll(second);
                    assertThat(history(context).all()).hasSize(4);
                }
                // What the second one sees first is new.
                write(late, marking(3));
                poll(second);
                assertThat(history(context).all()).hasSize(5);
                write(marking(3));
                poll(first);
                assertThat(history(context).all()).hasSize(5);
            }
        });
    }

    @Test
    void shouldReportFilesThatBelongToNoPipelineOnce(CapturedOutput output) {
        write(watched.resolve("trade.yml"), FIRST);
        watching().run(context -> {
            started(context);
            await().until(() -> output.toString().contains("has the file 'trade.yml'"));
            await().during(Duration.ofMillis(200)).until(() -> true);
            assertThat(output.toString().lines().filter(line -> line.contains("has the file 'trade.yml'")))
                    .singleElement()
                    .asString()
                    .contains("Did you mean 'trades'? Name files PIPELINE.yml.");
        });
    }

    @Test
    void shouldRefuseAFolderThatDoesNotExist() {
        service()
                .withPropertyValues("millrace.rules.watch=nowhere", "millrace.rules.watch-interval=0")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("Folder not found: 'nowhere'.")
                        .hasStackTraceContaining("millrace.rules.watch-interval"));
    }
}
