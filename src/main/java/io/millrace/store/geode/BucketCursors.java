package io.millrace.store.geode;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a query has come in each bucket of a region, so that any member that has the bucket can go on there. A bucket
 * that is not named has not been begun. Immutable.
 *
 * @param reached of blocks the key of the last one that was looked at, of entries the first {@link EntryOrder place}
 *     that was not; {@link #DONE} where all was
 */
record BucketCursors(Map<Integer, Long> reached) implements Serializable {

    /** No block's key, and behind all places of entries. */
    static final long DONE = Long.MAX_VALUE;

    /** Nothing has been begun. */
    static final BucketCursors NONE = new BucketCursors(Map.of());

    BucketCursors {
        reached = Map.copyOf(reached);
    }

    /** Where a bucket's next stretch begins, or null where it has not been begun. */
    @Nullable
    Long of(int bucket) {
        return reached.get(bucket);
    }

    boolean isDone(int bucket) {
        Long place = reached.get(bucket);
        return place != null && place == DONE;
    }

    /** The buckets that have been begun. */
    Set<Integer> buckets() {
        return reached.keySet();
    }

    /**
     * Whether all buckets of a region are done.
     *
     * @param buckets how many it has
     */
    boolean done(int buckets) {
        return reached.size() == buckets && reached.values().stream().allMatch(place -> place == DONE);
    }

    /** These, and where others have come since. */
    BucketCursors with(BucketCursors later) {
        Map<Integer, Long> all = new HashMap<>(reached);
        all.putAll(later.reached);
        return new BucketCursors(all);
    }
}
