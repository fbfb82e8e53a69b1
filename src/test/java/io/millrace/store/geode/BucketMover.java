package io.millrace.store.geode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.partition.PartitionMemberInfo;
import org.apache.geode.cache.partition.PartitionRegionHelper;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.PartitionedRegionHelper;

/** Moves the buckets of a region from server to server until it is closed, each there and soon back again. */
final class BucketMover implements AutoCloseable {

    private final Region<Object, byte[]> region;
    private final List<Object> keys;
    private final AtomicInteger moves = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closed;

    /** @param region without redundant copies, of which this member has a part */
    BucketMover(Region<Object, byte[]> region) {
        this.region = region;
        Map<Integer, Object> keyOfBucket = new HashMap<>();
        for (Object key : region.keySet()) {
            keyOfBucket.put(PartitionedRegionHelper.getHashKey((PartitionedRegion) (Region<?, ?>) region, key), key);
        }
        this.keys = List.copyOf(keyOfBucket.values());
        this.thread = Thread.ofPlatform().name("bucket-mover").start(this::run);
    }

    /** How many it has made. */
    int moves() {
        return moves.get();
    }

    private void run() {
        for (int i = 0; !closed; i++) {
            Object key = keys.get(i % keys.size());
            DistributedMember home = PartitionRegionHelper.getPrimaryMemberForKey(region, key);
            for (DistributedMember other : others(home)) {
                move(key, other);
            }
            if (i % 2 == 0) {
                move(key, home);
            }
        }
    }

    private Set<DistributedMember> others(DistributedMember home) {
        Set<DistributedMember> members =
                PartitionRegionHelper.getPartitionRegionInfo(region).getPartitionMemberInfo().stream()
                        .map(PartitionMemberInfo::getDistributedMember)
                        .collect(Collectors.toSet());
        members.remove(home);
        return members;
    }

    private void move(Object key, DistributedMember to) {
        PartitionRegionHelper.moveBucketByKey(
                region, PartitionRegionHelper.getPrimaryMemberForKey(region, key), to, key);
        moves.incrementAndGet();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
