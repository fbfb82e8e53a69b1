package io.millrace.pipeline.shadow;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.change;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.Conservation;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.shadow.ShadowReport.Example;
import io.millrace.pipeline.shadow.ShadowReport.Side;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.SubscribableChannel;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ShadowTest {

    private static final int RECORDS = 20_000;

    @TempDir
    Path folder;

    private RulesRunner runner;
    private Path file;

    /**
     * Rules, and what they do with a record, computed by hand.
     *
     * @param drops records whose id is a multiple are dropped
     * @param rejects the others whose id is a multiple are rejected
     * @param marks the others whose id is a multiple get the rate 2
     * @param sells the others whose id is a multiple are sent to the region sells, the others to buys
     */
    private record Rules(int drops, int rejects, int marks, int sells) {

        static Rules random(Random random) {
            return new Rules(
                    2 + random.nextInt(6), 2 + random.nextInt(12), 2 + random.nextInt(8), 1 + random.nextInt(5));
        }

        String text() {
            return """
                    steps:
                    - filter: id %% %d != 0 and 100 / (id %% %d) > 0
                    - set: { exchangeRate: 'id %% %d == 0 ? 2.0 : 1.0' }
                    - route: [ { when: id %% %d == 0, to: sells }, { otherwise: buys } ]
                    """.formatted(drops, rejects, marks, sells);
        }

        Result of(int id) {
            if (id % drops == 0) {
                return new Result("dropped", null, 0);
            }
            if (id % rejects == 0) {
                return new Result("rejected", null, 0);
            }
            return new Result("kept", id % sells == 0 ? "sells" : "buys", id % marks == 0 ? 2 : 1);
        }
    }

    private record Result(String outcome, @Nullable String target, int rate) {

        /** Returns how another result differs, or null if it is the same. */
        @Nullable
        Difference from(Result live) {
            if (equals(live)) {
                return null;
            }
            return switch (outcome) {
                case "dropped" -> Difference.NEWLY_DROPPED;
                case "rejected" -> Difference.NEWLY_REJECTED;
                default ->
                    target == null || !live.outcome.equals("kept")
                            ? Difference.NEWLY_KEPT
                            : target.equals(live.target) ? Difference.OTHER_VALUES : Difference.OTHER_TARGET;
            };
        }
    }

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
    }

    private static byte[] bytes(List<TradeFile.Trade> trades) {
        byte[] bytes = new byte[trades.size() * TradeFile.LENGTH];
        for (int i = 0; i < trades.size(); i++) {
            System.arraycopy(trades.get(i).bytes(), 0, bytes, i * TradeFile.LENGTH, TradeFile.LENGTH);
        }
        return bytes;
    }

    private ApplicationContextRunner gated(String steps) {
        return runner.gated(file, steps).withUserConfiguration(ShadowClock.class);
    }

    private ApplicationContextRunner file(@Nullable Path read, String steps) {
        return runner.file(read, steps).withUserConfiguration(ShadowClock.class);
    }

    private static RunningShadow start(ApplicationContext context, String steps) {
        return context.getBean(Shadows.class)
                .start(context.getBean(RuleChanges.class).of("trades").orElseThrow(), steps, "ann");
    }

    private static void awaitStart(ApplicationContext context) {
        await().until(() -> pipeline(context).rules().version() > 0);
    }

    @Test
    void shouldCountAndShowHowResultsDifferAndChangeNothing() {
        Rules live = new Rules(3, 13, 4, 2);
        Rules other = new Rules(5, 11, 7, 4);
        gated(live.text()).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, other.text());
            assertThat(shadow.version()).isEqualTo(1);
            Gate.of(context).open();
            PipelineStatus status = done(context);

            assertCounts(shadow.report(), live, other, RECORDS);
            assertThat(shadow.ended()).isNull();
            shadow.report().examples().forEach(example -> assertExample(example, live, other));
            for (Difference difference : Difference.values()) {
                assertThat(shadow.report().examples())
                        .filteredOn(example -> example.difference() == difference)
                        .hasSize(Comparison.EXAMPLES);
            }
            assertStored(context, status, live);
            assertThat(shadow.report().nanosPerRecord()).isPositive();
            assertThat(shadow.report().liveNanosPerRecord()).isPositive();
        });
    }

    private static void assertCounts(ShadowReport report, Rules live, Rules other, int records) {
        Map<Difference, Long> expected = new EnumMap<>(Difference.class);
        for (Difference difference : Difference.values()) {
            expected.put(difference, 0L);
        }
        long same = 0;
        for (int id = 1; id <= records; id++) {
            Difference difference = other.of(id).from(live.of(id));
            if (difference == null) {
                same++;
            } else {
                expected.merge(difference, 1L, Long::sum);
            }
        }
        assertThat(report.differences()).isEqualTo(expected);
        assertThat(report.same()).isEqualTo(same);
        assertThat(report.records()).isEqualTo(records);
    }

    private static void assertExample(Example example, Rules live, Rules other) {
        int id = Math.toIntExact(
                (Long) Objects.requireNonNull(example.live().values().get("id")));
        assertThat(example.position()).isEqualTo((id - 1L) * TradeFile.LENGTH);
        assertThat(other.of(id).from(live.of(id))).isEqualTo(example.difference());
        assertSide(example.live(), live.of(id), id);
        assertSide(example.shadow(), other.of(id), id);
    }

    private static void assertSide(Side side, Result expected, int id) {
        assertThat(side.outcome()).isEqualTo(expected.outcome());
        assertThat(side.target()).isEqualTo(expected.target());
        assertThat(side.values()).containsEntry("id", (long) id);
        if (expected.outcome().equals("kept")) {
            assertThat(side.values()).containsEntry("exchangeRate", (double) expected.rate());
        }
        if (expected.outcome().equals("rejected")) {
            assertThat(side.reason()).startsWith("expression: ");
        } else {
            assertThat(side.reason()).isNull();
        }
    }

    private static void assertStored(ApplicationContext context, PipelineStatus status, Rules live) {
        IntFunction<Result> of = live::of;
        for (String region : List.of("buys", "sells")) {
            List<Long> expected = IntStream.rangeClosed(1, RECORDS)
                    .filter(id -> region.equals(of.apply(id).target()))
                    .mapToObj(Long::valueOf)
                    .toList();
            assertThat(all(context, region))
                    .allSatisfy(record -> assertThat(RulesRunner.rate(record))
                            .isEqualTo(of.apply((int) RulesRunner.id(record)).rate()))
                    .extracting(RulesRunner::id)
                    .containsExactlyElementsOf(expected);
        }
        assertThat(status.in()).isEqualTo(RECORDS);
        assertThat(status.rejected())
                .isEqualTo(IntStream.rangeClosed(1, RECORDS)
                        .filter(id -> of.apply(id).outcome().equals("rejected"))
                        .count());
        assertThat(Conservation.holds(pipeline(context))).isTrue();
    }

    /** Random rules against random rules, one pair after the other over the same pipeline, which never stops. */
    @Test
    void shouldAgreeWithACountByHandForRandomRules() {
        Random random = new Random(11);
        file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            byte[] records = bytes(TradeFile.random(500, 1));
            for (int i = 0; i < 40; i++) {
                Rules live = Rules.random(random);
                Rules other = Rules.random(random);
                change(context, live.text());
                RunningShadow shadow = start(context, other.text());
                pipeline(context).send(records);
                assertCounts(shadow.report(), live, other, 500);
            }
        });
    }

    /** Two lanes process records of four partitions at a time, and each partition changes its rules on its own. */
    @Test
    void shouldCompareTheRecordsOfAllPartitions() {
        Rules live = new Rules(3, 13, 4, 2);
        Rules next = new Rules(2, 7, 3, 3);
        Rules other = new Rules(5, 11, 7, 4);
        file(file, live.text())
                .withPropertyValues(
                        "millrace.pipelines.trades.partitions=4",
                        "millrace.pipelines.trades.lanes=2",
                        "millrace.regions.sells.latest=id")
                .run(context -> {
                    await().until(pipeline(context)::ended);
                    RunningShadow shadow = start(context, other.text());
                    sendToPartitions(context);
                    assertCounts(shadow.report(), live, other, RECORDS);

                    change(context, next.text());
                    await().until(() -> pipeline(context).rules().version() == 2); // in all partitions
                    assertThat(shadow.version()).isEqualTo(2);
                    sendToPartitions(context);
                    assertCounts(shadow.report(), next, other, RECORDS);
                    assertThat(shadow.report().skipped()).isZero();
                    assertThat(shadow.ended()).isNull();
                });
    }

    /** As another lane does whose batch the candidate fails on. */
    @Test
    void shouldNotCompareABatchThatItHasNotObservedToItsEnd() {
        Rules live = new Rules(3, 13, 4, 2);
        file(null, live.text()).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, live.text());
            context.getBean("trades.to-sells", SubscribableChannel.class)
                    .subscribe(_ -> context.getBean(Shadows.class).end(shadow));
            pipeline(context).send(bytes(TradeFile.random(500, 1)));
            assertThat(shadow.report().records()).isZero();
        });
    }

    /** Sends the trades of the file, each to one partition, from several threads. */
    private void sendToPartitions(ApplicationContext context) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        int portion = bytes.length / 80;
        MessageChannel channel = context.getBean("trades.in", MessageChannel.class);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Boolean>> sent = IntStream.range(0, 80)
                    .mapToObj(i -> threads.submit(() -> channel.send(
                            MessageBuilder.withPayload(Arrays.copyOfRange(bytes, i * portion, (i + 1) * portion))
                                    .setHeader("millrace_partition", i % 4)
                                    .build())))
                    .toList();
            for (Future<Boolean> each : sent) {
                assertThat(each.get()).isTrue();
            }
        }
    }

    @Test
    void shouldBeginAgainWithAnotherLiveVersionAndEndWithItsOwn() {
        Rules live = new Rules(3, 13, 4, 2);
        Rules next = new Rules(2, 7, 3, 3);
        Rules other = new Rules(5, 11, 7, 4);
        file(null, live.text()).run(context -> {
            awaitStart(context);
            byte[] records = bytes(TradeFile.random(1_000, 1));
            RunningShadow shadow = start(context, other.text());
            pipeline(context).send(records);
            assertCounts(shadow.report(), live, other, 1_000);

            change(context, next.text());
            assertThat(shadow.version()).isEqualTo(2);
            assertThat(shadow.report().records()).isZero();
            pipeline(context).send(records);
            assertCounts(shadow.report(), next, other, 1_000);

            change(context, other.text());
            assertThat(shadow.ended()).isEqualTo("Version 3 has the same rules.");
            pipeline(context).send(records);
            assertCounts(shadow.report(), next, other, 1_000);
        });
    }

    @Test
    void shouldReplaceAnEarlierShadowAndEndOnRequest() {
        file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            byte[] records = bytes(TradeFile.random(100, 1));
            RunningShadow first = start(context, "steps:\n- filter: id < 50\n- to: buys\n");
            RunningShadow second = start(context, "steps:\n- filter: id < 70\n- to: buys\n");
            pipeline(context).send(records);
            assertThat(first.report().records()).isZero();
            assertThat(second.report().differences()).containsEntry(Difference.NEWLY_DROPPED, 31L);
            Shadows shadows = context.getBean(Shadows.class);
            assertThat(shadows.of("trades")).containsSame(second);
            assertThat(shadows.stop("trades")).isTrue();
            assertThat(shadows.stop("trades")).isFalse();
            pipeline(context).send(records);
            assertThat(second.report().records()).isEqualTo(100);
        });
    }

    /**
     * A step with a mistake: it fails at the first record, or overwrites the id without declaring it, or takes some
     * milliseconds for a batch.
     */
    record BrokenFactory(ShadowClock clock) implements StepFactory<BrokenFactory.Properties> {

        record Properties(
                @Nullable String why, @DefaultValue("0") int millis) {}

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Class<Properties> propertiesType() {
            return Properties.class;
        }

        @Override
        public StepDefinition define(Properties properties) {
            return new StepDefinition() {
                @Override
                public String kind() {
                    return name();
                }

                @Override
                public StepPlan plan(PlanContext context) {
                    return context.plan(List.of(), List.of(), _ -> new BatchStep(context.name(), "broken") {
                        @Override
                        protected void process(RecordBatch batch) {
                            if (properties.millis() > 0) {
                                clock.advance(Duration.ofMillis(properties.millis()));
                                return;
                            }
                            if (!"overwrite".equals(properties.why())) {
                                throw new IllegalStateException("a mistake");
                            }
                            for (int i = 0; i < batch.count(); i++) {
                                Arrays.fill(batch.bytes(), batch.offset(i), batch.offset(i) + 8, (byte) -1);
                            }
                        }
                    });
                }

                @Override
                public List<String> rule(Schema records) {
                    return List.of("broken");
                }
            };
        }
    }

    @Test
    void shouldEndWhenTheCandidateFails() {
        Rules live = new Rules(3, 13, 4, 2);
        gated(live.text()).withBean(BrokenFactory.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, "steps:\n- broken: { why: test }\n- to: buys\n");
            Gate.of(context).open();
            PipelineStatus status = done(context);

            assertThat(shadow.ended()).startsWith("The rules failed: ").contains("a mistake");
            assertThat(shadow.report().records()).isZero();
            assertStored(context, status, live);
        });
    }

    @Test
    void shouldSkipBatchesIfTheCandidateIsSlow() {
        Rules live = new Rules(3, 13, 4, 2);
        gated(live.text()).withBean(BrokenFactory.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, "steps:\n- broken: { millis: 200 }\n- to: buys\n");
            Gate.of(context).open();
            PipelineStatus status = done(context);

            ShadowReport report = shadow.report();
            assertThat(shadow.ended()).isNull();
            // Of 500 ms, each batch takes 200 and half of that comes back until the next.
            assertThat(report.records()).isEqualTo(500);
            assertThat(report.skipped()).isEqualTo(RECORDS - 500);
            assertThat(report.totalNanosPerRecord()).isEqualTo(5 * 200e6 / 500);
            assertThat(report.same()
                            + report.differences().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum())
                    .isEqualTo(report.records());
            assertStored(context, status, live);
        });
    }

    @Test
    void shouldEndIfABatchTakesTooLong() {
        Rules live = new Rules(3, 13, 4, 2);
        gated(live.text()).withBean(BrokenFactory.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, "steps:\n- broken: { millis: 2500 }\n- to: buys\n");
            Gate.of(context).open();
            PipelineStatus status = done(context);

            assertThat(shadow.ended()).startsWith("The rules are too slow: a batch of 100 records took 2500ms.");
            assertStored(context, status, live);
        });
    }

    @Test
    void shouldStayEndedAfterAFailureWhenTheLiveRulesChange() {
        Rules live = new Rules(3, 13, 4, 2);
        file(null, live.text()).withBean(BrokenFactory.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, "steps:\n- broken: { why: test }\n- to: buys\n");
            pipeline(context).send(bytes(TradeFile.random(10, 1)));
            assertThat(shadow.ended()).contains("a mistake");
            change(context, new Rules(2, 7, 3, 3).text());
            assertThat(shadow.ended()).contains("a mistake");
        });
    }

    /** A shadow that fails closes itself on the pipeline's thread, perhaps after another one has replaced it. */
    @Test
    void shouldStillSeeRejectsAfterAFormerShadowWasClosedAgain() {
        Rules live = new Rules(3, 13, 4, 2);
        Rules other = new Rules(5, 11, 7, 4);
        file(null, live.text()).run(context -> {
            awaitStart(context);
            RunningShadow former = start(context, "steps:\n- to: buys\n");
            RunningShadow shadow = start(context, other.text());
            former.close();
            pipeline(context).send(bytes(TradeFile.random(1_000, 1)));
            assertCounts(shadow.report(), live, other, 1_000);
        });
    }

    /** Any fields can be sent to a channel, so rules can add others there. */
    @Test
    void shouldCompareTheFieldsThatAChannelReceives() {
        DirectChannel out = new DirectChannel();
        out.subscribe(_ -> {});
        file(null, "steps:\n- set: { half: 'id / 2' }\n- to: channel:out\n")
                .withBean("out", DirectChannel.class, () -> out)
                .run(context -> {
                    awaitStart(context);
                    RunningShadow shadow =
                            start(context, "steps:\n- set: { half: 'id / 2', third: 'id / 3' }\n- to: channel:out\n");
                    pipeline(context).send(bytes(TradeFile.random(100, 1)));
                    assertThat(shadow.report().differences()).containsEntry(Difference.OTHER_VALUES, 100L);
                    assertThat(shadow.report().examples()).isNotEmpty().allSatisfy(example -> {
                        assertThat(example.live().values()).containsKey("half").doesNotContainKey("third");
                        assertThat(example.shadow().values()).containsKeys("half", "third");
                    });
                });
    }

    /** A region without added fields stores equal records, whatever rules add. */
    @Test
    void shouldCompareWhatARegionStores() {
        runner.configured(
                        "buys: { layout: blocks, keep-added: false, schema: trade }\n",
                        "",
                        "steps:\n- set: { half: 'id / 2' }\n- filter: half > 10\n- to: buys\n")
                .withUserConfiguration(ShadowClock.class)
                .run(context -> {
                    awaitStart(context);
                    RunningShadow shadow = start(
                            context,
                            "steps:\n- set: { half: 'id / 3', other: 'id / 5' }\n- filter: half > 10\n- to: buys\n");
                    pipeline(context).send(bytes(TradeFile.random(100, 1)));
                    assertThat(shadow.report().differences()).containsEntry(Difference.OTHER_VALUES, 0L);
                    assertThat(shadow.report().differences()).containsEntry(Difference.NEWLY_DROPPED, 11L);
                    assertThat(shadow.report().examples())
                            .isNotEmpty()
                            .allSatisfy(example ->
                                    assertThat(example.live().values()).doesNotContainKey("half"));
                });
    }

    /** A step of an application that overwrites records without declaring it. */
    @Test
    void shouldProtectTheRecordsFromStepsThatOverwriteThem() {
        gated("steps:\n- to: buys\n").withBean(BrokenFactory.class).run(context -> {
            awaitStart(context);
            RunningShadow shadow = start(context, "steps:\n- broken: { why: overwrite }\n- to: buys\n");
            Gate.of(context).open();
            done(context);

            assertThat(shadow.ended()).isNull();
            assertThat(shadow.report().differences()).containsEntry(Difference.OTHER_VALUES, (long) RECORDS);
            assertThat(all(context, "buys")).extracting(RulesRunner::id).doesNotContain(-1L);
        });
    }

    @Test
    void shouldCompareTheRecordsThatRegionsStore() {
        Rules live = new Rules(3, 13, 1, 2);
        Rules other = new Rules(5, 11, 1, 4);
        file(file, live.text()).run(context -> {
            done(context);
            for (String region : List.of("buys", "sells")) {
                Map<Difference, Long> expected = new EnumMap<>(Difference.class);
                for (Difference difference : Difference.values()) {
                    expected.put(difference, 0L);
                }
                int records = 0;
                for (int id = 1; id <= RECORDS; id++) {
                    if (region.equals(live.of(id).target())) {
                        records++;
                        Difference difference = other.of(id).from(live.of(id));
                        if (difference != null) {
                            expected.merge(difference, 1L, Long::sum);
                        }
                    }
                }
                ShadowReport report = backtest(context, other.text(), region, null, Query.UNLIMITED);
                assertThat(report.records()).isEqualTo(records);
                assertThat(report.differences()).isEqualTo(expected);
                assertThat(backtest(context, other.text(), region, "id <= 100", Query.UNLIMITED)
                                .records())
                        .isLessThanOrEqualTo(100);
                assertThat(backtest(context, other.text(), region, null, 17).records())
                        .isEqualTo(17);
            }
            assertThatExceptionOfType(ShadowException.class)
                    .isThrownBy(() -> backtest(context, other.text(), "trades-rejected", null, 1))
                    .withMessage("Region 'trades-rejected' stores records of schema 'reject', pipeline 'trades' reads"
                            + " those of 'trade'.");
        });
    }

    @Test
    void shouldRefuseAShadowOfAPipelineThatHasFailed() {
        gated("steps:\n- broken: { why: test }\n- to: buys\n")
                .withBean(BrokenFactory.class)
                .run(context -> {
                    Gate.of(context).open();
                    await().until(() -> pipeline(context).state() == PipelineState.FAILED);
                    assertThatExceptionOfType(ShadowException.class)
                            .isThrownBy(() -> start(context, "steps:\n- to: buys\n"))
                            .withMessage("Pipeline 'trades' does not run. Repeat the request when it runs.");
                });
    }

    private static ShadowReport backtest(
            ApplicationContext context, String steps, String region, @Nullable String where, long limit) {
        return context.getBean(Shadows.class)
                .backtest(context.getBean(RuleChanges.class).of("trades").orElseThrow(), steps, List.of())
                .run(context.getBean(Store.class), region, where, limit, Duration.ofSeconds(60))
                .comparison();
    }

    @Test
    void shouldRefuseRulesThatCouldNotBecomeLive() {
        file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            for (String steps : List.of(
                    "steps:\n- filter: amuont1 > 5\n- to: buys\n",
                    "steps:\n- set: { doubled: amount1 * 2 }\n- to: buys\n",
                    "steps:\n- to: channel:nobody\n",
                    "")) {
                assertThatExceptionOfType(RulesException.class).isThrownBy(() -> start(context, steps));
            }
            assertThat(context.getBean(Shadows.class).of("trades")).isEmpty();
        });
    }

    /** The candidate reads fields and elements that the live rules don't. */
    @Test
    void shouldCompareNestedRecords() throws IOException {
        Path example = Path.of("examples/swap").toAbsolutePath();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            for (String line : Files.readAllLines(example.resolve("swaps.jsonl"))) {
                lines.add(line.replaceFirst("S-\\d+", "S-" + i + lines.size()));
            }
        }
        Path swaps = Files.write(folder.resolve("swaps.jsonl"), lines);
        String steps = """
                steps:
                - filter: status != 'Cancelled'
                - route: [ { when: '#sum(legs.![notional]) > 10000000', to: large }, { otherwise: small } ]
                """;
        runner.configured("large: { layout: blocks }\nsmall: { layout: entries, key: [id] }\n", "", steps)
                .withUserConfiguration(ShadowClock.class)
                .withBean(Gate.class)
                .withPropertyValues(
                        "millrace.schemas=" + example.resolve("schemas"),
                        "millrace.pipelines.trades.schema=swap",
                        "millrace.pipelines.trades.feed.json-lines=" + swaps)
                .run(context -> {
                    awaitStart(context);
                    RunningShadow shadow = start(context, """
                            steps:
                            - route:
                              - { when: "buyer.country == 'FR' and legs.size() == 2", to: large }
                              - { otherwise: small }
                            """);
                    Gate.of(context).open();
                    PipelineStatus status = done(context);

                    assertThat(shadow.report().differences()).isEqualTo(expected(lines));
                    assertThat(shadow.report().records()).isEqualTo(status.in());
                    assertThat(shadow.report().examples())
                            .isNotEmpty()
                            .allSatisfy(
                                    kept -> assertThat(kept.shadow().values()).containsKeys("buyer", "legs"));
                });
    }

    private static Map<Difference, Long> expected(List<String> lines) {
        Map<Difference, Long> expected = new EnumMap<>(Difference.class);
        for (Difference difference : Difference.values()) {
            expected.put(difference, 0L);
        }
        for (String line : lines) {
            JsonNode swap = JsonMapper.shared().readTree(line);
            double notional = swap.path("legs")
                    .valueStream()
                    .mapToDouble(leg -> leg.path("notional").asDouble())
                    .sum();
            boolean french = swap.at("/buyer/country").asString().equals("FR")
                    && swap.path("legs").size() == 2;
            if (swap.path("status").asString().equals("Cancelled")) {
                expected.merge(Difference.NEWLY_KEPT, 1L, Long::sum);
            } else if (french != notional > 10_000_000) {
                expected.merge(Difference.OTHER_TARGET, 1L, Long::sum);
            }
        }
        assertThat(expected.get(Difference.NEWLY_KEPT)).isPositive();
        assertThat(expected.get(Difference.OTHER_TARGET)).isPositive();
        return expected;
    }
}
