package io.millrace.pipeline.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ShadowBudgetTest {

    private static final long MILLI = 1_000_000;

    @Test
    void shouldTakeAtMostHalfOfTheTime() {
        Random random = new Random(4);
        for (int run = 0; run < 100; run++) {
            long start = random.nextLong();
            long now = start;
            long taken = 0;
            int skipped = 0;
            ShadowBudget budget = new ShadowBudget(now, () -> 1);
            long longest = (1 + random.nextInt(100)) * MILLI;
            for (int batch = 0; batch < 10_000; batch++) {
                if (budget.allows(now)) {
                    long nanos = random.nextLong(longest);
                    budget.spend(nanos);
                    taken += nanos;
                    now += nanos;
                } else {
                    skipped++;
                }
                now += MILLI;
            }
            // What it could save before, and the last batch.
            assertThat(taken).isLessThanOrEqualTo((now - start) / 2 + 500 * MILLI + longest);
            assertThat(skipped > 0).isEqualTo(longest > 2 * MILLI);
        }
    }

    @Test
    void shouldSaveUpForAMomentOnly() {
        ShadowBudget budget = new ShadowBudget(0, () -> 1);
        long now = 3_600_000 * MILLI;
        assertThat(budget.allows(now)).isTrue();
        budget.spend(501 * MILLI);
        assertThat(budget.allows(now + MILLI)).isFalse();
        assertThat(budget.allows(now + 3 * MILLI)).isTrue();
    }

    /** One of the lanes ends when its last partition goes to another process. */
    @Test
    void shouldTakeHalfOfTheTimeOfAllLanesWithWork() {
        AtomicInteger lanes = new AtomicInteger(2);
        ShadowBudget budget = new ShadowBudget(0, lanes::get);
        budget.spend(503 * MILLI);
        assertThat(budget.allows(3 * MILLI)).isFalse();
        assertThat(budget.allows(3 * MILLI + 10)).isTrue();
        budget.spend(10);
        lanes.set(1);
        assertThat(budget.allows(3 * MILLI + 20)).isTrue();
        budget.spend(10);
        assertThat(budget.allows(3 * MILLI + 30)).isFalse();
        assertThat(budget.allows(3 * MILLI + 40)).isTrue();
    }

    /** Lanes read the time before they wait for each other. */
    @Test
    void shouldNotLoseTimeIfLanesArriveInAnotherOrder() {
        ShadowBudget budget = new ShadowBudget(0, () -> 2);
        budget.spend(510 * MILLI);
        assertThat(budget.allows(8 * MILLI)).isFalse();
        assertThat(budget.allows(4 * MILLI)).isFalse();
        assertThat(budget.allows(10 * MILLI)).isFalse();
        assertThat(budget.allows(10 * MILLI + 1)).isTrue();
    }

    @Test
    void shouldEndWithABatchOfMoreThanTwoSeconds() {
        assertThat(ShadowBudget.exceededBy(2_000 * MILLI)).isFalse();
        assertThat(ShadowBudget.exceededBy(2_001 * MILLI)).isTrue();
    }
}
