package io.millrace.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.pipeline.commit.FormerPipelines;
import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.run.PartitionLoop.Turn;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Claim;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.WriterName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class PartitionLoopTest {

    private long nanos;
    private int claims;
    private final RestartRequests restarts = new RestartRequests(() -> {});

    /** Time that passes while a thread pauses. */
    private final Pauses pauses = new Pauses() {
        @Override
        public boolean pause(Duration time) {
            nanos += time.toNanos();
            return false;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }
    };

    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null));
    }

    private PartitionLoop onStandby() {
        RegionWriters store = (RegionWriters) Proxy.newProxyInstance(
                RegionWriters.class.getClassLoader(), new Class<?>[] {RegionWriters.class}, (_, method, _) -> {
                    assertThat(method.getName()).isEqualTo("claim");
                    claims++;
                    return Claim.heldBy("process-2");
                });
        Retry retry = new Retry("trades", pauses);
        PipelineOutput output = new PipelineOutput(
                "trades",
                Split.WHOLE,
                store,
                false,
                new FormerPipelines(Set.of(), false),
                new PipelineOutput.Rejects("rejects", unused(RegionWriter.class), new RejectBatch(), Map.of()),
                null,
                List.of(),
                retry);
        return new PartitionLoop(new LoopParts(
                WriterName.of("trades", 0),
                true,
                unused(Feed.class),
                false,
                unused(BatchProcessing.class),
                unused(RulesControl.class),
                output,
                store,
                new Balance("trades", 1, true, store, pauses),
                retry,
                pauses,
                restarts,
                new PipelineLimits(64, Duration.ofMillis(1), Duration.ofMillis(20), null),
                new ReentrantLock()));
    }

    /** A lane turns it each time it has processed a batch of another partition. */
    @Test
    void shouldNotClaimInEachTurnOfABusyLane() {
        PartitionLoop loop = onStandby();
        for (int i = 0; i < 1_000; i++) {
            assertThat(loop.turn(Duration.ZERO)).isEqualTo(Turn.IDLE);
            nanos += 1_000_000;
        }
        assertThat(claims).isEqualTo(4);
    }

    @Test
    void shouldClaimAtOnceIfARestartIsRequested() {
        PartitionLoop loop = onStandby();
        assertThat(loop.turn(Duration.ZERO)).isEqualTo(Turn.IDLE);
        var restart = restarts.request();
        assertThat(loop.turn(Duration.ZERO)).isEqualTo(Turn.IDLE);
        assertThat(claims).isEqualTo(2);
        assertThat(restart).isCompletedExceptionally();
    }
}
