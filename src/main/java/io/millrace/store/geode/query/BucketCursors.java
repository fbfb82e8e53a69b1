package io.millrace.store.geode.query;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a query in each bucket of a region, so that any member that hosts the bucket can continue the scan. A
 * bucket without a cursor has not been scanned yet. Immutable.
 *
 * @param reached by bucket: for blocks, the key of the last block scanned; for entries, the first
 *     {@linkplain io.millrace.store.geode.region.LocalValues#read place} not scanned; {@link #DONE} if the whole bucket
 *     was scanned
 */
public record BucketCursors(Map<Integer, Long> reached) implements Serializable {

    /** Not the key of any block, and behind all places of entries. */
    static final long DONE = Long.MAX_VALUE;

    /** No bucket has been scanned yet. */
    static final BucketCursors NONE = new BucketCursors(Map.of());

    public BucketCursors {
        reached = Map.copyOf(reached);
    }

    /**
     * Returns the cursor at which the next partial scan of a bucket begins, or null if the bucket has not been scanned
     * yet.
     */
    @Nullable
    Long of(int bucket) {
        return reached.get(bucket);
    }

    boolean isDone(int bucket) {
        Long cursor = reached.get(bucket);
        return cursor != null && cursor == DONE;
    }

    /** Returns the buckets whose scan has begun. */
    Set<Integer> buckets() {
        return reached.keySet();
    }

    /**
     * Returns whether all buckets of a region are done.
     *
     * @param buckets number of buckets of the region
     */
    boolean done(int buckets) {
        return reached.size() == buckets && reached.values().stream().allMatch(cursor -> cursor == DONE);
    }

    /** Returns these cursors, replaced by later ones where given. */
    BucketCursors with(BucketCursors later) {
        Map<Integer, Long> all = new HashMap<>(reached);
        all.putAll(later.reached);
        return new BucketCursors(all);
    }
}
