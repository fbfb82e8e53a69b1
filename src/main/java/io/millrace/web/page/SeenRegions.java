package io.millrace.web.page;

import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.web.RegionViews;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the regions held when they were looked at last. A look at large ones, or at a cluster, may take long: so no more
 * than a twentieth of the time is spent looking. Used by one thread at a time.
 */
final class SeenRegions {

    private static final long TIMES_AS_LONG = 20;

    private final Store store;
    private List<Map<String, @Nullable Object>> views = List.of();
    private long nextNanos = System.nanoTime();

    SeenRegions(Store store) {
        this.store = store;
    }

    /** As of now, or not long ago; the same as before where the store does not answer. */
    List<Map<String, @Nullable Object>> views() {
        long began = System.nanoTime();
        if (began - nextNanos >= 0) {
            try {
                views = RegionViews.all(store);
            } catch (StoreException _) {
                // health and pipelines tell of that
            }
            long ended = System.nanoTime();
            nextNanos = ended + TIMES_AS_LONG * (ended - began);
        }
        return views;
    }
}
