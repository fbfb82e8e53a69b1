package io.millrace.metrics;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.store.RegionInfo;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
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
 * Looks at the store every few seconds, on a thread of its own: the answers of a cluster may take long, and whoever
 * asks for meters must not wait for them. Any thread may read what the last look saw.
 */
public final class StoreWatch implements SmartLifecycle, BackgroundTasks {

    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(5);

    /** A look that takes longer than this tells that the store does not answer. */
    private static final Duration WORTH = Duration.ofSeconds(30);

    private final Store store;
    private final List<String> regions;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("store-watch").daemon().factory());
    private final BackgroundTask task = new BackgroundTask("store-watch");
    private @Nullable Future<?> next;
    private volatile Look last = Look.nothing();
    private volatile boolean running;

    /**
     * Does nothing yet.
     *
     * @param regions names of the regions
     */
    public StoreWatch(Store store, List<String> regions) {
        this.store = store;
        this.regions = List.copyOf(regions);
    }

    /** Names of the regions. */
    List<String> regions() {
        return regions;
    }

    /** Whether records could be written and asked for. */
    public boolean up() {
        return seen().up;
    }

    /** Whether all values had their copies. */
    public boolean copiesComplete() {
        return seen().copiesComplete;
    }

    /** Records that a region held; NaN where that could not be known. */
    public double records(String region) {
        return seen().records.getOrDefault(region, Double.NaN);
    }

    /** Estimate of the bytes in memory of a region; NaN where that could not be known. */
    public double bytes(String region) {
        return seen().bytes.getOrDefault(region, Double.NaN);
    }

    /** Writes that this process refused, since it joined its cluster. */
    long refusedWrites() {
        return store.refusedWrites();
    }

    private Look seen() {
        Look look = last;
        return System.nanoTime() - look.nanos > WORTH.toNanos() ? Look.nothing() : look;
    }

    /** Looks now. What fails leaves its figures unknown, and is tried again by the next look. */
    void look() {
        Look look = Look.nothing();
        try {
            boolean up = holds(store::requireThere);
            look = new Look(System.nanoTime(), up, up && holds(store::requireCopies), new HashMap<>(), new HashMap<>());
            if (up) {
                measure(look);
            }
        } catch (StoreException e) {
            LOG.debug("the store could not be looked at", e);
        } finally {
            last = look;
        }
    }

    private void measure(Look look) {
        for (String region : regions) {
            RegionInfo info = store.info(region);
            look.records.put(region, (double) info.records());
            look.bytes.put(region, (double) info.bytes());
        }
    }

    /** Whether a requirement holds, which throws a {@link StoreException} where it does not. */
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
        next = timer.scheduleWithFixedDelay(() -> task.run(this::look), 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
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

    /** What was seen at one moment; nobody changes it once it is the last. */
    private record Look(
            long nanos, boolean up, boolean copiesComplete, Map<String, Double> records, Map<String, Double> bytes) {

        static Look nothing() {
            return new Look(System.nanoTime(), false, false, Map.of(), Map.of());
        }
    }
}
