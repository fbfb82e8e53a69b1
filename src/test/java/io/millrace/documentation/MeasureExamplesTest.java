package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.measure.plan.Window;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.measure.window.OpenWindow;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.Pipelines;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.annotation.ServiceActivator;

/** What the examples with measures tell, against computations that share no code with measures. */
class MeasureExamplesTest {

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration OVER = Duration.ofMinutes(15);

    @TempDir
    Path folder;

    private static void run(Path config, String pipeline, Consumer<ApplicationContext> test, Class<?>... listeners) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withUserConfiguration(listeners)
                .withPropertyValues(
                        "spring.config.location=" + config.toUri(),
                        "millrace.tables.cells.file=examples/reference/cells.csv",
                        "millrace.tables.cells.key=id")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Pipeline running =
                            context.getBean(Pipelines.class).named(pipeline).orElseThrow();
                    await().until(() -> running.state() == PipelineState.DONE);
                    test.accept(context);
                });
    }

    private static RunningMeasure measure(ApplicationContext context, String pipeline, int index) {
        return context.getBean(Pipelines.class)
                .named(pipeline)
                .orElseThrow()
                .measures()
                .get(index);
    }

    @Test
    void shouldKeepTheDaysBook() throws Exception {
        Schema order = Schemas.builtIn().get("order");
        int orders = 1_000_000;
        byte[] bytes = new byte[orders * order.recordLength()];
        RecordGenerator.of(order, 50).fill(bytes, 0, orders);
        Map<Long, Long> balances = new HashMap<>();
        long balance = 0;
        for (int at = 0; at < bytes.length; at += order.recordLength()) {
            long cents = (long) RawBytes.getInt(bytes, at + 4) * RawBytes.getInt(bytes, at + 8);
            long signed = bytes[at + 12] == 1 ? cents : -cents;
            balances.merge((long) RawBytes.getInt(bytes, at), signed, Long::sum);
            balance = Math.addExact(balance, signed);
        }
        BigDecimal expected = BigDecimal.valueOf(balance, 2);

        // The day of the example would end during the test once in a while.
        LocalTime start =
                LocalTime.now(ZoneId.of("Europe/Istanbul")).plusHours(12).truncatedTo(ChronoUnit.MINUTES);
        Path config = Files.writeString(
                folder.resolve("day-book.yml"),
                Files.readString(Path.of("examples/day-book.yml"))
                        .replace("start: \"00:00\"", "start: \"" + start + "\""));
        run(config, "day-book", context -> {
            RunningMeasure all = measure(context, "day-book", 0);
            RunningMeasure byTicket = measure(context, "day-book", 1);
            Window day = Objects.requireNonNull(all.current(1)).window();
            assertThat(day.count()).isOne();
            assertThat(all.plan().decode(day, 0))
                    .containsEntry("orders", (long) orders)
                    .containsEntry("dayBalance", expected);
            OpenWindow open = Objects.requireNonNull(byTicket.current(100_000));
            assertThat(open.groups()).isEqualTo(balances.size()).isGreaterThan(500_000);
            Window tickets = open.window();
            assertThat(tickets.count()).isEqualTo(100_000);
            for (int row = 0; row < tickets.count(); row++) {
                Map<String, @Nullable Object> reported = byTicket.plan().decode(tickets, row);
                assertThat(reported.get("dayBalance"))
                        .isEqualTo(BigDecimal.valueOf(
                                Objects.requireNonNull(balances.get((Long) reported.get("ticket"))), 2));
            }
        });
    }

    /** Listens in front of the measures, and notes each session that has ended. */
    @Configuration
    static class Ends {
        /** By cell: the times, in seconds, and whether the session was dropped. */
        private final Map<Long, List<long[]>> byCell = new TreeMap<>();

        private long[] cells = new long[0];
        private long[] times = new long[0];
        private long[] dropped = new long[0];
        private @Nullable BatchKeys cell;
        private @Nullable BatchKeys time;
        private @Nullable BatchKeys drop;
        private long latest;

        @ServiceActivator(inputChannel = "istanbul.3-set")
        void look(RecordBatch batch) {
            if (cell == null) {
                ExpressionCompiler compiler = new ExpressionCompiler(batch.schema());
                cell = compiler.keys("cell").loop();
                time = compiler.keys("time").loop();
                drop = compiler.keys("status == 'Stop' ? (dropped ? 1 : 0) : -1")
                        .loop();
                cells = new long[batch.selection().length];
                times = new long[cells.length];
                dropped = new long[cells.length];
            }
            RejectSink none = (records, ordinal, reason) -> {
                throw new AssertionError(reason.detail());
            };
            Objects.requireNonNull(cell).fill(batch, cells, none);
            Objects.requireNonNull(time).fill(batch, times, none);
            Objects.requireNonNull(drop).fill(batch, dropped, none);
            for (int i = 0; i < batch.selected(); i++) {
                latest = Math.max(latest, times[i]);
                if (dropped[i] >= 0) {
                    byCell.computeIfAbsent(cells[i], ignored -> new ArrayList<>())
                            .add(new long[] {times[i], dropped[i]});
                }
            }
        }

        /** The first window's end at which a cell meets the condition of the alert; null where it never does. */
        private @Nullable Instant badAt(long which) {
            List<long[]> ends = Objects.requireNonNull(byCell.get(which));
            int from = 0;
            int to = 0;
            int bad = 0;
            long first = ends.getFirst()[0] / EVERY.toSeconds() * EVERY.toSeconds() + EVERY.toSeconds();
            for (long end = first; end <= latest + EVERY.toSeconds(); end += EVERY.toSeconds()) {
                for (; to < ends.size() && ends.get(to)[0] < end; to++) {
                    bad += (int) ends.get(to)[1];
                }
                for (; from < to && ends.get(from)[0] < end - OVER.toSeconds(); from++) {
                    bad -= (int) ends.get(from)[1];
                }
                if (bad > 5 && bad > 0.3 * (to - from)) {
                    return Instant.ofEpochSecond(end);
                }
            }
            return null;
        }
    }

    @Test
    void shouldRaiseAnAlertForABadCellAndForNoOther() throws Exception {
        String example = Files.readString(Path.of("examples/istanbul.yml"));
        String keeping = "bad-cells: { layout: entries, key: [cell, others], remove: state == 'cleared' }";
        String feed = "count: 21000000, rate: 35000";
        assertThat(example).contains(keeping, feed);
        // All that comes from midnight until ten to eight, as fast as it goes.
        Path config = Files.writeString(
                folder.resolve("istanbul.yml"),
                example.replace(keeping, "bad-cells: { layout: blocks }").replace(feed, "count: 2100000"));

        run(
                config,
                "istanbul",
                context -> {
                    Ends ends = context.getBean(Ends.class);
                    Map<Long, Instant> expected = new TreeMap<>();
                    for (long cell : ends.byCell.keySet()) {
                        Instant at = ends.badAt(cell);
                        if (at != null) {
                            expected.put(cell, at);
                        }
                    }
                    Map<Long, Instant> raised = new TreeMap<>();
                    Query query = new Query("state == 'raised'", List.of("cell", "end"), List.of("end"), 100);
                    for (Map<String, @Nullable Object> alert : context.getBean(Store.class)
                            .query("bad-cells", query)
                            .records()) {
                        raised.putIfAbsent((Long) Objects.requireNonNull(alert.get("cell")), (Instant)
                                Objects.requireNonNull(alert.get("end")));
                    }
                    // The night shows two of them, and 2998 good cells.
                    assertThat(raised).isEqualTo(expected).containsOnlyKeys(412L, 2291L);
                    assertThat(raised.get(2291L)).isBetween("2014-11-08T00:10:00Z", "2014-11-08T01:30:00Z");
                    // It is bad from half past seven on, by Istanbul's clocks.
                    assertThat(raised.get(412L)).isBetween("2014-11-08T05:30:00Z", "2014-11-08T05:40:00Z");
                    RunningMeasure cells = measure(context, "istanbul", 1);
                    assertThat(cells.counts().late().get()).isZero();
                    assertThat(cells.counts().counted().get()).isEqualTo(2_100_000);
                },
                Ends.class);
    }
}
