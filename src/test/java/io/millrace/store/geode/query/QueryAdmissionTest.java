package io.millrace.store.geode.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class QueryAdmissionTest {

    private static final int BYTES = 1 << 20;

    @Test
    void shouldRunOnlyAsManyQueriesAsHaveMemory() throws Exception {
        QueryAdmission admission = new QueryAdmission(4 * BYTES);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            threads.add(Thread.startVirtualThread(() -> admission.run(BYTES, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                LockSupport.parkNanos(100_000);
                running.decrementAndGet();
            })));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(1, 4);
    }

    @Test
    void shouldRunAQueryThatNeedsMoreThanThereIsAlone() throws Exception {
        QueryAdmission admission = new QueryAdmission(BYTES);
        CountDownLatch ran = new CountDownLatch(1);

        admission.run(Long.MAX_VALUE, ran::countDown);

        assertThat(ran.await(0, TimeUnit.SECONDS)).isTrue();
    }

    /** A client sends it by Java serialization, which calls the same constructor. */
    @Test
    void shouldLimitWhatAClientAsksFor() {
        ScanBudget budget = new ScanBudget(Long.MAX_VALUE, Integer.MAX_VALUE);

        assertThat(budget).isEqualTo(new ScanBudget(500_000_000, 32 << 20));
    }
}
