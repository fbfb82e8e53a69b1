package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.measure.window.OpenWindow;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Windows of a file that is read in several runs, between which it grows: they are those of a single run. */
class GrowingFeedTest {

    private static final long START = Instant.parse("2026-03-01T06:00:00Z").toEpochMilli();
    private static final long EVERY = 10_000;
    private static final long LATENESS = 3_000;
    private static final int RECORDS = 3_000;

    private static final String CONFIG = """
            millrace:
              schemas: FOLDER/schemas
              data: FOLDER/data
              flush: 20ms
              regions:
                events:   { layout: blocks, persistent: true }
                tumbling: { layout: blocks, persistent: true }
                sliding:  { layout: blocks, persistent: true }
              pipelines:
                events:
                  feed: { json-lines: FOLDER/events.jsonl }
                  schema: event
                  steps:
                    - measure:
                        name: tumbling
                        time: time
                        every: 10s
                        allowed-lateness: 3s
                        to: tumbling
                        values: { events: count(), ids: sum(id) }
                    - measure:
                        name: sliding
                        time: time
                        every: 10s
                        window: 40s
                        allowed-lateness: 3s
                        to: sliding
                        values: { events: count(), ids: sum(id) }
                    - to: events
            """;

    private static final String FINAL = CONFIG.replace(".jsonl }", ".jsonl, final: true }");

    @TempDir
    Path folder;

    private record Event(int id, long time) {

        String line() {
            return "{\"id\":" + id + ",\"time\":\"" + Instant.ofEpochMilli(time) + "\"}\n";
        }
    }

