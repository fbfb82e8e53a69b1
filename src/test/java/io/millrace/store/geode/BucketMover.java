package io.millrace.store.geode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.partition.PartitionMemberInfo;
import org.apache.geode.cache.partition.PartitionRegionHelper;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.internal.cache.PartitionedRegion;
import org.apache.geode.internal.cache.PartitionedRegionHelper;
import org.jspecify.annotations.Nullable;

/** Moves the buckets of a region from server to server until it is closed, each there and soon back again. */
final class BucketMover implements AutoCloseable {

    private static final long PRIMARY_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Region<Object, byte[]> region;
    private final List<Object> keys;
    private final AtomicInteger moves = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;

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

    /**
     * Returns how many moves it has made.
     *
     * @throws IllegalStateException where a move failed: no more will follow
     */
    int moves() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException("Moving buckets failed after " + moves.get() + " moves", cause);
        }
        return moves.get();
    }

    private void run() {
        try {
            moveUntilClosed();
        } catch (Throwable e) { // Rethrown by moves().
            failure = e;
        }
    }

    private void moveUntilClosed() {
        for (int i = 0; !closed; i++) {
            Object key = keys.get(i % keys.size());
            DistributedMember home = primary(key);
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
        PartitionRegionHelper.moveBucketByKey(region, primary(key), to, key);
        moves.incrementAndGet();
    }

    /** Retries: a bucket that has just moved has no primary for a moment. */
    private DistributedMember primary(Object key) {
        long startNanos = System.nanoTime();
        DistributedMember primary = PartitionRegionHelper.getPrimaryMemberForKey(region, key);
        while (primary == null) {
            if (System.nanoTime() - startNanos > PRIMARY_WAIT_NANOS) {
                throw new IllegalStateException("The bucket of a key has had no primary for a minute: key=" + key);
            }
            LockSupport.parkNanos(RETRY_NANOS);
            primary = PartitionRegionHelper.getPrimaryMemberForKey(region, key);
        }
        return primary;
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
