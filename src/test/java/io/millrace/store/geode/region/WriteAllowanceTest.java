package io.millrace.store.geode.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WriteAllowanceTest {

    private static final int BOUND = 16_000;
    private static final int EXCESS = 1000;
    private static final int BLOCK = 10;

    private final AtomicInteger requests = new AtomicInteger();
    private final WriteAllowance allowance = new WriteAllowance(BOUND, requests::incrementAndGet);

    private int takeAll() {
        int taken = 0;
        while (allowance.take(BLOCK)) {
            taken += BLOCK;
        }
        return taken;
    }

    @Test
    void shouldAllowASixteenthBeforeTheFirstSweep() {
        assertThat(takeAll()).isEqualTo(EXCESS);
        assertThat(requests).hasValue(1);
    }

    @Test
    void shouldRequestASweepOnceBeforeItIsNeeded() {
        for (int taken = 0; taken < EXCESS / 2; taken += BLOCK) {
            assertThat(allowance.take(BLOCK)).isTrue();
        }
        assertThat(requests).hasValue(0);
        assertThat(allowance.take(BLOCK)).isTrue();
        assertThat(requests).hasValue(1);
        takeAll();
        assertThat(requests).hasValue(1);
    }

    @Test
    void shouldAllowWhatTheRegionLacksAndASixteenth() {
        allowance.renew(allowance.begin(), BOUND, BOUND - 5000);
        assertThat(takeAll()).isEqualTo(5000 + EXCESS);
        allowance.renew(allowance.begin(), BOUND, BOUND);
        assertThat(takeAll()).isEqualTo(EXCESS);
        assertThat(requests).hasValue(2);
    }

    @Test
    void shouldCountWhatIsWrittenDuringASweep() {
        WriteAllowance.Written before = allowance.begin();
        for (int i = 0; i < 20; i++) {
            allowance.take(BLOCK);
        }
        allowance.renew(before, BOUND, BOUND);
        assertThat(takeAll()).isEqualTo(EXCESS - 20 * BLOCK);
    }

    @Test
    void shouldAllowSomeBlocksAfterASweepThatFoundNothingToRemove() {
        allowance.renew(allowance.begin(), 0, 10 * BOUND);
        assertThat(takeAll()).isEqualTo(WriteAllowance.BLOCKS_MIN * BLOCK);
    }

    @Test
    void shouldWaitForASweep() throws Exception {
        takeAll();
        CompletableFuture<Boolean> waiting =
                CompletableFuture.supplyAsync(() -> allowance.await(BLOCK, TimeUnit.MINUTES.toNanos(1)));
        allowance.renew(allowance.begin(), BOUND, BOUND);
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(takeAll()).isEqualTo(EXCESS - BLOCK);
    }

    @Test
    void shouldNotWaitLongerThanAllowed() {
        takeAll();
        assertThat(allowance.await(BLOCK, TimeUnit.MILLISECONDS.toNanos(5))).isFalse();
    }

    @Test
    void shouldRequestAnotherSweepWhereOneFailed() {
        takeAll();
        var _ = allowance.begin();
        assertThat(allowance.take(BLOCK)).isFalse();
        assertThat(requests).hasValue(2);
    }
}
