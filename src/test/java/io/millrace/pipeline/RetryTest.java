package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.error.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryTest {

    private final List<Long> pausesMillis = new ArrayList<>();
    private boolean stopping;

    private final Retry retry = new Retry("trades", new Pauses() {
        @Override
        public boolean pause(Duration time) {
            pausesMillis.add(time.toMillis());
            return stopping;
        }

        @Override
        public long nanoTime() {
            return 0;
        }
    });

    private static void fail() {
        throw new StoreException("the store is down");
    }

    @Test
    void shouldRetryWithGrowingPausesUntilTheStoreTakesIt() {
        int[] attempts = {0};

        retry.run(() -> {
            if (attempts[0]++ < 9) {
                assertThat(retry.waiting()).isEqualTo(attempts[0] > 1);
                fail();
            }
        });

        assertThat(pausesMillis).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L);
        assertThat(retry.failures().get()).isEqualTo(9);
        assertThat(retry.waiting()).isFalse();
    }

    @Test
    void shouldEndWithTheFailureWhereThePipelineIsToStop() {
        stopping = true;

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> retry.run(RetryTest::fail))
                .withMessage("the store is down");
        assertThat(pausesMillis).hasSize(1);
    }
}
