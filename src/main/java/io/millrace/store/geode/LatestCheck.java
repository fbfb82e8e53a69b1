package io.millrace.store.geode;

import io.millrace.store.error.CorruptDataException;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.region.OpenRegion;
import java.util.function.Supplier;
import org.apache.geode.cache.CacheWriter;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.EntryEventImpl;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retains the stored entry of a key where an older one would replace it, by the region's
 * {@linkplain io.millrace.store.region.RegionDefinition#latest() latest} field. Geode calls it where the value is
 * stored first, under the lock of the entry, for single and bulk writes alike, so no other write of the same key can
 * occur between the comparison and the write. The write then stores the bytes that are already there, also on disk and
 * in a redundant copy. If the member ends before all copies have them, Geode sends the bytes of the request to the
 * others without this check, so there must not be more than one copy. Thread-safe.
 */
final class LatestCheck extends CacheWriterAdapter<Object, Object> {

    private static final Logger LOG = LoggerFactory.getLogger(LatestCheck.class);

    private final @Nullable CacheWriter<Object, Object> admission;
    private final Supplier<@Nullable OpenRegion> region;

    /**
     * @param admission decides first whether a write or removal is admitted; null if all are
     * @param region the region, null while it is not open yet
     */
    LatestCheck(@Nullable CacheWriter<Object, Object> admission, Supplier<@Nullable OpenRegion> region) {
        this.admission = admission;
        this.region = region;
    }

    @Override
    public void beforeCreate(EntryEvent<Object, Object> event) throws CacheWriterException {
        if (admission != null) {
            admission.beforeCreate(event);
        }
    }

    @Override
    public void beforeUpdate(EntryEvent<Object, Object> event) throws CacheWriterException {
        if (admission != null) {
            admission.beforeUpdate(event);
        }
        EntryEventImpl internal = (EntryEventImpl) event;
        byte[] stored = stored(internal);
        if (stored != null && event.getNewValue() instanceof byte[] next && isOlder(event.getKey(), next, stored)) {
            internal.setNewValue(stored);
        }
    }

    @Override
    public void beforeDestroy(EntryEvent<Object, Object> event) throws CacheWriterException {
        if (admission != null) {
            admission.beforeDestroy(event);
        }
    }

    /** Returns the bytes that are stored, which may be on disk only; then Geode's event does not contain them. */
    private static byte @Nullable [] stored(EntryEventImpl event) {
        if (event.getOldValue() instanceof byte[] inMemory) {
            return inMemory;
        }
        BucketRegion bucket =
                ((PartitionedRegion) event.getRegion()).getDataStore().getLocalBucketByKey(event.getKey());
        return event.getRegionEntry().getValueInVMOrDiskWithoutFaultIn(bucket) instanceof byte[] onDisk ? onDisk : null;
    }

    private boolean isOlder(Object key, byte[] next, byte[] stored) {
        OpenRegion open = region.get();
        if (open == null) {
            throw new CacheWriterException("The region is not open yet on this server.");
        }
        try {
            return open.isOlder(key, next, stored);
        } catch (CorruptDataException e) {
            LOG.warn("A corrupt entry is replaced: reason={}", e.getMessage());
            return false;
        } catch (StoreException e) {
            throw new CacheWriterException("The entry can't be compared with the stored one: " + e.getMessage(), e);
        }
    }
}
