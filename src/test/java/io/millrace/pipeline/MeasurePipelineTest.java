package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.metrics.PipelineMeters;
import io.millrace.store.Store;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** Measures as configurations have them, in running pipelines. */
class MeasurePipelineTest {

    private static final long START = Instant.parse("2026-03-01T06:00:00Z").toEpochMilli();
    private static final int CALLS = 20_000;
    private static final int LENGTH = 19;

    @TempDir
    Path folder;

    /** A call: its time, its cell, what it cost in cents, and whether it was dropped. */
    private record Call(long time, int cell, long cents, boolean dropped) {

        Call(Random random, int number) {
            this(
                    START + number * 10L + random.nextInt(100),
                    random.nextInt(20),
                    random.nextInt(100_000),
                    random.nextInt(10) == 0 || bad(number));
        }

        /** Cell 7 is bad for a while. */
        private static boolean bad(int number) {
            return number >= 5_000 && number < 12_000;
        }

        boolean isDropped() {
            return dropped && (cell == 7 || !(number() >= 5_000 && number() < 12_000));
        }

        private long number() {
            return (time - START) / 10;
        }

        byte[] bytes() {
            return ByteBuffer.allocate(LENGTH)
                    .putLong(time)
                    .putShort((short) cell)
                    .putLong(cents)
                    .put((byte) (isDropped() ? 1 : 0))
                    .array();
        }
    }

