package io.millrace.store.geode.cache;

import java.util.OptionalLong;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.apache.geode.internal.cache.EntryEventImpl;
import org.apache.geode.internal.cache.RegionEntry;
import org.apache.geode.internal.cache.versions.VersionStamp;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to remove an expired entry that was stored again after its expiry was determined, also with the same bytes.
 * The callback argument of such a removal is the {@linkplain #version version} of the entry. Geode calls the check
 * under the lock of the entry, on the member with the primary copy. Thread-safe.
 */
public class ExpiryCheck extends CacheWriterAdapter<Object, Object> {

    /** Geode's versions of entries have 24 bits. */
    private static final int MAX_VERSION = 0xFFFFFF;

    /**
     * Returns the version of an entry, which each put changes, if it was stored at this time or before. In regions
     * without versions, it is the time of the put: a put changes it because expired entries are older than a
     * millisecond.
     *
     * @param storedUpTo in milliseconds since 1970
     */
    public static OptionalLong version(RegionEntry entry, long storedUpTo) {
        synchronized (entry) { // Geode's lock: a put changes the version before the time
            if (entry.isDestroyedOrRemoved() || entry.getLastModified() > storedUpTo) {
                return OptionalLong.empty();
            }
            VersionStamp<?> stamp = entry.getVersionStamp();
            return OptionalLong.of(stamp == null ? entry.getLastModified() : stamp.getEntryVersion());
        }
    }

    @Override
    public void beforeDestroy(EntryEvent<Object, Object> event) throws CacheWriterException {
        if (event.getCallbackArgument() instanceof Long version
                && !isUnchanged(((EntryEventImpl) event).getRegionEntry(), version)) {
            throw new ChangedEntryException("Entry " + event.getKey() + " was stored again.");
        }
    }

    /** Geode gives an entry the version of the removal, and its time, before it calls the check. */
    private static boolean isUnchanged(@Nullable RegionEntry entry, long version) {
        if (entry == null) {
            return false;
        }
        VersionStamp<?> stamp = entry.getVersionStamp();
        return stamp == null
                ? entry.getLastModified() == version
                : stamp.getEntryVersion() == (version == MAX_VERSION ? 0 : version + 1);
    }
}
