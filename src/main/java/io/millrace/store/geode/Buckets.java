package io.millrace.store.geode;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.execute.RegionFunctionContext;
import org.apache.geode.internal.cache.BucketSetHelper;
import org.apache.geode.internal.cache.LocalDataSet;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.execute.InternalRegionFunctionContext;

/** Some of the parts that Geode splits a region into, with their numbers, which Geode's own interface does not tell. */
final class Buckets {

    private final PartitionedRegion region;
    private final List<Integer> numbers;

    /** @param region split into buckets */
    Buckets(Region<?, ?> region, Set<Integer> numbers) {
        this.region = (PartitionedRegion) region;
        this.numbers = List.copyOf(new TreeSet<>(numbers));
    }

    /** All of a region that are in this process. */
    static Buckets all(Region<Object, byte[]> region) {
        PartitionedRegion partitioned = (PartitionedRegion) (Region<?, ?>) region;
        return new Buckets(region, partitioned.getDataStore().getAllLocalBucketIds());
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

    /** The keys of one of them, as they are just now. */
    @SuppressWarnings("unchecked") // of all regions of records
    Set<Object> keys(int number) {
        return new LocalDataSet(region, Set.of(number)).keySet();
    }
}
