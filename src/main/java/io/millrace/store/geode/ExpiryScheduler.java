package io.millrace.store.geode;

import io.millrace.background.BackgroundTask;
import io.millrace.store.Layout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has regions that don't keep everything swept now and then: by one thread, which there is only where there is such a
 * region. Thread-safe.
 */
final class ExpiryScheduler implements AutoCloseable {

    /** Least time between two looks at a region. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(ExpiryScheduler.class);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    /** Looks in an age: what is past it is gone soon, as measured by it. */
    private static final int LOOKS = 20;

    /**
     * A look is followed by a pause so many times as long as it used a processor. What it waited for, such as a member
     * that had just been lost, costs nobody anything, and must not let a region grow meanwhile.
     */
    private static final int PAUSE_TO_LOOK = 20;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final BooleanSupplier open;
    private final List<ScheduledSweep> sweeps = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("retention").daemon().factory());

    /** @param open whether the regions are there still */
    ExpiryScheduler(BooleanSupplier open) {
        this.open = open;
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    /** How often to look for what is past an age, or just now and then where there is none. */
    static Duration interval(@Nullable Duration age) {
        Duration part = age == null ? LONGEST : age.dividedBy(LOOKS);
        return part.compareTo(SHORTEST) < 0 ? SHORTEST : part.compareTo(LONGEST) > 0 ? LONGEST : part;
    }

    /** Sweeps a region from now on, if it is not to keep everything. */
    void add(OpenRegion region) {
        if (region.definition().retention().limited()) {
            Expiry sweep =
                    region.definition().layout() == Layout.BLOCKS ? new BlockExpiry(region) : new EntryExpiry(region);
            ScheduledSweep scheduled = schedule(region.definition().name(), sweep);
            Long bytes = region.definition().retention().bytes();
            if (bytes != null) {
                region.bound(new WriteAllowance(bytes, scheduled::runSoon));
            }
        }
    }

    /** Runs a sweep of a region now, in this thread: a writer has used up what it may write before. */
    void run(OpenRegion region) {
        sweeps.stream()
                .filter(sweep -> sweep.region.equals(region.definition().name()))
                .forEach(sweep -> sweep.run(System.currentTimeMillis()));
    }

    /** Runs a sweep of a region from now on, whatever it throws. */
    void add(String region, Expiry sweep) {
        var _ = schedule(region, sweep);
    }

    private ScheduledSweep schedule(String region, Expiry sweep) {
        ScheduledSweep scheduled = new ScheduledSweep(region, sweep);
        sweeps.add(scheduled);
        long nanos = sweep.interval().toNanos();
        // A fixed schedule: one that each run renews would end with the first run that could not.
        var _ = thread.scheduleWithFixedDelay(scheduled::runIfDue, nanos, nanos, TimeUnit.NANOSECONDS);
        return scheduled;
    }

    /** Returns one task for each region with retention. */
    List<BackgroundTask> tasks() {
        return sweeps.stream().map(sweep -> sweep.task).toList();
    }

    /** Sweeps all regions now, as if it were some time. */
    void runAll(long now) {
        sweeps.forEach(sweep -> sweep.run(now));
    }

    /** The sweep of one region; a run that takes long is followed by a longer pause. */
    private final class ScheduledSweep {
        private final String region;
        private final BackgroundTask task;
        private final Expiry sweep;
        private long dueNanos = System.nanoTime();

        private ScheduledSweep(String region, Expiry sweep) {
            this.region = region;
            this.task = new BackgroundTask("retention-" + region);
            this.sweep = sweep;
        }

        /** Runs it as soon as the thread is free. */
        private void runSoon() {
            try {
                thread.execute(this::runNow);
            } catch (RejectedExecutionException _) {
                // the store closes
            }
        }

        private void runIfDue() {
            if (System.nanoTime() - dueNanos >= 0) {
                runNow();
            }
        }

        private void runNow() {
            long startCpuNanos = THREADS.getCurrentThreadCpuTime();
            task.run(this::runWhileOpen);
            dueNanos = System.nanoTime() + PAUSE_TO_LOOK * (THREADS.getCurrentThreadCpuTime() - startCpuNanos);
        }

        private void runWhileOpen() {
            if (open.getAsBoolean()) {
                try {
                    run(System.currentTimeMillis());
                } catch (RuntimeException e) {
                    // A store that closes meanwhile is no failure.
                    if (open.getAsBoolean()) {
                        throw e;
                    }
                }
            }
        }

        synchronized void run(long now) {
            sweep.run(now);
        }
    }

    /** Returns once no region is being swept, without interrupting that: Geode's files don't bear it. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("the removal of what is past its time did not end within {}", STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
