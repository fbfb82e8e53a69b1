package io.millrace.store.geode.region;

import io.millrace.store.geode.cache.Causes;
import io.millrace.store.geode.cache.ExpiryCheck;
import java.util.OptionalLong;
import org.apache.geode.cache.DiskAccessException;
import org.apache.geode.cache.Region;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.PartitionedRegionDataStore;
import org.apache.geode.internal.cache.RegionEntry;
import org.apache.geode.internal.util.concurrent.CustomEntryConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a region on this member, read through Geode's internal interface. The public interface loads a value
 * from disk into memory permanently, where it displaces another one, and provides the time at which an entry was stored
 * only if it also counts each access to every entry. Thread-safe.
 */
public final class LocalValues {

    private final Region<Object, byte[]> whole;
    private final PartitionedRegionDataStore buckets;
    private final int bucketCount;

    /** @param region that has data on this member */
    LocalValues(Region<Object, byte[]> region) {
        PartitionedRegion partitioned = (PartitionedRegion) region;
        whole = region;
        buckets = partitioned.getDataStore();
        bucketCount = partitioned.getTotalNumberOfBuckets();
    }

    /** Behind the places of all entries. */
    public static final long END = EntryTable.END;

    /** Receives entries with their values. */
    public interface ValueVisitor {

        /** Receives one entry. */
        void visit(Object key, byte[] value);
    }

    /** Receives entries. */
    public interface Visitor {

        /**
         * Receives one entry.
         *
         * @param storedAt when the value was put, in milliseconds since 1970; the same on all members, and after a
         *     restart
         */
        void visit(Object key, long storedAt);
    }

    /**
     * Returns a value without moving it between disk and memory, or null if there is none.
     *
     * @throws io.millrace.store.error.CorruptDataException if its disk file is truncated
     * @throws io.millrace.store.error.StoreException if it can't be read for another reason
     */
    public byte @Nullable [] read(Object key) {
        BucketRegion bucket = buckets.getLocalBucketByKey(key);
        if (bucket == null) { // it has just moved to another member
            return whole.get(key);
        }
        RegionEntry entry = bucket.getRegionEntry(key);
        return entry == null ? null : value(bucket, entry);
    }

    private byte @Nullable [] value(BucketRegion bucket, RegionEntry entry) {
        try {
            return entry.getValueInVMOrDiskWithoutFaultIn(bucket) instanceof byte[] value ? value : null;
        } catch (DiskAccessException e) {
            throw Causes.failure(
                    "Failed read of " + RegionValues.named(entry.getKey()) + " in region '" + whole.getName() + "'", e);
        }
    }

    /**
     * Passes a range of a bucket's entries: those with a place in this range, in any order. Places are numbers from 0
     * to below {@link #END} that are the same on each member. Values are read as by {@link #read(Object)}.
     *
     * @param start place at which the range begins
     * @param entries approximate number of entries
     * @return the end of the range, at which the next one begins
     */
    public long read(BucketRegion bucket, long start, int entries, ValueVisitor visitor) {
        EntryTable table = new EntryTable(
                (CustomEntryConcurrentHashMap<?, ?>) bucket.getRegionMap().getCustomEntryConcurrentHashMap());
        long end = table.end(start, entries);
        for (RegionEntry entry : table.read(start, end)) {
            byte[] value = value(bucket, entry);
            if (value != null) {
                visitor.visit(entry.getKey(), value);
            }
        }
        return end;
    }

    /** Returns the current time of the clock that determines when a value was put, in milliseconds since 1970. */
    long now() {
        return ((PartitionedRegion) (Region<?, ?>) whole).getCache().cacheTimeMillis();
    }

    /** Returns when the value of a key was put, or -1 if it is not on this member. */
    public long storedAt(Object key) {
        RegionEntry entry = entry(key);
        return entry == null || entry.isDestroyedOrRemoved() ? -1 : entry.getLastModified();
    }

    /**
     * Returns the version of an entry, which each put changes, if it is on this member and was stored at this time or
     * before.
     *
     * @param storedUpTo in milliseconds since 1970
     */
    public OptionalLong version(Object key, long storedUpTo) {
        RegionEntry entry = entry(key);
        return entry == null ? OptionalLong.empty() : ExpiryCheck.version(entry, storedUpTo);
    }

    private @Nullable RegionEntry entry(Object key) {
        BucketRegion bucket = buckets.getLocalBucketByKey(key);
        return bucket == null ? null : bucket.getRegionEntry(key);
    }

    /** Visits all entries whose primary copy is on this member, in any order, while others may be put and removed. */
    public void each(Visitor visitor) {
        for (BucketRegion bucket : buckets.getAllLocalPrimaryBucketRegions()) {
            each(bucket, visitor);
        }
    }

    /** Visits all entries of a bucket, as {@link #each(Visitor)} does. */
    public void each(BucketRegion bucket, Visitor visitor) {
        for (RegionEntry entry : bucket.getRegionMap().regionEntries()) {
            if (!entry.isDestroyedOrRemoved()) {
                visitor.visit(entry.getKey(), entry.getLastModified());
            }
        }
    }

    /** Returns the fraction of the region's buckets whose primary copy is on this member: 0 to 1. */
    public double share() {
        return (double) buckets.getAllLocalPrimaryBucketIds().size() / bucketCount;
    }
}
