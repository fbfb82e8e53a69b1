package io.millrace.pipeline;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.shadow.Difference;
import io.millrace.pipeline.shadow.ShadowReport;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.messaging.MessageHandler;

/** Pipelines whose records reach several targets. */
class FanOutTest {

    private static final int RECORDS = 5_000;

    private static final String REGIONS = """
        every: { layout: blocks, persistent: true, block-records: 64, schema: trade }
        some: { layout: blocks, persistent: true, encoding: columns, block-records: 64, schema: trade }
        latest: { layout: entries, key: currency1, persistent: true, schema: trade }
        """;

    private static final String ROUTE = """
        steps:
        - route:
          - { when: id % 3 == 0, to: [every, some] }
          - { when: id % 3 == 1, to: [latest, every] }
          - { otherwise: every }
        """;

    @TempDir
    Path folder;

    private Path file;
    private List<TradeFile.Trade> trades = List.of();

    @BeforeEach
    void write() throws IOException {
        trades = TradeFile.random(RECORDS, 1);
        file = TradeFile.write(folder.resolve("trades.bin"), trades);
    }

    private ApplicationContextRunner runner(String steps, String... more) {
        return new RulesRunner(folder).configured(REGIONS, "feed: { file: " + file + " }", steps, more);
    }

    private static List<Long> ids(ApplicationContext context, String region) {
        return all(context, region).stream().map(RulesRunner::id).toList();
    }

    private static List<Long> range(LongPredicate wanted) {
        return LongStream.rangeClosed(1, RECORDS).filter(wanted).boxed().toList();
    }

    /** The newest of each currency. */
    private List<Long> newest(LongPredicate wanted) {
        Map<Integer, Long> newest = new TreeMap<>();
        trades.stream()
                .filter(trade -> wanted.test(trade.id()))
                .forEach(trade -> newest.put(trade.currency1(), trade.id()));
        return newest.values().stream().sorted().toList();
    }

    @Test
    void shouldStoreEachRecordInEachRegion() {
        runner("steps:\n- filter: id % 2 == 0\n- to: [every, latest]\n").run(context -> {
            assertThat(context).hasNotFailed();
            PipelineStatus status = done(context);
            assertThat(ids(context, "every")).isEqualTo(range(id -> id % 2 == 0));
            assertThat(ids(context, "latest")).isEqualTo(newest(id -> id % 2 == 0));
            assertThat(status.made()).isEqualTo(RECORDS / 2);
            assertThat(status.keptByRegion())
                    .containsEntry("every", RECORDS / 2L)
                    .containsEntry("latest", RECORDS / 2L);
            assertThat(status.in() + status.made()).isEqualTo(status.kept() + status.dropped());
            assertThat(Conservation.holds(pipeline(context))).isTrue();
        });
    }

    @Test
    void shouldStoreTheRecordsOfEachBranchInAllOfItsRegionsAcrossRestarts() throws IOException {
        byte[] records = Files.readAllBytes(file);
        for (int count : new int[] {1_111, 3_333, RECORDS}) {
            Files.write(file, Arrays.copyOf(records, count * TradeFile.LENGTH));
            runner(ROUTE).run(context -> {
                done(context);
                assertThat(Conservation.holds(pipeline(context))).isTrue();
                if (count == RECORDS) {
                    assertThat(ids(context, "every")).isEqualTo(range(_ -> true));
                    assertThat(ids(context, "some")).isEqualTo(range(id -> id % 3 == 0));
                    assertThat(ids(context, "latest")).isEqualTo(newest(id -> id % 3 == 1));
                }
            });
        }
    }

    @Test
    void shouldBeginAndEndWhileThePipelineRuns() {
        runner("steps:\n- to: every\n").withBean(Gate.class).run(context -> {
            Gate gate = Gate.of(context);
            gate.pass(10);
            await().until(() -> PipelineStatus.of(pipeline(context)).in() >= 1_000);
            gate.passUntilChanged(context, "steps:\n- to: [every, some]\n");
            long from = PipelineStatus.of(pipeline(context)).in();
            gate.pass(10);
            await().until(() -> PipelineStatus.of(pipeline(context)).in() >= from + 1_000);
            gate.passUntilChanged(context, "steps:\n- to: some\n");
            gate.open();
            PipelineStatus status = done(context);
            List<Long> every = ids(context, "every");
            List<Long> some = ids(context, "some");
            assertThat(every).isEqualTo(range(id -> id <= every.size()));
            assertThat(some).isEqualTo(range(id -> id > RECORDS - some.size()));
            assertThat(status.made())
                    .isEqualTo(every.size() + some.size() - RECORDS)
                    .isGreaterThanOrEqualTo(1_000);
            assertThat(Conservation.holds(pipeline(context))).isTrue();
        });
    }

    /** A subscriber may narrow the selection of its batch. */
    @Test
    void shouldGiveEachTargetASelectionOfItsOwn() {
        runner("steps:\n- to: ['channel:greedy', every, 'channel:greedy2']\n")
                .withBean("greedy", DirectChannel.class, FanOutTest::greedy)
                .withBean("greedy2", DirectChannel.class, FanOutTest::greedy)
                .run(context -> {
                    PipelineStatus status = done(context);
                    assertThat(ids(context, "every")).isEqualTo(range(_ -> true));
                    assertThat(status.kept()).isEqualTo(3L * RECORDS);
                });
    }

    private static DirectChannel greedy() {
        DirectChannel channel = new DirectChannel();
        MessageHandler handler = message -> ((RecordBatch) message.getPayload()).select(0);
        channel.subscribe(handler);
        return channel;
    }

    @Test
    void shouldBeTestedByRuleTests() {
        runner(ROUTE, """
                tests:
                - { name: both, record: { id: 3 }, expect: { to: [some, every], fields: { id: 3 } } }
                - { name: one, record: { id: 5 }, expect: { to: every } }
                - { name: each, record: { id: 4 }, expect-each: [ { to: every }, { to: latest } ] }
                """).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void shouldShowOtherSetsOfTargetsInABacktest() {
        runner(ROUTE).run(context -> {
            done(context);
            ShadowReport report = context.getBean(Shadows.class)
                    .backtest(
                            context.getBean(RuleChanges.class).of("trades").orElseThrow(),
                            ROUTE.replace("[every, some]", "[some, every]")
                                    .replace("otherwise: every", "otherwise: [every, latest]"),
                            List.of())
                    .run(context.getBean(Store.class), "every", null, Query.UNLIMITED, Duration.ofSeconds(60))
                    .comparison();
            assertThat(report.differences()).containsEntry(Difference.OTHER_TARGET, (long)
                    range(id -> id % 3 == 2).size());
            assertThat(report.same()).isEqualTo(range(id -> id % 3 != 2).size());
            assertThat(report.examples()).allSatisfy(example -> {
                assertThat(example.live().target()).isEqualTo("every");
                assertThat(example.shadow().target()).isEqualTo("every, latest");
            });
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        to: [every, none]                        | Unknown region 'none'.
        to: [every, every]                       | Duplicate target 'every'. A target receives a record once.
        route: [{ when: id > 1, to: [every, some, every] }] | Duplicate target 'every'. A target receives a record once.
        route: [{ when: id > 1, to: [] }]        | Missing value: a target.
        route: [{ otherwise: [every, none] }]    | Unknown region 'none'.
        """)
    void shouldSayWhatIsWrong(String step, String message) {
        runner("steps:\n- " + step + "\n")
                .run(context -> assertThat(context).getFailure().hasMessageContaining(message));
    }
}
