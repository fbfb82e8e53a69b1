package io.millrace.pipeline.rules;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.by;
import static io.millrace.pipeline.rules.RulesRunner.change;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.expecting;
import static io.millrace.pipeline.rules.RulesRunner.history;
import static io.millrace.pipeline.rules.RulesRunner.id;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static io.millrace.pipeline.rules.RulesRunner.rate;
import static io.millrace.pipeline.rules.RulesRunner.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.pipeline.Conservation;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.rules.RuleResult.State;
import io.millrace.pipeline.rules.RulesException.Mistake;
import io.millrace.pipeline.rules.RulesException.Reason;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.version.CommittedVersion;
import io.millrace.store.Store;
import io.millrace.store.write.RuleUse;
import io.millrace.store.write.RuleVersion;
import io.millrace.store.write.RuleVersions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.endpoint.EventDrivenConsumer;

class RuleChangesTest {

    private static final int RECORDS = 100_000;

    private static final String LARGE_GOES_TO_BUYS = """
        tests:
        - name: large
          record:
            id: 7
            tradeDate: 21/07/2014
            buySell: Buy
            currency1: EUR
            amount1: 50000000.00
            exchangeRate: 1.344
            currency2: USD
            amount2: 67200000.00
            settlementDate: 28/07/2014
          expect: { to: buys }
        """;

    @TempDir
    Path folder;

