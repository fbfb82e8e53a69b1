package io.millrace.measure.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Plans;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of an open window with many groups a read visits while the pipeline's thread waits, and what it returns. */
class OpenWindowTest {

    private static final int LENGTH = 16;
    private static final int BATCH = 1000;
    private static final Schema SCHEMA = new Schema(
            "sale",
            LENGTH,
            List.of(
                    Field.of("time", new FieldType.InstantType(number(), TimeUnit.MILLISECONDS), 0),
                    Field.of("id", new FieldType.IntegerType(number()), 8)),
            List.of());
    private static final Map<String, String> COUNT = Map.of("n", "count()");

    private static IntStorage number() {
        return IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    }

    private static Measure measure(Map<String, String> values, int panes, int groups) {
        MeasurePlan plan = Plans.plan(
                Plans.definition(
                        List.of("id"), values, new Windows.Sliding(Duration.ofSeconds(10), panes), "time", 0, groups),
                SCHEMA);
        return new Measure(plan, InstantSource.system(), _ -> {});
    }

    /** One record of each id. */
    private static void take(Measure measure, long time, int firstId, int endId) {
        byte[] bytes = new byte[BATCH * LENGTH];
        RecordBatch batch = new RecordBatch(SCHEMA);
        for (int first = firstId; first < endId; first += BATCH) {
            int count = Math.min(BATCH, endId - first);
            for (int i = 0; i < count; i++) {
                RawBytes.putLong(bytes, i * LENGTH, time);
                RawBytes.putLong(bytes, i * LENGTH + 8, first + i);
            }
            measure.take(batch.fill(bytes, 0, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION), 0);
        }
    }

    private static OpenWindow read(Measure measure, int limit) {
        return Objects.requireNonNull(measure.current(limit));
    }

    private static List<Map<String, @Nullable Object>> rows(Measure measure, Window window) {
        return IntStream.range(0, window.count())
                .mapToObj(row -> measure.plan().decode(window, row))
                .toList();
    }

    @Test
    void shouldVisitNoMoreGroupsThanItReturnsTwice() {
        Measure measure = measure(COUNT, 1, 1_000_000);
        take(measure, 0, 0, 300_000);

        OpenWindow open = read(measure, 100);

        assertThat(measure.visited()).isLessThanOrEqualTo(202);
        assertThat(open.groups()).isEqualTo(300_000);
        assertThat(rows(measure, open.window()))
                .hasSize(100)
                .allSatisfy(row -> assertThat(row).containsEntry("n", 1L).containsEntry("others", false))
                .extracting(row -> row.get("id"))
                .isEqualTo(IntStream.range(0, 100)
                        .mapToObj(id -> (Object) (long) id)
                        .toList());
    }

    @Test
    void shouldBoundTheVisitsOfASingleRead() {
        Measure measure = measure(COUNT, 1, 1_000_000);
        take(measure, 0, 0, 300_000);

        assertThat(read(measure, Integer.MAX_VALUE).window().count()).isEqualTo(Panes.VISITS_MAX);
        assertThat(measure.visited()).isLessThanOrEqualTo(2L * Panes.VISITS_MAX + 1);
    }

    /** Putting such a window together would visit a million groups; each has been in every pane. */
    @Test
    void shouldFindTheGroupsOfAReadInThePanesOfOverlappingWindows() {
        Measure measure = measure(COUNT, 20, 1_000_000);
        for (int pane = 0; pane < 20; pane++) {
            take(measure, pane * 10_000L, 0, 50_000);
        }

        OpenWindow open = read(measure, 1000);

        assertThat(measure.visited()).isLessThanOrEqualTo(2L * 20 * 1001);
        assertThat(open.groups()).isNull();
        assertThat(rows(measure, open.window()))
                .hasSize(1000)
                .allSatisfy(row -> assertThat(row).containsEntry("n", 20L));
        read(measure, 10_000);
        assertThat(measure.visited()).isLessThanOrEqualTo(2L * 20 * 1001 + 3L * Panes.VISITS_MAX);
    }

    @Test
    void shouldShowTheRowOfTheOthersOnlyBehindAllGroups() {
        Measure measure = measure(COUNT, 1, 10);
        take(measure, 0, 0, 12);

        assertThat(read(measure, 9).groups()).isEqualTo(11);
        assertThat(rows(measure, read(measure, 9).window())).hasSize(9);
        assertThat(rows(measure, read(measure, 10).window()).getLast())
                .containsEntry("others", true)
                .containsEntry("n", 2L);
    }

    /** Each batch has one record of each group: of one moment, all counts are the same, and none ever goes down. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldReturnAllRowsOfOneMoment(int panes) {
        Measure measure = measure(
                Plans.values("n", "count()", "sum", "sum(id)", "times", "distinct(time)", "late", "quantile(id, 0.5)"),
                panes,
                BATCH);
        AtomicLong last = new AtomicLong();
        try (var _ = Readers.of(measure, BATCH, open -> {
            List<Map<String, @Nullable Object>> rows = rows(measure, open.window());
            assertThat(rows).hasSize(BATCH);
            long n = (Long) Objects.requireNonNull(rows.getFirst().get("n"));
            assertThat(n).isGreaterThanOrEqualTo(last.getAndSet(n));
            for (Map<String, @Nullable Object> row : rows) {
                long id = (Long) Objects.requireNonNull(row.get("id"));
                assertThat(row)
                        .containsEntry("n", n)
                        .containsEntry("sum", n * id)
                        .containsEntry("late", (double) id);
            }
        })) {
            for (int batch = 0; batch < 2000; batch++) {
                take(measure, batch % 10_000, 0, BATCH);
            }
        }
        assertThat(rows(measure, read(measure, 1).window()).getFirst()).containsEntry("n", 2000L);
    }

    /** The clock is read within a batch, so that the test can hold the batch there. */
    @Test
    void shouldReturnWhatABatchBroughtToAReadThatCameDuringIt() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CompletableFuture<Boolean> isReading = new CompletableFuture<>();
        AtomicBoolean holds = new AtomicBoolean();
        MeasurePlan plan = Plans.plan(
                Plans.definition(List.of("id"), COUNT, new Windows.Sliding(Duration.ofSeconds(10), 1), "time", 0, 10),
                SCHEMA);
        Measure measure = new Measure(
                plan,
                () -> {
                    if (holds.get()) {
                        began.countDown();
                        isReading.join();
                    }
                    return Instant.EPOCH;
                },
                _ -> {});
        take(measure, 0, 0, 5);
        holds.set(true);
        Thread pipeline = Thread.ofPlatform().start(() -> take(measure, 0, 0, 5));
        began.await();
        CompletableFuture<OpenWindow> read = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> read.complete(read(measure, 10)));
        await().until(() ->
                reader.getState() == Thread.State.TIMED_WAITING || reader.getState() == Thread.State.WAITING);
        isReading.complete(true);
        pipeline.join();

        assertThat(rows(measure, read.get().window()))
                .hasSize(5)
                .allSatisfy(row -> assertThat(row).containsEntry("n", 2L));
    }
}
