package io.millrace.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.run.PartitionLoop.Turn;
import io.millrace.pipeline.step.StopLatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Real threads that turn partitions which count their turns. */
class LaneTest {

    private final StopLatch stop = new StopLatch();

    /** A partition with a number of batches, which detects two turns at a time. */
    private static final class Work {

        private final int batches;
        private final AtomicInteger turning = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();
        private volatile int done;
        private volatile boolean stopped;
        private final LaneTask task = new LaneTask(this::turn);

        Work(int batches) {
            this.batches = batches;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // what is tested
        private Turn turn(Duration maxWait) {
            overlaps.addAndGet(turning.getAndIncrement());
            try {
                if (stopped) {
                    return Turn.ENDED;
                }
                if (done == batches) {
                    return Turn.IDLE;
                }
                done++;
                return Turn.WORKED;
            } finally {
                turning.decrementAndGet();
            }
        }
    }

    private List<Lane> lanes(List<Work> works, int count) {
        List<LaneTask> tasks = works.stream().map(work -> work.task).toList();
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lanes.add(new Lane("lane-" + i, tasks, stop));
        }
        return lanes;
    }

    private static void stop(List<Work> works, List<Lane> lanes) {
        works.forEach(work -> work.stopped = true);
        lanes.forEach(Lane::awaitEnd);
        assertThat(lanes).allMatch(Lane::ended);
    }

    @Test
    void shouldTurnEachPartitionByOneThreadAtATimeWhileTheyMove() {
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            works.add(new Work(i == 0 ? 400_000 : 20_000 * i));
        }
        List<Lane> lanes = lanes(works, 4);
        works.forEach(work -> work.task.assign(lanes.getFirst()));
        lanes.forEach(Lane::start);
        await().until(() -> works.stream().allMatch(work -> work.done == work.batches));
        stop(works, lanes);
        assertThat(works).allMatch(work -> work.overlaps.get() == 0);
    }

    @Test
    void shouldNotWaitForAPartitionWhoseTurnTakesLong() {
        CountDownLatch held = new CountDownLatch(1);
        Work slow = new Work(0);
        LaneTask holding = new LaneTask(wait -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return slow.turn(wait);
        });
        List<Work> works = List.of(new Work(1000), new Work(1000), new Work(1000));
        List<LaneTask> tasks = new ArrayList<>();
        works.forEach(work -> tasks.add(work.task));
        tasks.add(holding); // turned last, when the others have worked once
        List<Lane> lanes = List.of(new Lane("lane-0", tasks, stop), new Lane("lane-1", tasks, stop));
        tasks.forEach(task -> task.assign(lanes.getFirst()));
        lanes.forEach(Lane::start);
        await().until(() -> works.stream().allMatch(work -> work.done == work.batches));
        held.countDown();
        slow.stopped = true;
        stop(works, lanes);
    }

    /** It would turn nothing, again and again, until the other one has stored everything. */
    @Test
    void shouldEndBeforeAnotherLaneThatStillStops() {
        Work own = new Work(0);
        Work other = new Work(0);
        List<Lane> lanes = lanes(List.of(own, other), 2);
        own.task.assign(lanes.getFirst());
        other.task.assign(lanes.getLast());
        own.stopped = true;
        stop.stop();
        lanes.getFirst().start();
        lanes.getFirst().awaitEnd();
        assertThat(lanes.getFirst().ended()).isTrue();
        assertThat(other.task.ended()).isFalse();
    }

    @Test
    void shouldTurnAPartitionByItsLaneOnly() {
        List<Work> works = List.of(new Work(50_000), new Work(50_000), new Work(50_000), new Work(50_000));
        List<Lane> lanes = lanes(works, 2);
        for (int i = 0; i < works.size(); i++) {
            works.get(i).task.assign(lanes.get(i % 2));
        }
        works.forEach(work ->
                assertThat(work.task.turn(work.task.lane(), Duration.ZERO)).isEqualTo(Turn.WORKED));
        assertThat(works.getFirst().task.turn(lanes.getLast(), Duration.ZERO)).isNull();
        assertThat(works.getFirst().task.move(lanes.getLast(), lanes.getFirst()))
                .isFalse();
        assertThat(works.getFirst().task.move(lanes.getFirst(), lanes.getLast()))
                .isTrue();
        assertThat(works.getFirst().task.turn(lanes.getLast(), Duration.ZERO)).isEqualTo(Turn.WORKED);
    }
}
