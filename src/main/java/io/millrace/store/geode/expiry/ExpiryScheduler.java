package io.millrace.store.geode.expiry;

import io.millrace.background.BackgroundTask;
import io.millrace.background.SteadyClock;
import io.millrace.store.geode.region.OpenRegion;
import io.millrace.store.geode.region.WriteAllowance;
import io.millrace.store.region.Layout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs expiry for regions with a retention policy, on a single thread that exists only if there is such a region.
 * Thread-safe.
 */
public final class ExpiryScheduler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ExpiryScheduler.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    /**
     * The pause after a run, as a multiple of the CPU time of the run. Time spent waiting, for example for a member
     * that was just lost, uses no CPU, and must not let a region grow meanwhile.
     */
    private static final int PAUSE_FACTOR = 20;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final BooleanSupplier open;
    private final SteadyClock clock;
    private final List<ScheduledExpiry> expiries = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("retention").daemon().factory());

    /**
     * @param open returns whether the regions are still open
     * @param clock by whose time values expire; while it has jumped, none do
     */
    public ExpiryScheduler(BooleanSupplier open, SteadyClock clock) {
        this.open = open;
        this.clock = clock;
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    /**
     * Returns the time in milliseconds since 1970.
     *
     * @throws IllegalStateException while the clock has jumped
     */
    public static long steadyTime(SteadyClock clock) {
        Duration jump = clock.jump();
        if (!jump.isZero()) {
            throw new IllegalStateException("The clock has jumped by " + jump
                    + ". Nothing is removed until it is right again, or has kept the new time for "
                    + SteadyClock.ACCEPTED_AFTER.toMinutes() + " minutes.");
        }
        return clock.millis();
    }

    /** Schedules expiry for a region, if it has a retention policy. */
    public void add(OpenRegion region) {
        if (region.definition().retention().limited()) {
            Expiry expiry = region.definition().layout() == Layout.BLOCKS
                    ? new BlockExpiry(region, clock::latest)
                    : new EntryExpiry(region, clock::latest);
            ScheduledExpiry scheduled = schedule(region.definition().name(), expiry);
            Long bytes = region.definition().retention().bytes();
            if (bytes != null) {
                region.bound(new WriteAllowance(bytes, scheduled::runSoon));
            }
        }
    }

    /** Runs expiry for a region immediately, on the calling thread: a writer has used up its allowance. */
    public void run(OpenRegion region) {
        expiries.stream()
                .filter(expiry -> expiry.region.equals(region.definition().name()))
                .forEach(expiry -> expiry.run(clock.millis()));
    }

    /** Schedules expiry for a region; exceptions do not end the schedule. */
    public void add(String region, Expiry expiry) {
        var _ = schedule(region, expiry);
    }

    private ScheduledExpiry schedule(String region, Expiry expiry) {
        ScheduledExpiry scheduled = new ScheduledExpiry(region, expiry);
        if (expiries.isEmpty()) {
            // So that also a jump between two runs is known.
            var _ = thread.scheduleWithFixedDelay(
                    clock::millis,
                    ExpiryInterval.SHORTEST.toNanos(),
                    ExpiryInterval.SHORTEST.toNanos(),
                    TimeUnit.NANOSECONDS);
        }
        expiries.add(scheduled);
        long nanos = expiry.interval().toNanos();
        // A fixed schedule: one that each run renews would end with the first run that fails to do so.
        var _ = thread.scheduleWithFixedDelay(scheduled::runIfDue, nanos, nanos, TimeUnit.NANOSECONDS);
        return scheduled;
    }

    /** Returns one task for each region with retention. */
    public List<BackgroundTask> tasks() {
        return expiries.stream().map(expiry -> expiry.task).toList();
    }

    /** Runs expiry for all regions now, with the given time as the current time. */
    public void runAll(long now) {
        expiries.forEach(expiry -> expiry.run(now));
    }

    /** The scheduled expiry of one region; a long run is followed by a longer pause. */
    private final class ScheduledExpiry {
        private final String region;
        private final BackgroundTask task;
        private final Expiry expiry;
        private long dueNanos = System.nanoTime();

        private ScheduledExpiry(String region, Expiry expiry) {
            this.region = region;
            this.task = new BackgroundTask("retention-" + region);
            this.expiry = expiry;
        }

        /** Runs it as soon as the thread is free. */
        private void runSoon() {
            try {
                thread.execute(this::runNow);
            } catch (RejectedExecutionException _) {
                // the store is closing
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
            dueNanos = System.nanoTime() + PAUSE_FACTOR * (THREADS.getCurrentThreadCpuTime() - startCpuNanos);
        }

        private void runWhileOpen() {
            if (open.getAsBoolean()) {
                long now = steadyTime(clock);
                try {
                    run(now);
                } catch (RuntimeException e) {
                    // An exception during the close of the store is not a failure.
                    if (open.getAsBoolean()) {
                        throw e;
                    }
                }
            }
        }

        synchronized void run(long now) {
            expiry.run(now);
        }
    }

    /**
     * Returns once no expiry is running. Does not interrupt a run, because Geode's files do not tolerate interrupts.
     */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("Expiry did not stop in time: timeout={}", STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
