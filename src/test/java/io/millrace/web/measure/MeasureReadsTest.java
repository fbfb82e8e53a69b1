package io.millrace.web.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** How many results are made for reads, and when, in virtual time. */
class MeasureReadsTest {

    private final VirtualClock clock = new VirtualClock();
    private final MeasureReads reads = new MeasureReads(clock);
    private int made;
    private long workNanos;

    /** Runs what is scheduled as time is moved. */
    private static final class VirtualClock implements MeasureReads.Clock {
        private record Task(Runnable work, long atNanos) {}

        private final List<Task> tasks = new ArrayList<>();
        private long nanos = 1;

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void schedule(Runnable task, long delayNanos) {
            tasks.add(new Task(task, nanos + delayNanos));
        }

        /** Moves to the next task and runs it; returns how much later that was. */
        Duration runNext() {
            assertThat(tasks).hasSize(1);
            Task task = tasks.removeFirst();
            long waited = Math.max(0, task.atNanos() - nanos);
            nanos += waited;
            task.work().run();
            return Duration.ofNanos(waited);
        }

        @Override
        public void close() {}
    }

    private byte[] make() {
        made++;
        clock.nanos += workNanos;
        return new byte[] {(byte) made};
    }

    private CompletableFuture<byte[]> read(Object parameters, Callable<byte[]> making) {
        return reads.read("turnover", parameters, making).toFuture();
    }

    private CompletableFuture<byte[]> read(Object parameters) {
        return read(parameters, this::make);
    }

    private static int value(CompletableFuture<byte[]> read) {
        assertThat(read).isCompleted();
        return read.join()[0];
    }

    @Test
    void shouldMakeTheFirstResultAtOnce() {
        CompletableFuture<byte[]> first = read(100);
        assertThat(clock.runNext()).isZero();
        assertThat(value(first)).isEqualTo(1);
    }

    @Test
    void shouldShareAResultAmongReadsThatArriveDuringThePause() {
        CompletableFuture<byte[]> first = read(100);
        clock.runNext();
        List<CompletableFuture<byte[]>> others = List.of(read(100), read(100), read(100), read(100));

        assertThat(others).allSatisfy(read -> assertThat(read).isNotDone());
        assertThat(clock.runNext()).isEqualTo(MeasureReads.PAUSE_MIN);

        assertThat(value(first)).isEqualTo(1);
        assertThat(others).allSatisfy(read -> assertThat(value(read)).isEqualTo(2));
        assertThat(made).isEqualTo(2);
        assertThat(clock.tasks).isEmpty();
    }

    /** It would see what was measured before it otherwise, but not what its client did last. */
    @Test
    void shouldNeverReturnAResultThatWasBegunBeforeTheRead() {
        List<CompletableFuture<byte[]>> late = new ArrayList<>();
        CompletableFuture<byte[]> first = read(100, () -> {
            late.add(read(100));
            return make();
        });
        clock.runNext();
        assertThat(value(first)).isEqualTo(1);
        assertThat(late.getFirst()).isNotDone();
        clock.runNext();
        assertThat(value(late.getFirst())).isEqualTo(2);
    }

    @Test
    void shouldPauseLongerTheLongerResultsTake() {
        workNanos = Duration.ofMillis(50).toNanos();
        var _ = read(100);
        var _ = read(10_000);
        clock.runNext();
        var _ = read(100);
        assertThat(clock.runNext()).isEqualTo(Duration.ofMillis(100L * MeasureReads.PAUSE_TO_WORK));
    }

    @Test
    void shouldMakeNoResultForAClientThatHasGone() {
        Disposable gone = reads.read("turnover", 100, this::make).subscribe();
        gone.dispose();
        clock.runNext();
        assertThat(made).isZero();
    }

    @Test
    void shouldRefuseMoreReadsThanMayWait() {
        for (int i = 0; i < MeasureReads.WAITING_MAX; i++) {
            var _ = read(100);
        }
        assertThat(read(100)).isCompletedExceptionally();
        assertThat(reads.read("other", 100, this::make).toFuture()).isNotDone();
        clock.tasks.removeLast();
        clock.runNext();
        assertThat(made).isOne();
        assertThat(read(100)).isNotDone();
    }

    @Test
    void shouldRefuseMoreDifferentReadsThanMayWait() {
        for (int limit = 1; limit <= MeasureReads.DIFFERENT_MAX; limit++) {
            var _ = read(limit);
        }
        assertThat(read(10_000)).isCompletedExceptionally();
        assertThat(read(1)).isNotDone();
        clock.runNext();
        assertThat(made).isEqualTo(MeasureReads.DIFFERENT_MAX);
    }

    @Test
    void shouldContinueAfterAResultThatCannotBeMade() {
        CompletableFuture<byte[]> failed = read(1, () -> {
            throw new StackOverflowError("made for this test");
        });
        CompletableFuture<byte[]> other = read(2);
        clock.runNext();
        assertThat(failed).isCompletedExceptionally();
        assertThat(value(other)).isEqualTo(1);
        CompletableFuture<byte[]> next = read(1);
        clock.runNext();
        assertThat(value(next)).isEqualTo(2);
    }
}
