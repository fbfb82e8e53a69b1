package io.millrace.store.geode;

import io.millrace.store.Layout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
final class Sweeper implements AutoCloseable {

    /** Least time between two looks at a region. */
    static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    /** Looks in an age: what is past it is gone soon, as measured by it. */
    private static final int LOOKS = 20;

    /** A look that took some time is followed by a pause so many times as long. */
    private static final int PAUSE_TO_LOOK = 20;

    private final BooleanSupplier open;
    private final List<Sweep> sweeps = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("retention").daemon().factory());

    /** @param open whether the regions are there still */
    Sweeper(BooleanSupplier open) {
        this.open = open;
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** How often to look for what is past an age, or just now and then where there is none. */
    static Duration interval(@Nullable Duration age) {
        Duration part = age == null ? LONGEST : age.dividedBy(LOOKS);
        return part.compareTo(SHORTEST) < 0 ? SHORTEST : part.compareTo(LONGEST) > 0 ? LONGEST : part;
    }

    /** Sweeps a region from now on, if it is not to keep everything. */
    void add(OpenRegion region) {
        if (region.definition().retention().limited()) {
            Sweep sweep =
                    region.definition().layout() == Layout.BLOCKS ? new BlockSweep(region) : new EntrySweep(region);
            sweeps.add(sweep);
            schedule(sweep, sweep.interval().toNanos());
        }
    }

    private void schedule(Sweep sweep, long nanos) {
        var _ = thread.schedule(() -> runAndGoOn(sweep), nanos, TimeUnit.NANOSECONDS);
    }

    private void runAndGoOn(Sweep sweep) {
        long start = System.nanoTime();
        try {
            run(sweep, System.currentTimeMillis());
        } catch (RuntimeException e) {
            if (open.getAsBoolean()) {
                LOG.warn("what is past its time could not be removed, is tried again: {}", Causes.first(e), e);
            }
        }
        if (open.getAsBoolean() && !thread.isShutdown()) {
            schedule(sweep, Math.max(sweep.interval().toNanos(), PAUSE_TO_LOOK * (System.nanoTime() - start)));
        }
    }

    /** Sweeps all regions now, as if it were some time. */
    void runAll(long now) {
        sweeps.forEach(sweep -> run(sweep, now));
    }

    private static void run(Sweep sweep, long now) {
        synchronized (sweep) {
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
