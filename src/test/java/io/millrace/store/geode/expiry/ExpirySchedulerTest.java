package io.millrace.store.geode.expiry;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.background.BackgroundTask;
import io.millrace.background.SteadyClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ExpirySchedulerTest {

    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicInteger runs = new AtomicInteger();

    private Expiry failingWith(Throwable failure) {
        return new Expiry() {
            @Override
            public Duration interval() {
                return Duration.ofMillis(10);
            }

            @Override
            public void run(long now) {
                runs.incrementAndGet();
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) failure;
            }
        };
    }

    @Test
    void shouldSweepOnAfterAnError() {
        try (ExpiryScheduler sweeper = new ExpiryScheduler(open::get, SteadyClock.SYSTEM)) {
            sweeper.add("buys", failingWith(new NoClassDefFoundError("org/example/Missing")));
            await().until(() -> runs.get() >= 3);
            BackgroundTask.Status status = sweeper.tasks().getFirst().status();
            assertThat(status.name()).isEqualTo("retention-buys");
            assertThat(status.failing()).isTrue();
            assertThat(status.lastFailure()).contains("org/example/Missing");
        }
    }

    @Test
    void shouldNotCountAsAFailureThatTheStoreCloses() {
        try (ExpiryScheduler sweeper = new ExpiryScheduler(open::get, SteadyClock.SYSTEM)) {
            Expiry closing = failingWith(new IllegalStateException("closed"));
            sweeper.add("buys", new Expiry() {
                @Override
                public Duration interval() {
                    return closing.interval();
                }

                @Override
                public void run(long now) {
                    open.set(false);
                    closing.run(now);
                }
            });
            await().until(() -> sweeper.tasks().getFirst().status().lastRun() != null);
            assertThat(sweeper.tasks().getFirst().status().failures()).isZero();
        }
    }

    /** Each record would be an hour old, and be removed for good. */
    @Test
    void shouldRemoveNothingWhileTheClockIsAnHourAhead() {
        AtomicLong wrong = new AtomicLong();
        InstantSource machine = () -> Instant.now().plusMillis(wrong.get());
        SteadyClock clock = new SteadyClock(machine, System::nanoTime);
        wrong.set(Duration.ofHours(1).toMillis());
        AtomicLong latest = new AtomicLong();
        try (ExpiryScheduler sweeper = new ExpiryScheduler(open::get, clock)) {
            sweeper.add("buys", new Expiry() {
                @Override
                public Duration interval() {
                    return Duration.ofMillis(10);
                }

                @Override
                public void run(long now) {
                    latest.set(now);
                    runs.incrementAndGet();
                }
            });
            BackgroundTask task = sweeper.tasks().getFirst();
            await().until(() -> task.status().failures() >= 3);
            assertThat(runs).hasValue(0);
            assertThat(task.status().lastFailure()).contains("The clock has jumped by PT", "Nothing is removed until");
            wrong.set(0);
            await().until(() -> runs.get() >= 3);
            assertThat(task.status().failing()).isFalse();
            assertThat(latest.get()).isLessThanOrEqualTo(System.currentTimeMillis());
        }
    }

    /** As where a member is lost: what is to be removed grows meanwhile. */
    @Test
    void shouldSweepSoonAfterOneThatHadToWait() {
        try (ExpiryScheduler sweeper = new ExpiryScheduler(open::get, SteadyClock.SYSTEM)) {
            sweeper.add("buys", new Expiry() {
                @Override
                public Duration interval() {
                    return Duration.ofMillis(10);
                }

                @Override
                public void run(long now) {
                    if (runs.getAndIncrement() == 0) {
                        LockSupport.parkNanos(SECONDS.toNanos(3));
                    }
                }
            });
            await().until(() -> runs.get() >= 3);
        }
    }
}
