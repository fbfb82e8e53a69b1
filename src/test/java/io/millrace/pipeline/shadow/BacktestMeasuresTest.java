package io.millrace.pipeline.shadow;

import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesCompiler;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.shadow.MeasureReport.AlertExample;
import io.millrace.pipeline.shadow.MeasureReport.AlertReport;
import io.millrace.pipeline.shadow.MeasureReport.Changes;
import io.millrace.pipeline.shadow.MeasureReport.RowExample;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The rows and alerts of measures, by two versions of the rules. */
class BacktestMeasuresTest {

    private static final long START = Instant.parse("2026-03-01T06:00:00Z").toEpochMilli();
    private static final int CALLS = 20_000;
    private static final int LENGTH = 18;
    private static final long WINDOW = 10_000;

    private static final Rules LOW = new Rules(20_000, 8);
    private static final Rules HIGH = new Rules(35_000, 7);

    @TempDir
    Path folder;

    private List<Call> calls = List.of();

    private record Call(long time, int cell, long cents) {

        byte[] bytes() {
            return ByteBuffer.allocate(LENGTH)
                    .putLong(time)
                    .putShort((short) cell)
                    .putLong(cents)
                    .array();
        }
    }

    /**
     * Rules.
     *
     * @param cents calls that cost less are dropped
     * @param calls number of calls of a cell above which the alert is raised
     */
    private record Rules(long cents, long calls) {

        String text(String time) {
            return """
                    steps:
                    - filter: cost >= %d
                    - measure:
                        name: cells
                        every: 10s
                        %s
                        by: [ cell ]
                        values: { calls: count(), cost: sum(cost) }
                        alerts:
                          busy: { when: calls > %d, until: calls < 5 }
                    - to: all
                    """.formatted(cents / 100, time, calls);
        }

        String text() {
            return text("time: time");
        }

        /** Returns the rows, computed by hand: calls and cents by window and cell. */
        Map<Group, long[]> rows(List<Call> calls) {
            Map<Group, long[]> rows = new TreeMap<>();
            for (Call call : calls) {
                if (call.cents() >= cents) {
                    long[] row = rows.computeIfAbsent(
                            new Group(call.time() / WINDOW * WINDOW, call.cell()), _ -> new long[2]);
                    row[0]++;
                    row[1] += call.cents();
                }
            }
            return rows;
        }

        /** Returns when the alert is raised, or cleared, computed by hand. */
        Set<Group> changes(List<Call> from, boolean raised) {
            Set<Group> changes = new HashSet<>();
            Set<Integer> standing = new HashSet<>();
            rows(from).forEach((group, row) -> {
                if (row[0] > calls && standing.add(group.cell())) {
                    if (raised) {
                        changes.add(group);
                    }
                } else if (row[0] < 5 && standing.remove(group.cell()) && !raised) {
                    changes.add(group);
                }
            });
            return changes;
        }
    }

