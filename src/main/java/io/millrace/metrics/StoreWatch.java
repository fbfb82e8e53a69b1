package io.millrace.metrics;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.store.StoreStatus;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.RegionInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Polls the store every few seconds on its own thread, because a cluster may respond slowly and reading a meter must
 * not block. Any thread may read the result of the last poll.
 */
public final class StoreWatch implements SmartLifecycle, BackgroundTasks {

    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    /** The age from which a result counts as unknown: the store has not responded for this long. */
    private static final Duration MAX_AGE = Duration.ofSeconds(30);

    private final StoreStatus store;
    private final List<String> regions;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("store-watch").daemon().factory());
    private final BackgroundTask task = new BackgroundTask("store-watch");
    private @Nullable Future<?> next;
    private volatile Poll last = Poll.nothing();
    private volatile boolean running;

    /**
     * Creates a watch that is not started.
     *
     * @param regions names of the regions
     */
    public StoreWatch(StoreStatus store, List<String> regions) {
        this.store = store;
        this.regions = List.copyOf(regions);
    }

    /** Returns the names of the regions. */
    List<String> regions() {
        return regions;
    }

    /** Returns whether records could be written and queried. */
    public boolean up() {
        return lastPoll().up;
    }

    /** Returns whether all values had their redundant copies. */
    public boolean copiesComplete() {
        return lastPoll().copiesComplete;
    }

    /** Returns the number of records in a region, or NaN if unknown. */
    public double records(String region) {
        return lastPoll().records.getOrDefault(region, Double.NaN);
    }

    /** Returns the estimated memory of a region in bytes, or NaN if unknown. */
    public double bytes(String region) {
        return lastPoll().bytes.getOrDefault(region, Double.NaN);
    }

    /** Returns the number of writes that this process has refused since it joined its cluster. */
    long refusedWrites() {
        return store.refusedWrites();
    }

    private Poll lastPoll() {
        Poll poll = last;
        return System.nanoTime() - poll.nanos > MAX_AGE.toNanos() ? Poll.nothing() : poll;
    }

    /** Polls once. If a request fails, the values are unknown until the next poll. */
    void check() {
        Poll poll = Poll.nothing();
        try {
            boolean up = holds(store::requireAvailable);
            poll = new Poll(System.nanoTime(), up, up && holds(store::requireCopies), new HashMap<>(), new HashMap<>());
            if (up) {
                measure(poll);
            }
        } catch (StoreException e) {
            LOG.debug("Failed to read the state of the store", e);
        } finally {
            last = poll;
        }
    }

    private void measure(Poll poll) {
        for (String region : regions) {
            RegionInfo info = store.info(region);
            poll.records.put(region, (double) info.records());
            poll.bytes.put(region, (double) info.bytes());
        }
    }

    /** Returns whether a requirement holds, which throws a {@link StoreException} if it does not. */
    static boolean holds(Runnable requirement) {
        try {
            requirement.run();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return List.of(task);
    }

    @Override
    public void start() {
        running = true;
        next = timer.scheduleWithFixedDelay(() -> task.run(this::check), 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        running = false;
        if (next != null) {
            next.cancel(false);
        }
        timer.shutdown();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    /** The result of one poll. Not modified after it is published. */
    private record Poll(
            long nanos, boolean up, boolean copiesComplete, Map<String, Double> records, Map<String, Double> bytes) {

        static Poll nothing() {
            return new Poll(System.nanoTime(), false, false, Map.of(), Map.of());
        }
    }
}