    private static List<Call> calls() {
        Random random = new Random(5);
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(new Call(random, i));
        }
        return calls;
    }

    @BeforeEach
    void write() throws Exception {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/call.yml"), """
                schema: call
                fields:
                  - { name: time,    type: instant, as: i64, unit: ms }
                  - { name: cell,    type: u16 }
                  - { name: cost,    type: decimal, scale: 2, as: i64 }
                  - { name: dropped, type: boolean }
                """);
        byte[] file = new byte[CALLS * LENGTH];
        List<Call> calls = calls();
        for (int i = 0; i < CALLS; i++) {
            System.arraycopy(calls.get(i).bytes(), 0, file, i * LENGTH, LENGTH);
        }
        Files.write(folder.resolve("calls.bin"), file);
    }

    private void run(String yaml, Consumer<ApplicationContext> test, Class<?>... configurations) throws Exception {
        runner(yaml, configurations).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context);
        });
    }

    private ApplicationContextRunner runner(String yaml, Class<?>... configurations) throws Exception {
        Path config = Files.writeString(
                folder.resolve("config.yml"),
                """
                millrace:
                  schemas: %s
                  data: %s
                  flush: 20ms
                """.formatted(folder.resolve("schemas"), folder.resolve("data"))
                        + yaml.replace("calls.bin", folder.resolve("calls.bin").toString())
                                .indent(2));
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withUserConfiguration(configurations)
                .withPropertyValues("spring.config.location=" + config.toUri());
    }

    private static final String CELLS = """
            regions:
              calls: { layout: blocks, persistent: true }
              cells: { layout: entries, key: [start, cell, others], persistent: true }
              bad:   { layout: entries, key: [cell, others], remove: state == 'cleared', persistent: true }
              pages: { layout: blocks, persistent: true }
            pipelines:
              calls:
                feed: { file: calls.bin, final: true }
                schema: call
                steps:
                  - set: { double: cost + cost }
                  - measure:
                      name: cells
                      by: cell
                      time: time
                      every: 10s
                      allowed-lateness: 200ms
                      to: cells
                      meters: 5
                      values:
                        calls: count()
                        dropped: count(dropped)
                        cost: sum(cost)
                        share: count(dropped) / count()
                        double: sum(double)
                      alerts:
                        bad: { when: share > 0.5 and calls > 10, until: share < 0.3, to: [ bad, 'channel:pager' ] }
                        worse: { when: share > 0.5, raise-after: 3, clear-after: 2, to: pages }
                  - set: { later: cell + 1 }
                  - filter: cost > 500
                  - to: calls
            """;

    private static Pipeline done(ApplicationContext context) {
        Pipeline pipeline = context.getBean(Pipelines.class).named("calls").orElseThrow();
        await().until(() -> pipeline.state() == PipelineState.DONE);
        return pipeline;
    }

    @Test
    void shouldKeepWindowsInARegionThatIsAskedLikeAnyOther() throws Exception {
        run(CELLS, context -> {
            Pipeline pipeline = done(context);
            assertThat(PipelineStatus.of(pipeline).kept()
                            + PipelineStatus.of(pipeline).dropped())
                    .isEqualTo(CALLS);
            Map<List<Object>, Map<String, Object>> expected = byWindowAndCell();
            Store store = context.getBean(Store.class);
            List<Map<String, @Nullable Object>> rows = store.query(
                            "cells", new Query(null, List.of(), List.of("start"), 10_000))
                    .records();
            assertThat(rows).hasSameSizeAs(expected.keySet());
            for (Map<String, @Nullable Object> row : rows) {
                assertThat(row)
                        .containsAllEntriesOf(Objects.requireNonNull(expected.get(List.of(
                                Objects.requireNonNull(row.get("start")), Objects.requireNonNull(row.get("cell"))))));
            }
            assertThat(store.aggregate("cells", new AggregateQuery(null, List.of(), List.of("sum(calls)"), 1))
                            .groups())
                    .containsExactly(Map.of("sum(calls)", java.math.BigInteger.valueOf(CALLS)));
        });
    }

    private static Map<List<Object>, Map<String, Object>> byWindowAndCell() {
        Map<List<Object>, List<Call>> grouped = new HashMap<>();
        for (Call call : calls()) {
            Instant start = Instant.ofEpochMilli(call.time() - call.time() % 10_000);
            grouped.computeIfAbsent(List.of(start, (long) call.cell()), ignored -> new ArrayList<>())
                    .add(call);
        }
        Map<List<Object>, Map<String, Object>> expected = new HashMap<>();
        grouped.forEach((key, calls) -> {
            long dropped = calls.stream().filter(Call::isDropped).count();
            expected.put(
                    key,
                    Map.of(
                            "calls",
                            (long) calls.size(),
                            "dropped",
                            dropped,
                            "cost",
                            BigDecimal.valueOf(
                                    calls.stream().mapToLong(Call::cents).sum(), 2),
                            "double",
                            BigDecimal.valueOf(
                                    2 * calls.stream().mapToLong(Call::cents).sum(), 2),
                            "share",
                            (double) dropped / calls.size(),
                            "others",
                            false));
        });
        return expected;
    }

    /** Listens to the channel of an alert, and fails at the second: the pipeline goes on. */
    @Configuration
    static class Pager {
        private final List<AlertEvent> heard = new ArrayList<>();

        @ServiceActivator(inputChannel = "pager")
        void hear(AlertEvent event) {
            heard.add(event);
            if (heard.size() == 2) {
                throw new IllegalStateException("the pager is broken");
            }
        }
    }

    @Test
    void shouldRaiseAlertsForThoseGroupsThatAreBad() throws Exception {
        run(
                CELLS,
                context -> {
                    done(context);
                    List<AlertEvent> heard = context.getBean(Pager.class).heard;
                    assertThat(heard).extracting(AlertEvent::raised).containsExactly(true, false);
                    assertThat(heard)
                            .allSatisfy(event -> assertThat(event.row()).containsEntry("cell", 7L));
                    // The calls from 5000 on are bad, of which 1000 are in a window.
                    assertThat(heard.get(0).since()).isEqualTo(Instant.ofEpochMilli(START + 50_000));
                    assertThat(heard.get(0).at()).isEqualTo(Instant.ofEpochMilli(START + 60_000));
                    assertThat(heard.get(1).at()).isEqualTo(Instant.ofEpochMilli(START + 130_000));
                    Store store = context.getBean(Store.class);
                    assertThat(store.info("bad").entries()).isZero();
                    assertThat(store.query(
                                            "pages",
                                            new Query(
                                                    null, List.of("state", "cell", "since", "end"), List.of("end"), 10))
                                    .records())
                            .extracting(page -> page.get("state") + " " + page.get("cell") + " " + page.get("since")
                                    + " " + page.get("end"))
                            .containsExactly(
                                    "raised 7 2026-03-01T06:00:50Z 2026-03-01T06:01:20Z",
                                    "cleared 7 2026-03-01T06:00:50Z 2026-03-01T06:02:20Z");
                },
                Pager.class);
    }

    @Test
    void shouldShowMetersOfAsManyGroupsAsAreAskedFor() throws Exception {
        run(CELLS, context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            // Bound before the pipeline's windows close, as it would have none otherwise: one more is sent afterwards.
            context.getBean(PipelineMeters.class).bindTo(registry);
            done(context);
            for (int i = 0; i < 2; i++) {
                Call later = new Call(START + 400_000 + i * 100_000L, 3, 12_345, true);
                context.getBean("calls.in", MessageChannel.class).send(new GenericMessage<>(later.bytes()));
            }
            assertThat(registry.get("millrace.measure.value")
                            .tags("measure", "cells", "value", "cost", "group", "3")
                            .gauge()
                            .value())
                    .isEqualTo(123.45);
            assertThat(registry.get("millrace.measure.value")
                            .tag("value", "calls")
                            .gauges())
                    .hasSize(1);
            assertThat(registry.get("millrace.measure.records")
                            .tags("measure", "cells", "outcome", "counted")
                            .functionCounter()
                            .count())
                    .isEqualTo(CALLS + 2);
            assertThat(registry.get("millrace.measure.records")
                            .tag("outcome", "late")
                            .functionCounter()
                            .count())
                    .isZero();
            assertThat(registry.get("millrace.measure.alerts")
                            .tag("alert", "bad")
                            .gauge()
                            .value())
                    .isZero();
        });
    }

    @Test
    void shouldGoOnAfterARestartAndCountNothingTwice() throws Exception {
        run(CELLS, MeasurePipelineTest::done);
        byte[] all = Files.readAllBytes(folder.resolve("calls.bin"));
        Files.write(folder.resolve("calls.bin"), more(all));
        run(CELLS, context -> {
            Pipeline pipeline = done(context);
            assertThat(PipelineStatus.of(pipeline).in()).isEqualTo(1);
            RunningMeasure measure = pipeline.measures().getFirst();
            assertThat(measure.counts().counted().get()).isEqualTo(CALLS + 1);
            assertThat(context.getBean(Store.class)
                            .aggregate(
                                    "cells", new AggregateQuery(null, List.of(), List.of("count()", "sum(calls)"), 1))
                            .groups())
                    .containsExactly(Map.of(
                            "count()",
                            byWindowAndCell().size() + 1L,
                            "sum(calls)",
                            java.math.BigInteger.valueOf(CALLS + 1)));
        });
    }

    private static byte[] more(byte[] file) {
        byte[] more = java.util.Arrays.copyOf(file, file.length + LENGTH);
        System.arraycopy(new Call(START + 500_000, 1, 99_999, false).bytes(), 0, more, file.length, LENGTH);
        return more;
    }

    @Test
    void shouldRefuseToGoOnWithAnotherDefinition() throws Exception {
        run(CELLS, MeasurePipelineTest::done);
        runner(CELLS.replace("every: 10s", "every: 20s"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Measure 'calls.cells' was stored under another definition")
                        .hasMessageContaining("every: 'PT10S' is stored, 'PT20S' is configured"));
    }

    @Test
    void shouldReportTheRunningDayAndAllTogether() throws Exception {
        run(
                """
                regions:
                  calls: { layout: blocks }
                pipelines:
                  calls:
                    feed: { file: calls.bin, final: true }
                    schema: call
                    steps:
                      - measure:
                          name: day
                          daily: { start: 09:00, zone: Europe/Istanbul }
                          time: time
                          values: { cost: "sum(cost * (dropped ? -1 : 1))", cells: distinct(cell), late: "quantile(cost, 0.9)" }
                      - measure: { name: now, every: 3650d, by: cell % 2 as odd, values: { calls: count() } }
                      - to: calls
                """,
                context -> {
                    Pipeline pipeline = done(context);
                    Window day = pipeline.measures().getFirst().closedWindows().getFirst();
                    assertThat(Instant.ofEpochMilli(day.start())).isEqualTo("2026-03-01T06:00:00Z");
                    assertThat(Instant.ofEpochMilli(day.end())).isEqualTo("2026-03-02T06:00:00Z");
                    Map<String, @Nullable Object> row =
                            pipeline.measures().getFirst().plan().decode(day, 0);
                    long cents = calls().stream()
                            .mapToLong(call -> call.isDropped() ? -call.cents() : call.cents())
                            .sum();
                    assertThat(row)
                            .containsEntry("cost", BigDecimal.valueOf(cents, 2))
                            .containsEntry("cells", 20L);
                    assertThat((Double) row.get("late")).isBetween(880.0, 920.0);
                    RunningMeasure now = pipeline.measures().get(1);
                    Window current = Objects.requireNonNull(now.current(10)).window();
                    Map<Object, Object> odd = new TreeMap<>();
                    for (int i = 0; i < current.count(); i++) {
                        Map<String, @Nullable Object> group = now.plan().decode(current, i);
                        odd.put(Objects.requireNonNull(group.get("odd")), Objects.requireNonNull(group.get("calls")));
                    }
                    long even = calls().stream()
                            .filter(call -> call.cell() % 2 == 0)
                            .count();
                    assertThat(odd).isEqualTo(Map.of(0L, even, 1L, CALLS - even));
                });
    }
}
