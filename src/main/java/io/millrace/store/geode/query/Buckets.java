package io.millrace.store.geode.query;

import io.millrace.store.geode.guard.MemberLease;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.execute.RegionFunctionContext;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.BucketSetHelper;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.execute.InternalRegionFunctionContext;

/**
 * A set of buckets of a region, with their numbers, which Geode's public API does not expose. Created before the
 * buckets are read, it detects afterwards whether this member hosted all of them throughout.
 */
final class Buckets {

    private final MemberLease lease = MemberLease.current();
    private final List<Integer> numbers;
    private final int total;
    /** The buckets at creation; a bucket that moves away and returns is another object. */
    private final Map<Integer, BucketRegion> held = new LinkedHashMap<>();

    /** @param region split into buckets */
    Buckets(Region<?, ?> region, Set<Integer> numbers) {
        this(region, numbers, ((PartitionedRegion) region).getTotalNumberOfBuckets());
    }

    private Buckets(Region<?, ?> region, Set<Integer> numbers, int total) {
        this.numbers = List.copyOf(new TreeSet<>(numbers));
        this.total = total;
        for (int number : this.numbers) {
            BucketRegion bucket = ((PartitionedRegion) region).getDataStore().getLocalBucketById(number);
            if (bucket != null) {
                held.put(number, bucket);
            }
        }
    }

    /** Returns all buckets of a region whose data is entirely in this process. */
    static Buckets all(Region<Object, byte[]> region) {
        PartitionedRegion partitioned = (PartitionedRegion) (Region<?, ?>) region;
        Set<Integer> numbers = partitioned.getDataStore().getAllLocalBucketIds();
        return new Buckets(region, numbers, numbers.size());
    }

    /** Returns the buckets that a function execution is to cover. */
    static Buckets of(RegionFunctionContext context) {
        Region<?, ?> region = context.getDataSet();
        int[] numbers = ((InternalRegionFunctionContext) context).getLocalBucketArray(region);
        return new Buckets(region, BucketSetHelper.toSet(numbers));
    }

    /** Returns the bucket numbers, ascending. */
    List<Integer> numbers() {
        return numbers;
    }

    /** Returns the number of buckets of the region on all members. */
    int total() {
        return total;
    }

    /**
     * Returns whether this member has hosted all of the buckets since this object was created, and certainly was a
     * member until now. Only then is the data read from them complete: Geode empties a bucket that has moved away,
     * possibly during a read, and others change the buckets of a member that they removed.
     */
    boolean stayed() {
        return held.size() == numbers.size()
                && held.values().stream().allMatch(bucket -> bucket.isHosting() && !bucket.isDestroyed())
                && lease.held();
    }

    /** Returns those of the buckets that this member hosted at creation, by ascending number. */
    Collection<BucketRegion> held() {
        return held.values();
    }
}