    @BeforeEach
    void writeSchema() throws Exception {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/event.yml"), """
            schema: event
            fields:
              - { name: id,   type: i32 }
              - { name: time, type: instant, as: i64, unit: ms }
            """);
    }

    /** Events about 50 milliseconds apart, of which some come too late for their windows. */
    private static List<Event> events(Random random) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            int delay = random.nextInt(20) == 0 ? random.nextInt(40_000) : random.nextInt(2_000);
            events.add(new Event(i, START + 50L * i - delay));
        }
        return events;
    }

    /** Rows by the end of their window, as text; computed event by event. */
    private static final class Expected {

        private final int panes;
        private final List<Event> counted = new ArrayList<>();
        private long latest = Long.MIN_VALUE;
        private long late;

        Expected(int panes, List<Event> events) {
            this.panes = panes;
            for (Event event : events) {
                if (paneEnd(event) + LATENESS <= latest) {
                    late++;
                } else {
                    counted.add(event);
                    latest = Math.max(latest, event.time());
                }
            }
        }

        private static long paneEnd(Event event) {
            return Math.floorDiv(event.time(), EVERY) * EVERY + EVERY;
        }

        /** @param ended whether all windows are closed, not only those that are past the latest event time */
        List<String> rows(boolean ended) {
            TreeMap<Long, long[]> sums = new TreeMap<>();
            for (Event event : counted) {
                for (int pane = 0; pane < panes; pane++) {
                    long end = paneEnd(event) + pane * EVERY;
                    if (ended || end + LATENESS <= latest) {
                        long[] sum = sums.computeIfAbsent(end, _ -> new long[2]);
                        sum[0]++;
                        sum[1] += event.id();
                    }
                }
            }
            List<String> rows = new ArrayList<>();
            sums.forEach((end, sum) -> rows.add(row(Instant.ofEpochMilli(end), sum[0], sum[1])));
            return rows;
        }
    }

    private static String row(Object end, Object events, Object ids) {
        return end + " " + events + " " + ids;
    }

    private void run(String config, Consumer<ApplicationContext> test) throws Exception {
        Path file = Files.writeString(folder.resolve("config.yml"), config.replace("FOLDER", folder.toString()));
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + file.toUri())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Pipeline pipeline =
                            context.getBean(Pipelines.class).named("events").orElseThrow();
                    await().until(() -> pipeline.state() == PipelineState.DONE);
                    test.accept(context);
                });
    }

    private static List<String> stored(ApplicationContext context, String region) {
        return context
                .getBean(Store.class)
                .query(region, new Query(null, List.of(), List.of("end"), 10_000))
                .records()
                .stream()
                .map(row -> row(
                        Objects.requireNonNull(row.get("end")),
                        Objects.requireNonNull(row.get("events")),
                        Objects.requireNonNull(row.get("ids"))))
                .toList();
    }

    private static RunningMeasure measure(ApplicationContext context, String name) {
        return context.getBean(Pipelines.class).all().getFirst().measures().stream()
                .filter(measure -> measure.plan().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void write(List<Event> events, int count, int bytesOfNext) throws Exception {
        StringBuilder text = new StringBuilder();
        events.subList(0, count).forEach(event -> text.append(event.line()));
        if (count < events.size()) {
            text.append(events.get(count).line(), 0, bytesOfNext);
        }
        Files.writeString(folder.resolve("events.jsonl"), text);
    }

    private static void requireRows(ApplicationContext context, List<Event> read, boolean ended) {
        Map.of("tumbling", 1, "sliding", 4).forEach((name, panes) -> {
            Expected expected = new Expected(panes, read);
            RunningMeasure measure = measure(context, name);
            assertThat(measure.counts().late().get())
                    .as(name)
                    .isEqualTo(expected.late)
                    .isPositive();
            assertThat(measure.counts().counted().get()).as(name).isEqualTo(expected.counted.size());
            await().untilAsserted(() ->
                    assertThat(stored(context, name)).as(name).containsExactlyElementsOf(expected.rows(ended)));
            OpenWindow current = measure.current(10);
            if (ended) {
                assertThat(current).isNull();
            } else {
                Instant end = Instant.ofEpochMilli(
                        Objects.requireNonNull(current).window().end());
                assertThat(stored(context, name)).as(name).noneMatch(row -> row.startsWith(end + " "));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldStoreTheSameRowsWhetherAFileIsReadInOneRunOrInSeveral(long seed) throws Exception {
        Random random = new Random(seed);
        List<Event> events = events(random);
        TreeSet<Integer> cuts = new TreeSet<>();
        while (cuts.size() < 2) {
            cuts.add(RECORDS / 10 + random.nextInt(RECORDS * 8 / 10));
        }

        for (int cut : cuts) {
            write(events, cut, random.nextInt(10));
            run(CONFIG, context -> requireRows(context, events.subList(0, cut), false));
        }
        write(events, RECORDS, 0);
        run(FINAL, context -> requireRows(context, events, true));
    }

    @Test
    void shouldCountRecordsAfterAFinalEndThatBelongToClosedWindowsAsLate() throws Exception {
        long time = START + 1;
        List<Event> events = List.of(
                new Event(1, time),
                new Event(2, time + 9_000),
                new Event(3, time + EVERY),
                new Event(4, time + 5 * EVERY));
        write(events, 1, 0);
        run(FINAL, context -> {
            assertThat(stored(context, "tumbling")).hasSize(1);
            assertThat(stored(context, "sliding")).hasSize(4);
        });
        write(events, 4, 0);
        run(FINAL, context -> {
            RunningMeasure tumbling = measure(context, "tumbling");
            assertThat(tumbling.counts().late().get()).isOne();
            assertThat(tumbling.counts().counted().get()).isEqualTo(3);
            RunningMeasure sliding = measure(context, "sliding");
            // The windows up to 40 seconds were closed with the first record.
            assertThat(sliding.counts().late().get()).isEqualTo(2);
            assertThat(sliding.counts().counted().get()).isEqualTo(2);
        });
    }

    @Test
    void shouldCloseWindowsWhenTheProcessExitsWithItsFeeds() throws Exception {
        List<Event> events = events(new Random(3)).subList(0, 500);
        write(events, 500, 0);
        run(
                CONFIG.replace("  flush:", "  exit-when-done: true\n  flush:"),
                context -> requireRows(context, events, true));
    }

    @Test
    void shouldCloseWindowsAfterTheIdleTimeout() throws Exception {
        List<Event> events = events(new Random(4)).subList(0, 500);
        write(events, 500, 0);
        run(CONFIG.replace("allowed-lateness: 3s", "allowed-lateness: 3s\n            idle-timeout: 50ms"), context -> {
            await().until(() -> measure(context, "sliding").current(1) == null
                    && measure(context, "tumbling").current(1) == null);
            requireRows(context, events, true);
        });
    }

    @Test
    void shouldShowTheOpenWindowOfAFileThatMayGrow() throws Exception {
        List<Event> events = List.of(new Event(7, START), new Event(8, START + 1));
        write(events, 2, 0);
        run(CONFIG, context -> {
            RunningMeasure tumbling = measure(context, "tumbling");
            OpenWindow current = Objects.requireNonNull(tumbling.current(10));
            Map<String, @Nullable Object> row = tumbling.plan().decode(current.window(), 0);
            assertThat(row).containsEntry("events", 2L).containsEntry("ids", 15L);
            assertThat(tumbling.closedWindows()).isEmpty();
            assertThat(stored(context, "tumbling")).isEmpty();
        });
    }
}
