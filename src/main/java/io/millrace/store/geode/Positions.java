package io.millrace.store.geode;

import io.millrace.store.StoreException;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.geode.cache.Region;
import org.jspecify.annotations.Nullable;

/**
 * How far feeds are covered by regions whose values don't say so, and of what schema persistent regions are. What
 * belongs to a region in memory is itself kept in memory only, so that both go together. Thread-safe.
 */
final class Positions {

    private final Map<String, Long> inMemory;
    private final Supplier<Region<String, Long>> maker;
    private @Nullable Region<String, Long> onDisk;

    /**
     * @param inMemory for regions in memory, as lasting as these
     * @param maker makes the persistent region, when the first one needs it
     */
    Positions(Map<String, Long> inMemory, Supplier<Region<String, Long>> maker) {
        this.inMemory = inMemory;
        this.maker = maker;
    }

    static String key(String region, String pipeline, int partition) {
        return region + "/" + pipeline + "/" + partition;
    }

    private synchronized Map<String, Long> kept(boolean persistent) {
        if (!persistent) {
            return inMemory;
        }
        Region<String, Long> region = onDisk;
        if (region == null) {
            region = maker.get();
            onDisk = region;
        }
        return region;
    }

    /** The position last put, or 0. */
    long get(String key, boolean persistent) {
        try {
            Long position = kept(persistent).get(key);
            return position == null ? 0 : position;
        } catch (RuntimeException e) {
            throw new StoreException("get of position key=" + key + " failed: " + Causes.first(e), e);
        }
    }

    void put(String key, long position, boolean persistent) {
        try {
            kept(persistent).put(key, position);
        } catch (RuntimeException e) {
            throw new StoreException("put of position=" + position + " key=" + key + " failed: " + Causes.first(e), e);
        }
    }

    /** The fingerprint that a persistent region's schema had when it was opened last, or null. */
    @Nullable
    Long fingerprint(String region) {
        return kept(true).get(region);
    }

    void putFingerprint(String region, long fingerprint) {
        put(region, fingerprint, true);
    }
}
