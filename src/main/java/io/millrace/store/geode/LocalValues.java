package io.millrace.store.geode;

import org.apache.geode.cache.Region;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.PartitionedRegionDataStore;
import org.apache.geode.internal.cache.RegionEntry;
import org.jspecify.annotations.Nullable;

/**
 * The values of a region that this member has, read beneath Geode's public interface. That one brings a value that is
 * on disk only back into memory for good, where it takes another one's place, and tells when an entry was stored only
 * where it counts each use of every entry as well. Thread-safe.
 */
final class LocalValues {

    private final Region<Object, byte[]> whole;
    private final PartitionedRegionDataStore buckets;
    private final int bucketCount;

    /** @param region that this member has data of */
    LocalValues(Region<Object, byte[]> region) {
        PartitionedRegion partitioned = (PartitionedRegion) region;
        whole = region;
        buckets = partitioned.getDataStore();
        bucketCount = partitioned.getTotalNumberOfBuckets();
    }

    /** Receives entries. */
    interface Visitor {

        /**
         * Takes one.
         *
         * @param storedAt when the value was put, in milliseconds since 1970; the same on all members, and after a
         *     restart
         */
        void visit(Object key, long storedAt);
    }

    /** A value, wherever it is, that stays there; null where there is none. */
    byte @Nullable [] read(Object key) {
        BucketRegion bucket = buckets.getLocalBucketByKey(key);
        if (bucket == null) { // it has moved to another member just now
            return whole.get(key);
        }
        RegionEntry entry = bucket.getRegionEntry(key);
        return entry != null && entry.getValueInVMOrDiskWithoutFaultIn(bucket) instanceof byte[] value ? value : null;
    }

    /** When the value of a key was put, or -1 where it is not here. */
    long storedAt(Object key) {
        BucketRegion bucket = buckets.getLocalBucketByKey(key);
        RegionEntry entry = bucket == null ? null : bucket.getRegionEntry(key);
        return entry == null || entry.isDestroyedOrRemoved() ? -1 : entry.getLastModified();
    }

    /**
     * Shows all entries that this member is the first to have, in any order; others may be put and removed meanwhile.
     */
    void each(Visitor visitor) {
        for (BucketRegion bucket : buckets.getAllLocalPrimaryBucketRegions()) {
            for (RegionEntry entry : bucket.getRegionMap().regionEntries()) {
                if (!entry.isDestroyedOrRemoved()) {
                    visitor.visit(entry.getKey(), entry.getLastModified());
                }
            }
        }
    }

    /** Of the region's buckets, the part that this member is the first to have: 0 to 1. */
    double share() {
        return (double) buckets.getAllLocalPrimaryBucketIds().size() / bucketCount;
    }
}
