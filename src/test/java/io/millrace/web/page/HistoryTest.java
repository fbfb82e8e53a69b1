package io.millrace.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.metrics.CollectorPause;
import io.millrace.metrics.GarbageCollection;
import io.millrace.metrics.ProcessSample;
import io.millrace.metrics.Sample;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final GarbageCollection NO_COLLECTION = new GarbageCollection(0, 0, 0);

    private final History history = new History();

    private void add(long time, long heap, double cpu, CollectorPause... pauses) {
        history.add(new Sample(
                time, List.of(), NO_COLLECTION, List.of(pauses), new ProcessSample(heap, heap, heap, cpu, 2)));
    }

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(history.view())
                .containsEntry("times", List.of())
                .containsEntry("heapUsed", List.of())
                .containsEntry("gc", List.of());
    }

    @Test
    void shouldHaveAnEntryASecondHoweverLateASampleComes() {
        add(5_000, 10, 0.5);
        add(6_080, 11, -1);
        add(6_990, 12, 0.25);
        assertThat(history.view())
                .containsEntry("times", List.of(5_000L, 6_000L, 7_000L))
                .containsEntry("heapUsed", List.of(10L, 11L, 12L));
        assertThat((List<?>) history.view().get("cpu"))
                .satisfiesExactly(
                        cpu -> assertThat(cpu).isEqualTo(0.5),
                        cpu -> assertThat(cpu).isNull(),
                        cpu -> assertThat(cpu).isEqualTo(0.25));
    }

    @Test
    void shouldHaveNoValueWhereNothingWasSampled() {
        add(0, 1, 0);
        add(3_000, 4, 0);
        assertThat((List<?>) history.view().get("heapUsed"))
                .satisfiesExactly(
                        used -> assertThat(used).isEqualTo(1L),
                        used -> assertThat(used).isNull(),
                        used -> assertThat(used).isNull(),
                        used -> assertThat(used).isEqualTo(4L));
    }

    @Test
    void shouldHoldTheLastQuarterOfAnHour() {
        for (int second = 0; second < 2 * History.SECONDS + 7; second++) {
            add(second * 1000L, second, 0, new CollectorPause(second * 1000L, 1, "made up"));
        }
        int oldest = History.SECONDS + 7;
        assertThat(history.view())
                .containsEntry(
                        "heapUsed",
                        IntStream.range(oldest, oldest + History.SECONDS)
                                .mapToObj(second -> (long) second)
                                .toList());
        List<?> pauses = (List<?>) Objects.requireNonNull(history.view().get("gc"));
        assertThat(pauses).hasSize(History.SECONDS + 1);
    }

    @Test
    void shouldForgetAllThatIsOlderAfterALongGap() {
        add(0, 1, 0);
        add(1_000, 2, 0);
        add(10_000_000, 3, 0);
        List<?> used = (List<?>) Objects.requireNonNull(history.view().get("heapUsed"));
        assertThat(used).hasSize(History.SECONDS);
        assertThat(used.getLast()).isEqualTo(3L);
        assertThat(used.subList(0, History.SECONDS - 1)).containsOnlyNulls();
    }
}
