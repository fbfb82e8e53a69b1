package io.millrace.web.page;

import io.millrace.store.error.StoreException;
import io.millrace.store.region.Regions;
import io.millrace.web.RegionViews;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of regions at the last scan. Scanning large regions, or a cluster, may take long, so at most about a
 * twentieth of the time is spent on scans. Used by one thread at a time.
 */
final class SeenRegions {

    private static final long PAUSE_TO_WORK = 20;

    private final Regions regions;
    private List<Map<String, @Nullable Object>> views = List.of();
    private long nextNanos = System.nanoTime();

    SeenRegions(Regions regions) {
        this.regions = regions;
    }

    /** Returns current or recent metrics; the previous ones if the store does not respond. */
    List<Map<String, @Nullable Object>> views() {
        long startNanos = System.nanoTime();
        if (startNanos - nextNanos >= 0) {
            try {
                views = RegionViews.all(regions);
            } catch (StoreException _) {
                // health checks and pipelines report the error
            }
            long endNanos = System.nanoTime();
            nextNanos = endNanos + PAUSE_TO_WORK * (endNanos - startNanos);
        }
        return views;
    }
}
