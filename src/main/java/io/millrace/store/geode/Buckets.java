package io.millrace.store.geode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.execute.RegionFunctionContext;
import org.apache.geode.internal.cache.BucketRegion;
import org.apache.geode.internal.cache.BucketSetHelper;
import org.apache.geode.internal.cache.LocalDataSet;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.execute.InternalRegionFunctionContext;

/**
 * Some of the parts that Geode splits a region into, with their numbers, which Geode's public API does not expose.
 * Created before they are read, it detects afterwards whether this member held all of them throughout.
 */
final class Buckets {

    private final PartitionedRegion region;
    private final List<Integer> numbers;
    private final int total;
    /** As they are when this is made; a bucket that goes and comes back is another object. */
    private final Map<Integer, BucketRegion> held = new HashMap<>();

    /** @param region split into buckets */
    Buckets(Region<?, ?> region, Set<Integer> numbers) {
        this(region, numbers, ((PartitionedRegion) region).getTotalNumberOfBuckets());
    }

    private Buckets(Region<?, ?> region, Set<Integer> numbers, int total) {
        this.region = (PartitionedRegion) region;
        this.numbers = List.copyOf(new TreeSet<>(numbers));
        this.total = total;
        for (int number : this.numbers) {
            BucketRegion bucket = this.region.getDataStore().getLocalBucketById(number);
            if (bucket != null) {
                held.put(number, bucket);
            }
        }
    }

    /** All of a region whose data are all in this process. */
    static Buckets all(Region<Object, byte[]> region) {
        PartitionedRegion partitioned = (PartitionedRegion) (Region<?, ?>) region;
        Set<Integer> numbers = partitioned.getDataStore().getAllLocalBucketIds();
        return new Buckets(region, numbers, numbers.size());
    }

    /** Those for which a function is to answer. */
    static Buckets of(RegionFunctionContext context) {
        Region<?, ?> region = context.getDataSet();
        int[] numbers = ((InternalRegionFunctionContext) context).getLocalBucketArray(region);
        return new Buckets(region, BucketSetHelper.toSet(numbers));
    }

    /** Their numbers, ascending. */
    List<Integer> numbers() {
        return numbers;
    }

    /** How many the region has, on all members. */
    int total() {
        return total;
    }

    /**
     * Whether this member has had all of them since this was made. Only then is what was read of them complete: Geode
     * empties a bucket that has moved away while it may be read.
     */
    boolean stayed() {
        return held.size() == numbers.size()
                && held.values().stream().allMatch(bucket -> bucket.isHosting() && !bucket.isDestroyed());
    }

    /** The keys of one of them, as they are just now. */
    @SuppressWarnings("unchecked") // of all regions of records
    Set<Object> keys(int number) {
        return new LocalDataSet(region, Set.of(number)).keySet();
    }

    /** How many entries one of them has. */
    int size(int number) {
        BucketRegion bucket = held.get(number);
        return bucket == null ? 0 : bucket.size();
    }
}