    private record Group(long start, int cell) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            return start == other.start ? Integer.compare(cell, other.cell) : Long.compare(start, other.start);
        }
    }

    private interface Backtesting {
        void test(ApplicationContext context) throws IOException;
    }

    @BeforeEach
    void make() throws IOException {
        Random random = new Random(3);
        calls = new ArrayList<>();
        long time = START;
        for (int i = 0; i < CALLS; i++) {
            time += random.nextInt(100);
            // Sometimes one cell has most of the calls.
            int cell = time / 60_000 % 3 == 0 && random.nextInt(3) > 0 ? 7 : random.nextInt(20);
            calls.add(new Call(time, cell, random.nextInt(100_000)));
        }
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/call.yml"), """
                schema: call
                fields:
                  - { name: time, type: instant, as: i64, unit: ms }
                  - { name: cell, type: u16 }
                  - { name: cost, type: decimal, scale: 2, as: i64 }
                """);
    }

    private void run(String rules, Backtesting backtest) throws IOException {
        byte[] bytes = new byte[calls.size() * LENGTH];
        for (int i = 0; i < calls.size(); i++) {
            System.arraycopy(calls.get(i).bytes(), 0, bytes, i * LENGTH, LENGTH);
        }
        Path file = Files.write(folder.resolve("calls.bin"), bytes);
        ApplicationContextRunner runner = new RulesRunner(folder)
                .configured("all: { layout: blocks, schema: call }\n", "feed: { file: " + file + " }", rules)
                .withPropertyValues(
                        "millrace.schemas=" + folder.resolve("schemas"), "millrace.pipelines.trades.schema=call");
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            done(context);
            backtest.test(context);
        });
    }

    private static Backtest backtest(ApplicationContext context, String rules, Backtest.Order order) {
        PipelinePlan live = pipeline(context).plan();
        PipelinePlan other = context.getBean(RulesCompiler.class).compile("trades", rules);
        Store store = context.getBean(Store.class);
        return new Backtest(live, other, region -> store.definition(region).schema(), List.of(), order);
    }

    private static MeasureReport only(BacktestReport report) {
        assertThat(report.measures()).hasSize(1);
        return report.measures().getFirst();
    }

    private static void check(MeasureReport report, List<Call> calls, Rules live, Rules other) {
        Map<Group, long[]> before = live.rows(calls);
        Map<Group, long[]> after = other.rows(calls);
        long same = before.entrySet().stream()
                .filter(row -> Arrays.equals(row.getValue(), after.get(row.getKey())))
                .count();
        long both = before.keySet().stream().filter(after::containsKey).count();
        assertThat(report.problem()).isNull();
        assertThat(report.same()).isEqualTo(same);
        assertThat(report.differences())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        RowDifference.NEW, after.size() - both,
                        RowDifference.MISSING, before.size() - both,
                        RowDifference.OTHER_VALUES, both - same));
        assertThat(report.skipped()).isZero();
        AlertReport alert = report.alerts().getFirst();
        assertThat(alert.raised()).isEqualTo(changes(live.changes(calls, true), other.changes(calls, true)));
        assertThat(alert.cleared()).isEqualTo(changes(live.changes(calls, false), other.changes(calls, false)));
        for (RowExample example : report.examples()) {
            checkRow(example.live(), before);
            checkRow(example.shadow(), after);
        }
        for (AlertExample example : alert.examples()) {
            Group group = new Group(example.at().toEpochMilli() - WINDOW, cell(example.row()));
            boolean fresh = example.difference() == RowDifference.NEW;
            assertThat((fresh ? other : live).changes(calls, example.raised())).contains(group);
            assertThat((fresh ? live : other).changes(calls, example.raised())).doesNotContain(group);
        }
    }

    private static int cell(Map<String, @Nullable Object> row) {
        return ((Number) Objects.requireNonNull(row.get("cell"))).intValue();
    }

    @SuppressWarnings("NullAway") // rows of the test have all values
    private static void checkRow(@Nullable Map<String, @Nullable Object> row, Map<Group, long[]> expected) {
        if (row != null) {
            long[] values = expected.get(new Group(((Instant) row.get("start")).toEpochMilli(), cell(row)));
            assertThat(((Number) row.get("calls")).longValue()).isEqualTo(values[0]);
            assertThat(((BigDecimal) row.get("cost")).unscaledValue().longValue())
                    .isEqualTo(values[1]);
        }
    }

    private static Changes changes(Set<Group> before, Set<Group> after) {
        long same = before.stream().filter(after::contains).count();
        return new Changes(same, after.size() - same, before.size() - same);
    }

    @Test
    void shouldCompareRowsAndAlertsAsComputedByHand() throws IOException {
        run(LOW.text(), context -> {
            MeasureReport report =
                    only(backtest(context, HIGH.text(), Backtest.Order.FEED).run(Long.MAX_VALUE));
            check(report, calls, LOW, HIGH);
            // The data of the test has all kinds of differences.
            assertThat(report.same()).isPositive();
            assertThat(report.differences().get(RowDifference.MISSING)).isPositive();
            assertThat(report.alerts().getFirst().raised().same()).isPositive();
            assertThat(report.alerts().getFirst().raised().fresh()).isPositive();
            assertThat(report.alerts().getFirst().raised().missing()).isPositive();
        });
    }

    @Test
    void shouldCompareTheOtherWayRound() throws IOException {
        run(HIGH.text(), context -> {
            MeasureReport report =
                    only(backtest(context, LOW.text(), Backtest.Order.FEED).run(Long.MAX_VALUE));
            check(report, calls, HIGH, LOW);
            assertThat(report.differences().get(RowDifference.NEW)).isPositive();
        });
    }

    /** A version of the rules that keeps nothing closes no window. */
    @Test
    void shouldCompareWithRulesThatKeepNothing() throws IOException {
        Rules nothing = new Rules(100_000_000, 8);
        run(
                LOW.text(),
                context -> check(
                        only(backtest(context, nothing.text(), Backtest.Order.FEED)
                                .run(Long.MAX_VALUE)),
                        calls,
                        LOW,
                        nothing));
    }

    /** A region does not know in which order its records came. */
    @Test
    void shouldCountStoredRecordsInAnyOrder() throws IOException {
        Collections.shuffle(calls, new Random(8));
        List<Call> stored =
                calls.stream().filter(call -> call.cents() >= LOW.cents()).toList();
        run(LOW.text(), context -> {
            Backtest backtest = context.getBean(Shadows.class)
                    .backtest(context.getBean(RuleChanges.class).of("trades").orElseThrow(), HIGH.text(), List.of());
            BacktestReport report =
                    backtest.run(context.getBean(Store.class), "all", null, Query.UNLIMITED, Duration.ofSeconds(60));
            assertThat(report.comparison().records()).isEqualTo(stored.size());
            check(only(report), stored, LOW, HIGH);
        });
    }

    @Test
    void shouldSayThatWindowsOfProcessingAreNotCompared() throws IOException {
        run(LOW.text("meters: 0"), context -> {
            MeasureReport report = only(backtest(context, HIGH.text("meters: 0"), Backtest.Order.FEED)
                    .run(Long.MAX_VALUE));
            assertThat(report.problem())
                    .isEqualTo("It has no 'time': its windows are those in which records were processed.");
            assertThat(report.same()).isZero();
        });
    }

    /** The key of one group is absent, that of the other one is an empty text. */
    @Test
    void shouldDistinguishAlertsOfAbsentAndEmptyKeys() throws IOException {
        Files.writeString(folder.resolve("schemas/call.yml"), """
                schema: call
                layout: compact
                fields:
                  - { name: time, type: instant, unit: ms }
                  - { name: cell, type: string, length: 4, optional: true }
                  - { name: cost, type: i64 }
                """);
        Path file = Files.writeString(folder.resolve("calls.jsonl"), """
                {"time":"2026-03-01T06:00:00Z","cost":1}
                {"time":"2026-03-01T06:00:01Z","cell":"","cost":2}
                {"time":"2026-03-01T06:00:11Z","cell":"a","cost":3}
                """);
        String rules = """
                steps:
                - filter: cost >= 1
                - measure:
                    name: cells
                    every: 10s
                    time: time
                    by: [ cell ]
                    values: { calls: count() }
                    alerts: { any: { when: calls > 0 } }
                - to: all
                """;
        new RulesRunner(folder)
                .configured("all: { layout: blocks, schema: call }\n", "feed: { json-lines: " + file + " }", rules)
                .withPropertyValues(
                        "millrace.schemas=" + folder.resolve("schemas"), "millrace.pipelines.trades.schema=call")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    done(context);
                    AlertReport alert = only(backtest(context, rules.replace(">= 1", ">= 2"), Backtest.Order.FEED)
                                    .run(Long.MAX_VALUE))
                            .alerts()
                            .getFirst();
                    assertThat(alert.raised()).isEqualTo(new Changes(2, 0, 1));
                    assertThat(alert.examples())
                            .singleElement()
                            .satisfies(example -> assertThat(example.row()).containsEntry("cell", null));
                });
    }

    @Test
    void shouldLimitTheMemoryOfOpenWindows() throws IOException {
        run(LOW.text(), context -> {
            MeasureComparison comparison = comparison(context, false, 100, MeasureComparison.WAITING_BYTES);
            take(context, comparison);
            assertThat(comparison.report().problem())
                    .isEqualTo("Its open windows have more than 100 groups. Choose fewer records.");
            assertThat(comparison.report().same()).isZero();
        });
    }

    /** Each row is counted once: as the same, as one that differs, or as skipped on one or both sides. */
    @Test
    void shouldLimitTheRowsThatWait() throws IOException {
        run(LOW.text(), context -> {
            MeasureComparison comparison = comparison(context, false, MeasureComparison.OPEN_GROUPS, 10_000);
            take(context, comparison);
            MeasureReport report = comparison.report();
            assertThat(report.skipped()).isPositive();
            assertThat(report.same()).isPositive();
            assertThat(report.differences().get(RowDifference.NEW)).isZero();
            assertThat(report.differences().get(RowDifference.MISSING)).isZero();
            assertThat(2 * report.same() + report.skipped())
                    .isEqualTo(2L * new Rules(0, 0).rows(calls).size());
        });
    }

    private static MeasureComparison comparison(
            ApplicationContext context, boolean inOrder, long openGroups, long waitingBytes) {
        PipelinePlan plan = pipeline(context).plan();
        return new MeasureComparison(
                plan.measures().getFirst(), plan.measures().getFirst(), inOrder, openGroups, waitingBytes);
    }

    private void take(ApplicationContext context, MeasureComparison comparison) {
        RecordBatch batch = new RecordBatch(pipeline(context).plan().schema());
        byte[] bytes = new byte[calls.size() * LENGTH];
        for (int i = 0; i < calls.size(); i++) {
            System.arraycopy(calls.get(i).bytes(), 0, bytes, i * LENGTH, LENGTH);
        }
        for (int i = 0; i < calls.size(); i += 1000) {
            batch.fill(bytes, i * LENGTH, 1000, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
            comparison.live().take(batch);
            comparison.candidate().take(batch);
            comparison.limit();
        }
        comparison.end();
    }
}