    private RulesRunner runner;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        runner = new RulesRunner(folder);
        file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
    }

    /** Each version marks its records with its number, and sends some of them elsewhere. */
    private static String marking(long version) {
        return switch ((int) (version % 3)) {
            case 0 ->
                "steps:\n- set: { exchangeRate: %s.0 }\n- route: [ { when: id %% 2 == 0, to: sells }, { otherwise: buys } ]\n"
                        .formatted(version);
            case 1 -> "steps:\n- set: { exchangeRate: %s.0 }\n- to: buys\n".formatted(version);
            default ->
                "steps:\n- filter: id %% 3 != 0\n- set: { exchangeRate: %s.0 }\n- to: sells\n".formatted(version);
        };
    }

    @Test
    void shouldProcessEachRecordByTheVersionThatTheHistoryNames() {
        Random random = new Random(5);
        runner.gated(file, marking(1)).run(context -> {
            Gate gate = Gate.of(context);
            for (int version = 2; version <= 20; version++) {
                gate.pass(random.nextInt(10));
                assertThat(gate.passUntilChanged(context, marking(version)).state())
                        .isEqualTo(State.RUNNING);
            }
            gate.open();
            PipelineStatus status = done(context);

            List<RuleUse> uses = history(context).uses();
            assertThat(uses)
                    .extracting(RuleUse::version)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf).toList());
            assertThat(uses).extracting(RuleUse::since).isSorted();
            List<Map<String, Object>> buys = all(context, "buys");
            List<Map<String, Object>> sells = all(context, "sells");
            Stream.concat(buys.stream(), sells.stream())
                    .forEach(record ->
                            assertThat(rate(record)).isEqualTo(version(uses, (id(record) - 1) * TradeFile.LENGTH)));
            long expectedBuys = IntStream.rangeClosed(1, RECORDS)
                    .filter(id -> target(id, version(uses, (id - 1L) * TradeFile.LENGTH))
                            .equals("buys"))
                    .count();
            long expectedSells = IntStream.rangeClosed(1, RECORDS)
                    .filter(id -> target(id, version(uses, (id - 1L) * TradeFile.LENGTH))
                            .equals("sells"))
                    .count();
            assertThat(buys).hasSize((int) expectedBuys);
            assertThat(sells).hasSize((int) expectedSells);
            assertThat(status.in()).isEqualTo(RECORDS);
            assertThat(status.kept()).isEqualTo(expectedBuys + expectedSells);
            assertThat(status.dropped()).isEqualTo(RECORDS - expectedBuys - expectedSells);
            assertThat(status.inFlight()).isZero();
            assertThat(Conservation.holds(pipeline(context))).isTrue();
        });
    }

    @Test
    void shouldProcessEachRecordByTheVersionThatTheHistoryNamesForItsPartition() {
        String regions = RulesRunner.REGIONS.replace("entries, key: id", "blocks, block-records: 64");
        Random random = new Random(6);
        runner.configured(regions, "feed: { file: " + file + " }", marking(1), "partitions: 4", "lanes: 2")
                .withBean(Gate.class)
                .run(context -> {
                    Gate gate = Gate.of(context);
                    for (int version = 2; version <= 12; version++) {
                        gate.pass(random.nextInt(20));
                        assertThat(gate.passUntilChanged(context, marking(version))
                                        .state())
                                .isEqualTo(State.RUNNING);
                    }
                    gate.open();
                    PipelineStatus status = done(context);

                    Map<String, List<RuleUse>> uses =
                            history(context).uses().stream().collect(Collectors.groupingBy(RuleUse::writer));
                    assertThat(uses).containsOnlyKeys("trades/0", "trades/1", "trades/2", "trades/3");
                    assertThat(uses.values())
                            .allSatisfy(ofPartition -> assertThat(ofPartition)
                                    .extracting(RuleUse::version)
                                    .contains(1L, 12L));
                    List<Map<String, Object>> buys = all(context, "buys");
                    List<Map<String, Object>> sells = all(context, "sells");
                    Stream.concat(buys.stream(), sells.stream())
                            .forEach(record -> assertThat(rate(record)).isEqualTo(versionOf((int) id(record), uses)));
                    Map<String, Long> expected = IntStream.rangeClosed(1, RECORDS)
                            .mapToObj(id -> target(id, versionOf(id, uses)))
                            .collect(Collectors.groupingBy(target -> target, Collectors.counting()));
                    assertThat(buys).hasSize(Math.toIntExact(expected.getOrDefault("buys", 0L)));
                    assertThat(sells).hasSize(Math.toIntExact(expected.getOrDefault("sells", 0L)));
                    assertThat(status.dropped()).isEqualTo(expected.get(""));
                    assertThat(status.inFlight()).isZero();
                    assertThat(status.steps()).allMatch(step -> step.in() <= RECORDS);
                    assertThat(Conservation.holds(pipeline(context))).isTrue();
                });
    }

    /** The partition of a record is that of its stripe, about a mebibyte of the file. */
    private static long versionOf(int id, Map<String, List<RuleUse>> uses) {
        long position = (id - 1L) * TradeFile.LENGTH;
        long stripe = position / ((1 << 20) / TradeFile.LENGTH * TradeFile.LENGTH);
        return version(Objects.requireNonNull(uses.get("trades/" + stripe % 4)), position);
    }

    private static String target(int id, long version) {
        return switch ((int) (version % 3)) {
            case 0 -> id % 2 == 0 ? "sells" : "buys";
            case 1 -> "buys";
            default -> id % 3 != 0 ? "sells" : "";
        };
    }

    /** Looks while the version is current but its use is not stored. */
    @Test
    void shouldNeverShowAVersionWithThePositionOfAnother() {
        List<CommittedVersion> before = new CopyOnWriteArrayList<>();
        AtomicReference<@Nullable ApplicationContext> started = new AtomicReference<>();
        runner.gated(file, marking(1))
                .withBean(
                        BeginningUses.class,
                        () -> new BeginningUses(() -> {
                            ApplicationContext context = started.get();
                            if (context != null) {
                                before.add(pipeline(context).rules().committed());
                            }
                        }))
                .run(context -> {
                    await().until(() -> pipeline(context).rules().version() == 1);
                    started.set(context);
                    Gate gate = Gate.of(context);
                    gate.pass(3);
                    RuleResult second = gate.passUntilChanged(context, marking(2));
                    RuleResult third = gate.passUntilChanged(context, marking(3));
                    assertThat(before)
                            .containsExactly(new CommittedVersion(1, 0), new CommittedVersion(2, second.since()));
                    assertThat(pipeline(context).rules().committed()).isEqualTo(new CommittedVersion(3, third.since()));
                    gate.open();
                });
    }

    /** Calls a hook before a use of a version is stored. */
    private record BeginningUses(Runnable hook) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Store store ? proxy(Store.class, store) : bean;
        }

        private Object proxy(Class<?> type, Object target) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                if (method.getName().equals("add") && arguments[1] instanceof RuleUse) {
                    hook.run();
                }
                try {
                    Object result = method.invoke(target, arguments);
                    return result instanceof RuleVersions versions ? proxy(RuleVersions.class, versions) : result;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        }
    }

    @Test
    void shouldAddUpTheCountsOfStepsAndAccountForEveryRecordMeanwhile() {
        runner.gated(file, "steps:\n- filter: id % 2 == 0\n- to: buys\n").run(context -> {
            awaitStart(context);
            Gate gate = Gate.of(context);
            gate.pass(50);
            long first = gate.passUntilChanged(
                                    context,
                                    "steps:\n- set: { exchangeRate: 1.0 }\n- filter: id % 5 == 0\n- to: buys\n")
                            .since()
                    / TradeFile.LENGTH;
            assertThat(Conservation.holds(pipeline(context))).isTrue();
            await().until(() -> pipeline(context).steps().size() == 3);
            assertThat(pipeline(context).steps().get(1).name()).isEqualTo("trades.2-filter");
            assertThat(context.getBeansOfType(EventDrivenConsumer.class))
                    .containsKeys("trades.1-set.endpoint", "trades.2-filter.endpoint")
                    .doesNotContainKey("trades.1-filter.endpoint");
            long second = gate.passUntilChanged(context, "steps:\n- filter: id % 10 == 0\n- to: buys\n")
                            .since()
                    / TradeFile.LENGTH;
            gate.open();
            PipelineStatus status = done(context);

            PipelineStatus.Step filter = status.steps().getFirst();
            assertThat(filter.name()).isEqualTo("trades.1-filter");
            assertThat(filter.in()).isEqualTo(first + RECORDS - second);
            assertThat(filter.out()).isEqualTo(first / 2 + RECORDS / 10 - second / 10);
            assertThat(status.kept()).isEqualTo(filter.out() + second / 5 - first / 5);
            assertThat(status.kept() + status.dropped()).isEqualTo(RECORDS);
            assertThat(status.inFlight()).isZero();
        });
    }

    @Test
    void shouldRefuseMistakesWithTheirPlacesAndKeepTheLiveVersion() {
        runner.file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            String steps = """
                # at noon
                steps:
                  - filter: amount9 > 5
                  - route:
                      - { when: buySell == 'Bye', to: buys }
                      - { otherwise: sels }
                """;
            assertThatExceptionOfType(RulesException.class)
                    .isThrownBy(() -> change(context, steps))
                    .satisfies(e -> {
                        assertThat(e.reason()).isEqualTo(Reason.INVALID);
                        assertThat(e.mistakes())
                                .extracting(Mistake::property)
                                .containsExactly(
                                        "steps[0].filter", "steps[1].route[0].when", "steps[1].route[1].otherwise");
                        assertThat(e.mistakes()).extracting(Mistake::place).containsExactly("3:13", "5:17", "6:22");
                        assertThat(e.mistakes().get(0).message()).contains("amount1", "^");
                        assertThat(e.mistakes().get(2).message()).contains("Did you mean 'sells'?");
                    });
            assertThat(pipeline(context).rules().version()).isEqualTo(1);
            assertThat(history(context).all()).hasSize(1);
        });
    }

    /** Rules that are too large to compile, and rules that fail for each record. */
    @Test
    void shouldRefuseOrContainRulesThatCantWork() {
        runner.file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            String large = IntStream.range(0, 20_000)
                    .mapToObj(i -> "id * " + i + " % 7 == 3")
                    .collect(Collectors.joining(" or "));
            assertThatExceptionOfType(RulesException.class)
                    .isThrownBy(() -> change(context, "steps:\n- filter: \"" + large + "\"\n- to: buys\n"))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.INVALID));
            assertThat(pipeline(context).rules().version()).isEqualTo(1);

            change(context, "steps:\n- filter: 1 / (id - id) > 0\n- to: buys\n");
            pipeline(context).send(bytes(1_000));
            assertThat(pipeline(context).rejected(Kind.EXPRESSION).get()).isEqualTo(1_000);
            context.getBean(RuleChanges.class).rollback("trades", 1, by("ann"));
            pipeline(context).send(bytes(1_000));
            pipeline(context).flush();
            assertThat(all(context, "buys")).hasSize(1_000);
            assertThat(Conservation.holds(pipeline(context))).isTrue();
        });
    }

    private static byte[] bytes(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * TradeFile.LENGTH);
        TradeFile.random(count, 1).forEach(trade -> bytes.put(trade.bytes()));
        return bytes.array();
    }

    @Test
    void shouldRefuseTextThatIsNotRules() {
        runner.file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            for (String text : List.of(
                    "",
                    "steps",
                    "steps: []",
                    "steps: { to: buys }",
                    "feed: { file: /etc/passwd }\nsteps:\n- to: buys",
                    "steps:\n- &a { to: buys }\n- *a",
                    "steps:\n- filter: \"buySell == '${user.home}'\"\n- to: buys",
                    "steps:\n- set: { exchangeRate: ${random.int} }\n- to: buys",
                    "steps:\n- filtre: id > 5\n- to: buys",
                    "steps:\n- filter: id > 5",
                    "steps:\n- to: buys\n---\nsteps:\n- to: sells",
                    "steps: [",
                    "steps:\n- to: " + "x".repeat(300_000),
                    "[".repeat(1000))) {
                assertThatExceptionOfType(RulesException.class)
                        .as(text.substring(0, Math.min(60, text.length())))
                        .isThrownBy(() -> change(context, text))
                        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.INVALID));
            }
            assertThat(history(context).all()).hasSize(1);
        });
    }

    @Test
    void shouldRefuseWhatNeedsAStartAndSayWhy() {
        runner.configured(
                        RulesRunner.REGIONS + "memory: { layout: blocks, schema: trade }\nrows: { layout: blocks }\n",
                        "",
                        """
                        steps:
                        - measure: { name: turnover, by: buySell, values: { n: count() }, every: 1s, to: rows }
                        - to: buys
                        """)
                .run(context -> {
                    awaitStart(context);
                    String measure =
                            "- measure: { name: turnover, by: buySell, values: { n: count() }, every: 1s, to: rows"
                                    + " }\n";
                    assertRefused(
                            context,
                            "steps:\n" + measure + "- set: { doubled: amount1 * 2 }\n- to: buys\n",
                            "Region 'buys' stores records of another schema: field 'doubled'");
                    assertRefused(context, "steps:\n- to: buys\n", "Measure 'turnover' can't be removed");
                    assertRefused(
                            context,
                            "steps:\n" + measure.replace("1s", "2s") + "- to: buys\n",
                            "Measure 'turnover' would change: every: 'PT1S' is stored, 'PT2S' is" + " configured");
                    assertRefused(
                            context,
                            "steps:\n" + measure
                                    + measure.replace("turnover", "other").replace(", to: rows", "")
                                    + "- to: buys\n",
                            "Measure 'other' can't be added");
                    assertRefused(context, "steps:\n" + measure + "- to: rows\n", "stores the rows of a measure");
                    assertRefused(
                            context,
                            "steps:\n" + measure + "- to: channel:nobody\n",
                            "Nobody receives from channel 'nobody'");
                    // A region in memory is allowed next to one on disk, but not alone.
                    assertThat(change(
                                            context,
                                            "steps:\n" + measure
                                                    + "- route: [ { when: id > 5, to: memory }, { otherwise: buys }"
                                                    + " ]\n")
                                    .state())
                            .isEqualTo(State.RUNNING);
                });
    }

    @Test
    void shouldRefuseOtherFieldsOfElements() throws IOException {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("order.yml"), """
            schema: order
            layout: compact
            fields:
              - { name: id, type: u32 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: i64 }
            """);
        String steps = "steps:\n- unnest: { list: legs, fields: [id, legs.amount] }\n- to: legs\n";
        runner.configured("legs: { layout: blocks, persistent: true }\n", "", steps)
                .withPropertyValues("millrace.schemas=" + schemas, "millrace.pipelines.trades.schema=order")
                .run(context -> {
                    awaitStart(context);
                    assertRefused(
                            context,
                            steps.replace("[id, legs.amount]", "[id, legs.amount, legs_index]"),
                            "Region 'legs' stores records of another schema: ");
                    assertRefused(
                            context,
                            "steps:\n- unnest: { list: legs }\n- to: legs\n",
                            "Region 'legs' stores records of another schema: ");
                    assertThat(change(context, steps.replace("[id, legs.amount]", "[legs.amount, id]"))
                                    .version()
                                    .number())
                            .isLessThanOrEqualTo(2);
                });
    }

    private static void assertRefused(ApplicationContext context, String steps, String message) {
        assertThatExceptionOfType(RulesException.class)
                .isThrownBy(() -> change(context, steps))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NOT_LIVE));
        assertThat(pipeline(context).rules().version()).isEqualTo(1);
    }

    @Test
    void shouldLetOneOfTwoSimultaneousChangesWin() {
        runner.file(null, "steps:\n- to: buys\n").run(context -> {
            awaitStart(context);
            AtomicInteger refused = new AtomicInteger();
            IntStream.range(0, 8).parallel().forEach(i -> {
                try {
                    change(context, "steps:\n- filter: id > " + i + "\n- to: buys\n", expecting(1));
                } catch (RuleConflictException e) {
                    assertThat(e.newest()).isEqualTo(2);
                    refused.incrementAndGet();
                }
            });
            assertThat(refused).hasValue(7);
            assertThat(history(context).all()).hasSize(2);
            assertThat(pipeline(context).rules().version()).isEqualTo(2);
        });
    }

    @Test
    void shouldAddNoVersionForEqualRules() {
        runner.file(null, "steps:\n- filter: id > 5\n- to: buys\n").run(context -> {
            awaitStart(context);
            RuleResult same = change(context, "# the same\nsteps:\n  - filter: 'id > 5'\n  - { to: buys }\n");
            assertThat(same.state()).isEqualTo(State.UNCHANGED);
            assertThat(same.version().number()).isEqualTo(1);
            RuleResult json =
                    change(context, "{\"comment\": \"hi\", \"steps\": [{\"filter\": \"id > 5\"}, {\"to\": \"buys\"}]}");
            assertThat(json.state()).isEqualTo(State.UNCHANGED);
        });
    }

    @Test
    void shouldGoBackToAnEarlierVersionAsANewOne() {
        runner.file(null, "steps:\n- filter: id > 5\n- to: buys\n").run(context -> {
            awaitStart(context);
            change(context, "comment: wider\nsteps:\n- to: buys\n", by("bob"));
            RuleResult back = context.getBean(RuleChanges.class).rollback("trades", 1, by("ann"));
            assertThat(back.state()).isEqualTo(State.RUNNING);
            List<RuleVersion> all = history(context).all();
            assertThat(all).extracting(RuleVersion::number).containsExactly(1L, 2L, 3L);
            assertThat(all).extracting(RuleVersion::comment).containsExactly("", "wider", "Rollback to version 1");
            assertThat(all).extracting(RuleVersion::author).endsWith("bob", "ann");
            assertThat(all.get(2).fingerprint()).isEqualTo(all.get(0).fingerprint());
            assertThat(pipeline(context).plan().explanation().steps()).hasSize(2);
        });
    }

    @Test
    void shouldOnlyCheckWhereThatIsAskedFor() {
        // Each line of this log is an entry of the stored audit log too.
        Logger log = (Logger) LoggerFactory.getLogger(RuleChanges.class);
        ListAppender<ILoggingEvent> entries = new ListAppender<>();
        entries.start();
        log.setLevel(Level.INFO);
        log.addAppender(entries);
        try {
            runner.file(null, "steps:\n- to: buys\n").run(context -> {
                awaitStart(context);
                RuleChange dryRun = new RuleChange("ann", "-", "test", "", null, true, false);
                assertThat(change(context, "steps:\n- filter: id > 5\n- to: buys\n", dryRun)
                                .state())
                        .isEqualTo(State.CHECKED);
                assertThat(change(context, "steps:\n- to: buys\n", dryRun).state())
                        .isEqualTo(State.UNCHANGED);
                assertThatExceptionOfType(RulesException.class)
                        .isThrownBy(() -> change(context, "steps:\n- to: nowhere\n", dryRun));
                assertThat(history(context).all()).hasSize(1);
                assertThat(entries.list).isEmpty();
                assertThatExceptionOfType(RulesException.class)
                        .isThrownBy(() -> change(context, "steps:\n- to: nowhere\n"));
                assertThat(entries.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .singleElement()
                        .asString()
                        .contains("user=ann", "result=refused reason=INVALID");
            });
        } finally {
            log.detachAppender(entries);
            log.setLevel(null);
        }
    }

    @Test
    void shouldRefuseRulesWhoseTestsFailUnlessTheyAreLeftOut() {
        runner.file(null, "steps:\n- to: buys\n", LARGE_GOES_TO_BUYS).run(context -> {
            awaitStart(context);
            String steps = "steps:\n- filter: id > 7\n- to: buys\n";
            assertThatExceptionOfType(RulesException.class)
                    .isThrownBy(() -> change(context, steps))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TESTS_FAILED))
                    .withMessageContaining("large: expected to buys, was dropped by trades.1-filter");
            RuleChange anyway = new RuleChange("ann", "-", "test", "", null, false, true);
            assertThat(change(context, steps, anyway).state()).isEqualTo(State.RUNNING);
        });
    }

    @Test
    void shouldGoBackToAVersionThatRanAlthoughATestFails() {
        runner.file(null, "steps:\n- to: buys\n", LARGE_GOES_TO_BUYS).run(context -> {
            awaitStart(context);
            RuleChange anyway = new RuleChange("ann", "-", "test", "", null, false, true);
            change(context, "steps:\n- filter: id > 7\n- to: buys\n", anyway);
            change(context, "steps:\n- filter: id > 8\n- to: buys\n", anyway);

            RuleResult result = context.getBean(RuleChanges.class)
                    .rollback("trades", 2, new RuleChange("ann", "-", "test", "", null, false, false));
            assertThat(result.state()).isEqualTo(State.RUNNING);
            assertThat(result.version().number()).isEqualTo(4);
            assertThat(result.warnings())
                    .containsExactly(
                            "Test 'large' fails with these rules: expected to buys, was dropped by trades.1-filter");

            RuleResult back = context.getBean(RuleChanges.class)
                    .rollback("trades", 1, new RuleChange("ann", "-", "test", "", null, false, false));
            assertThat(back.state()).isEqualTo(State.RUNNING);
            assertThat(back.warnings()).isEmpty();
        });
    }

    @Test
    void shouldChangeWhereTheFeedHasEnded() {
        runner.file(file, "steps:\n- to: buys\n").run(context -> {
            done(context);
            RuleResult result = change(context, "steps:\n- filter: id > 5\n- to: buys\n");
            assertThat(result.state()).isEqualTo(State.RUNNING);
            assertThat(result.since()).isEqualTo((long) RECORDS * TradeFile.LENGTH);
            assertThat(pipeline(context).state()).isEqualTo(PipelineState.DONE);
        });
    }

    private static void awaitStart(ApplicationContext context) {
        await().until(() -> pipeline(context).rules().version() > 0);
    }
}
